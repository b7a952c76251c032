import { advocate, fullName } from './advocate.ts';
import { byId, showMessage } from './dom.ts';
import type { Referral } from './referral.ts';
import { addStep, nextStep, type Outcome, suggest, suggestLink } from './steps.ts';
import { hasBegun, isCustomer, openSubscription, reopenSubscription } from './subscription.ts';
import { type ClickResult, getVisitor, scriptEnd, sentClick, type Visitor } from './tracking.ts';

const CLICK = 'POST /v2/tracking/click';
const NO_SCRIPT =
  'The tracking script did not load: your browser may block it. You can sign up, but nobody earns a commission. To see every step, allow /gr.js on this page and reload it.';
const PRIVACY =
  'Your browser asks sites not to track you (Global Privacy Control), and the tracking script complies. You can sign up without a referral.';
const NOBODY = 'No advocate has this link, so nobody earns a commission. Sign up, or see every step here:';
const NO_REFERRAL = 'This customer has no referral, so nobody earns a commission.';
const ALREADY_CUSTOMER =
  'You are already a customer, so a link changes nothing. Start over as a new visitor to see every step.';
const OTHER_ADVOCATE = 'Another advocate referred you, so this dashboard does not show you. See every step here:';

const CLICKS: Readonly<Record<ClickResult, Outcome & { hint: () => string }>> = {
  recorded: { text: 'click recorded', state: 'clicked', hint: () => nextStep('clicked') },
  ignored: {
    text: 'click ignored',
    hint: () => `The service classified this browser as a bot and ignored the click. ${stillReferred()}`,
  },
  unknown: {
    text: 'no advocate has this link',
    hint: () =>
      visitor ? `No advocate has this link. ${isReferredHere(visitor) ? stillReferred() : OTHER_ADVOCATE}` : NOBODY,
  },
  failed: {
    text: 'click not recorded',
    hint: () =>
      `The click did not reach the service. The tracking script sends it again on the next page. ${stillReferred()}`,
  },
};

const referredBy = byId('referred-by', HTMLElement);

/** The visitor that the tracking script reported: undefined until then, null for a visitor who was not referred. */
let visitor: Visitor | null | undefined;
/** True if this page has sent the click of the visitor's referral. */
let isClickOfPage = false;
/** True once the result of the click is shown. After that, a list can only reveal that the visitor is a customer. */
let isShown = false;

/** The customer whom the shop remembers. It does so without the tracking script, which a browser may block. */
const customer = reopenSubscription();
if (customer) {
  const { email, state } = customer;
  addStep(`Came back as ${email}`, 'Remembered by the shop', { text: state, state });
}

// The script reports the visitor before its element's `load` event, unless another file was served in its place.
void scriptEnd.then(() => {
  if (visitor === undefined && !document.prerendering) suggest(NO_SCRIPT);
});

/** Greets the visitor that the tracking script reports, and shows the result of the click that it sent. */
export function welcome(found: Visitor | null): void {
  greet(found);
  if (!found) {
    if (customer) suggestLink(NO_REFERRAL);
    else if (navigator.globalPrivacyControl) suggest(PRIVACY);
    else suggestLink('You arrived without an advocate’s link, so nobody earns a commission.');
    return;
  }
  if (sentClick !== undefined) {
    isClickOfPage = true;
    const settle = addStep(titleOf(found), CLICK);
    const waiting =
      'The tracking script has set its cookie and sent the click. Waiting for the response of the service …';
    suggest(customer ? ALREADY_CUSTOMER : waiting);
    void sentClick.then((result) => showClick(result, settle));
  } else if (isReferredHere(found)) {
    const waiting = `You followed ${advocate.firstName}’s link before. Looking for you in the list …`;
    suggest(customer ? nextStep(customer.state) : waiting);
  } else {
    addStep(titleOf(found), 'Cookie gr_id', { text: 'remembered', state: 'clicked' });
    suggestLink(OTHER_ADVOCATE);
  }
}

function greet(found: Visitor | null): void {
  visitor = found;
  const name = found && isReferredHere(found) ? fullName() : found?.slug;
  referredBy.textContent = name === undefined ? '' : `Recommended by ${name}`;
}

/** Finds the visitor's own referral. If the click was lost, the referral has another id and is found by its email. */
export function ownReferral(referrals: readonly Referral[]): Referral | undefined {
  return referrals.find(({ id, email }) => id === visitor?.clickId || isCustomer(email));
}

/**
 * Shows what the advocate's list contains about the visit. If this page sent the click, only the response to the click
 * counts, however late it is: the list may be older than the click.
 */
export function showVisit(referrals: readonly Referral[]): void {
  if (!visitor || !isReferredHere(visitor) || hasBegun()) return;
  const referral = ownReferral(referrals);
  if (referral?.email && referral.state !== 'clicked') {
    const { email, state } = referral;
    isShown = true;
    openSubscription(email, '', state);
    // Clears the message of a failed sign-up: its response was lost, but the list shows that it succeeded.
    showMessage(byId('sign-up-message', HTMLElement), '');
    // After a click of this page, the visitor signed up in another way, for example by a checkout at Stripe.
    const title = isClickOfPage ? `Became the customer ${email}` : `Came back as ${email}`;
    addStep(title, 'Found by the click id in the cookie gr_id', { text: state, state });
    suggest(nextStep(state));
  } else if (!isShown && sentClick === undefined) {
    isShown = true;
    if (referral) {
      const { state } = referral;
      addStep(titleOf(visitor), CLICK, { text: state === 'clicked' ? 'click recorded' : state, state });
      suggest(nextStep(state));
    } else {
      addStep(titleOf(visitor), 'GET /v1/affiliate/referrals?state_eq=clicked', { text: 'not in the list' });
      suggest(`Your click is not in ${advocate.firstName}’s list. ${stillReferred()}`);
    }
  }
}

function showClick(result: ClickResult, settle: (outcome: Outcome) => void): void {
  settle(CLICKS[result]);
  if (result === 'unknown') {
    isClickOfPage = false;
    // The link has not replaced an advocate whose link the visitor followed before.
    getVisitor(greet);
  }
  // A visitor who has signed up since then sees the next step instead.
  if (isShown || hasBegun()) return;
  isShown = true;
  const hint = CLICKS[result].hint();
  if (visitor && isReferredHere(visitor)) suggest(hint);
  else suggestLink(result === 'unknown' ? hint : OTHER_ADVOCATE);
}

function stillReferred(): string {
  const { firstName } = advocate;
  return `The cookie still names ${firstName} as your advocate: sign up, and ${firstName} earns the commission.`;
}

function isReferredHere({ slug }: Visitor): boolean {
  return slug === advocate.slug;
}

function titleOf(found: Visitor): string {
  return `Followed ${isReferredHere(found) ? advocate.firstName : found.slug}’s link`;
}
