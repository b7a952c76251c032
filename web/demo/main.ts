import { addStep, failure, nextStep, type Outcome, suggest, suggestLink } from './activity.ts';
import { byId, fieldOf, openPortal, refreshFrames, report, showMessage, textOf } from './dom.ts';
import { openShop } from './shop.ts';
import {
  type ClickResult,
  forgetVisitor,
  fullName,
  isReferredHere,
  linkOf,
  once,
  readVisitor,
  scriptEnd,
  sentClick,
  state,
  update,
  watchTracking,
  whenever,
} from './state.ts';

const CLICK = 'POST /v2/tracking/click';
const WAITING = 'The tracking script has set its cookie and sent the click. Waiting for the response of the service …';
const NO_SCRIPT =
  'The tracking script did not load: your browser may block it. You can sign up, but nobody earns a commission. To see every step, allow /gr.js on this page and reload it.';
const PRIVACY =
  'Your browser asks sites not to track you (Global Privacy Control), and the tracking script complies. You can sign up without a referral.';
const NOBODY = 'No advocate has this link, so nobody earns a commission. Sign up, or see every step here:';
const NO_LINK = 'You arrived without an advocate’s link, so nobody earns a commission.';
const NO_REFERRAL = 'This customer has no referral, so nobody earns a commission.';
const ALREADY_CUSTOMER =
  'You are already a customer, so a link changes nothing. Start over as a new visitor to see every step.';
const OTHER_ADVOCATE = 'Another advocate referred you, so the advocate’s page does not show you. See every step here:';

const CLICKS: Readonly<Record<ClickResult, Outcome & { hint: () => string }>> = {
  recorded: { text: 'click recorded', state: 'clicked', hint: () => nextStep('clicked') },
  ignored: {
    text: 'click ignored',
    hint: () => `The service classified this browser as a bot and ignored the click. ${stillReferred()}`,
  },
  unknown: {
    text: 'no advocate has this link',
    hint: () =>
      state.visitor ? `No advocate has this link. ${isReferredHere() ? stillReferred() : OTHER_ADVOCATE}` : NOBODY,
  },
  failed: {
    text: 'click not recorded',
    hint: () =>
      `The click did not reach the service. The tracking script sends it again on the next page. ${stillReferred()}`,
  },
};

/** Shows how the visitor came here: as a customer, with a link of an advocate, or without one. */
function showArrival(): void {
  whenever(() => {
    const { visitor, advocate } = state;
    const name = isReferredHere() ? fullName(advocate) : visitor?.slug;
    byId('referred-by', HTMLElement).textContent = name === undefined ? '' : `Recommended by ${name}`;
  });
  if (state.customer) {
    const { email, state: reached } = state.customer;
    addStep(`Came back as ${email}`, 'Remembered by the shop', { text: reached, state: reached });
  }
  // The script reports the visitor before its element's `load` event, unless another file was served in its place.
  void scriptEnd.then(() => {
    if (state.visitor === undefined && !document.prerendering) suggest(NO_SCRIPT);
  });
  readVisitor(welcome);
}

function welcome(): void {
  const { visitor, customer } = state;
  if (!visitor) {
    if (customer) suggestLink(NO_REFERRAL);
    else if (navigator.globalPrivacyControl) suggest(PRIVACY);
    else suggestLink(NO_LINK);
    return;
  }
  const title = `Followed ${isReferredHere() ? state.advocate.firstName : visitor.slug}’s link`;
  if (sentClick !== undefined) {
    const settle = addStep(title, CLICK);
    suggest(customer ? ALREADY_CUSTOMER : WAITING);
    void sentClick.then((result) => showClick(result, settle));
    return;
  }
  addStep(title, 'Cookie gr_id', { text: 'remembered', state: 'clicked' });
  if (isReferredHere()) suggest(nextStep(customer?.state ?? 'clicked'));
  else suggestLink(OTHER_ADVOCATE);
}

function showClick(result: ClickResult, settle: (outcome: Outcome) => void): void {
  settle(CLICKS[result]);
  refreshFrames();
  const showHint = () => {
    // A visitor who has signed up since then sees the next step instead.
    if (state.customer || state.isBusy) return;
    const hint = CLICKS[result].hint();
    if (isReferredHere()) suggest(hint);
    else suggestLink(result === 'unknown' ? hint : OTHER_ADVOCATE);
  };
  // An unknown link has not replaced an advocate whose link the visitor followed before.
  if (result === 'unknown') readVisitor(showHint);
  else showHint();
}

function stillReferred(): string {
  const { firstName } = state.advocate;
  return `The cookie still names ${firstName} as your advocate: sign up, and ${firstName} earns the commission.`;
}

const JOIN = 'POST /v2/advocates';

const form = byId('join', HTMLFormElement);
const message = byId('join-message', HTMLElement);

/** The last attempt to join. It is repeated with the same id, so that it creates one advocate only. */
let attempt = { form: '', id: '' };

function openJoining(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void once(join);
  });
  byId('sign-out', HTMLButtonElement).addEventListener('click', async () => {
    const { problem } = await report('sign-out');
    if (problem === null) location.reload();
    else showMessage(message, problem, true);
  });
  whenever(() => {
    const { advocate, isBusy } = state;
    form.hidden = advocate.isOwn;
    byId('joined', HTMLElement).hidden = !advocate.isOwn;
    form.querySelector('button')?.setAttribute('aria-disabled', String(isBusy));
    byId('advocate-name', HTMLElement).textContent = advocate.firstName;
  });
}

async function join(): Promise<void> {
  const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
  const key = JSON.stringify(fields);
  if (attempt.form !== key) attempt = { form: key, id: crypto.randomUUID() };
  const settle = addStep(`Joined as ${fields['first_name']}`, JOIN);
  showMessage(message, 'One moment …');
  const { status, problem, json } = await report('join', { ...fields, attempt: attempt.id });
  if (problem !== null) {
    const isInvalid = status === 400;
    showMessage(message, isInvalid ? 'This name or this email is not valid. Check both.' : problem, true);
    settle(failure(JOIN, status));
    return;
  }
  settle({ text: 'advocate', state: 'done', call: `${JOIN} → 201` });
  const text = (name: string) => textOf(fieldOf(json, name)) ?? '';
  const slug = text('slug');
  addStep('The shop opened your page', `POST /v2/advocates/${slug}/tokens → 201`, { text: 'token', state: 'done' });
  openPortal(slug, text('token'));
  update({ advocate: { slug, firstName: text('first_name'), lastName: text('last_name'), isOwn: true } });
  showMessage(message, '');
  form.reset();
  // The form that had the focus has disappeared.
  byId('joined', HTMLElement).focus();
  suggestLink(
    'This is your page. Now follow your link as a new visitor, and sign up. If you use your own email, the merchant sees a self-referral.',
  );
  refreshFrames();
}

// The element of gr.js follows this script, so that the page sees whether it loads and which click it sends.
watchTracking();
openShop();
openJoining();
showArrival();
byId('start-over', HTMLButtonElement).addEventListener('click', () => {
  forgetVisitor();
  location.assign(linkOf(state.advocate));
});
