import { byId } from './dom.ts';
import { linkTo, NEXT, NO_REFERRAL } from './hints.ts';
import { type Action, Problem, tell } from './service.ts';
import type { State } from './states.ts';
import { type Event, happened, suggest } from './story.ts';
import { askVisitor } from './visitor.ts';

/** What a button of the subscription plays. */
interface Play {
  readonly action: Action;
  readonly what: string;
  readonly done: string;
}

type Refusals = Readonly<Record<number, string>>;

const CONVERSION = 'POST /v2/tracking/conversion';
const STATE = 'POST /v2/tracking/state';
const PAYMENT: Play = {
  action: 'payment',
  what: 'Paid the first month',
  done: 'The first month is paid. Your first bag leaves the roastery on Monday.',
};
const CANCELLATION: Play = {
  action: 'cancellation',
  what: 'Cancelled the subscription',
  done: 'Your subscription is cancelled. Come back any time: a new payment takes it up again.',
};
/** What went wrong, in the shop's words; everything else is told in the service's own. */
const SIGN_UP_REFUSALS: Refusals = {
  409: 'This e-mail is already a customer, and whoever brought it first keeps it. Try another one.',
};
const STATE_REFUSALS: Refusals = {
  404: 'No affiliate brought this customer, so there is no referral to change.',
};

const form = byId('sign-up', HTMLFormElement);
const email = byId('email', HTMLInputElement);
const message = byId('sign-up-message', HTMLElement);
const account = byId('account', HTMLElement);
const accountEmail = byId('account-email', HTMLElement);
const accountPlan = byId('account-plan', HTMLElement);
const accountMessage = byId('account-message', HTMLElement);

/** The customer of the last sign-up: the buttons act on it. */
let customer = '';
/** One thing at a time, however often a button is pressed. */
let isBusy = false;

/** Makes the form and the buttons work. `link` is the affiliate's; `changed` is called after each answer. */
export function openShop(link: string, changed: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    askVisitor((visitor) => {
      byId('gr-id', HTMLInputElement).value = visitor ? visitor.grId : '';
    });
    void once(() => signUp(link, changed));
  });
  for (const play of [PAYMENT, CANCELLATION]) {
    byId(play.action, HTMLButtonElement).addEventListener('click', () => {
      void once(() => perform(play, changed));
    });
  }
}

/** False from the beginning of a sign-up: what the list then shows of the visitor is told by its answer. */
export function mayReopen(): boolean {
  return !isBusy && customer === '';
}

/** True for the e-mail of the last sign-up. */
export function isCustomer(known: string | null): boolean {
  return known !== null && known === customer;
}

/** Goes on with a subscription that was begun before the page was loaded again. The list does not know its plan. */
export function reopen(known: string, state: State): void {
  show(known, '');
  const call = 'Found by the click id in the cookie gr_id';
  happened({ what: `Came back as ${known}`, outcome: state, state, call });
  suggest(NEXT[state]);
}

function show(known: string, plan: string): void {
  customer = known;
  accountEmail.textContent = known;
  accountPlan.textContent = plan;
  account.hidden = false;
}

async function once(work: () => Promise<void>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  await work();
  isBusy = false;
}

async function signUp(link: string, changed: () => void): Promise<void> {
  const fields = new FormData(form);
  const textOf = (name: string) => String(fields.get(name) ?? '').trim();
  const said = { email: textOf('email'), gr_id: textOf('gr_id') };
  const what = `Signed up as ${said.email}`;
  try {
    say(message, 'One moment …');
    const state = await tell('sign-up', said);
    show(said.email, textOf('plan'));
    say(message, 'Welcome to Northwind! Your subscription is below.');
    say(accountMessage, '');
    form.reset();
    if (state) {
      happened({ what, outcome: state, state, call: `${CONVERSION} → 201` });
      suggest(NEXT[state]);
    } else {
      happened({ what, state, ...unattributed(said.gr_id) });
      suggest(NO_REFERRAL, linkTo(link));
    }
  } catch (error) {
    email.focus();
    fail(error, message, SIGN_UP_REFUSALS, what, CONVERSION);
  }
  changed();
}

/** Why a customer has no referral: one whom a link brought has none only where nobody has the link's slug. */
function unattributed(grId: string): Pick<Event, 'outcome' | 'call'> {
  return grId === ''
    ? { outcome: 'nobody brought you', call: 'nothing to report' }
    : { outcome: 'no affiliate has this link', call: `${CONVERSION} → 400, and the shop goes on without` };
}

async function perform({ action, what, done }: Play, changed: () => void): Promise<void> {
  try {
    say(accountMessage, 'One moment …');
    const state = await tell(action, { email: customer });
    say(accountMessage, done);
    happened({ what, outcome: state ?? '', state, call: `${STATE} → 200` });
    if (state) suggest(NEXT[state]);
  } catch (error) {
    fail(error, accountMessage, STATE_REFUSALS, what, STATE);
  }
  changed();
}

/** Says something where the person looks, or is then made to look. */
function say(place: HTMLElement, text: string): void {
  place.classList.remove('problem');
  place.textContent = text;
  place.scrollIntoView({ block: 'nearest' });
}

/** Tells the person and the story what went wrong. */
function fail(error: unknown, place: HTMLElement, refusals: Refusals, what: string, call: string): void {
  const { status, message: sentence } = error instanceof Problem ? error : new Problem(0, String(error));
  say(place, refusals[status] ?? sentence);
  place.classList.add('problem');
  const answered = status > 0;
  happened({
    what,
    outcome: answered ? 'refused' : 'no answer',
    state: null,
    call: answered ? `${call} → ${status}` : call,
  });
}
