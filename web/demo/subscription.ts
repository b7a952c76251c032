import { byId } from './dom.ts';
import { type Action, Problem, tell } from './service.ts';
import { happened, suggest } from './story.ts';
import { askVisitor } from './visitor.ts';

/** What a button of the subscription plays. */
interface Play {
  readonly action: Action;
  readonly what: string;
  readonly done: string;
  readonly next: string;
}

type Refusals = Readonly<Record<number, string>>;

const CONVERSION = 'POST /v2/tracking/conversion';
const STATE = 'POST /v2/tracking/state';
const PAYMENT: Play = {
  action: 'payment',
  what: 'Paid the first month',
  done: 'The first month is paid. Your first bag leaves the roastery on Monday.',
  next: 'Now play the cancellation, or start again as someone new.',
};
const CANCELLATION: Play = {
  action: 'cancellation',
  what: 'Cancelled the subscription',
  done: 'Your subscription is cancelled. Come back any time: a new payment takes it up again.',
  next: 'That is the whole story. Play another payment, or start again as someone new.',
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

/** Makes the form and the buttons work. `changed` is called after each answer. */
export function openShop(changed: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    askVisitor((visitor) => {
      byId('gr-id', HTMLInputElement).value = visitor ? visitor.grId : '';
    });
    void once(() => signUp(changed));
  });
  for (const play of [PAYMENT, CANCELLATION]) {
    byId(play.action, HTMLButtonElement).addEventListener('click', () => {
      void once(() => perform(play, changed));
    });
  }
}

async function once(work: () => Promise<void>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  await work();
  isBusy = false;
}

async function signUp(changed: () => void): Promise<void> {
  const fields = new FormData(form);
  const textOf = (name: string) => String(fields.get(name) ?? '').trim();
  const said = { email: textOf('email'), gr_id: textOf('gr_id') };
  const what = `Signed up as ${said.email}`;
  try {
    say(message, 'One moment …');
    const state = await tell('sign-up', said);
    customer = said.email;
    accountEmail.textContent = customer;
    accountPlan.textContent = textOf('plan');
    account.hidden = false;
    say(message, 'Welcome to Northwind! Your subscription is below.');
    say(accountMessage, '');
    form.reset();
    if (state) {
      happened({ what, outcome: state, state, call: `${CONVERSION} → 201` });
      suggest('The affiliate has earned a customer. Now play the first payment.');
    } else {
      happened({ what, outcome: 'nobody brought you', state, call: 'nothing to report' });
    }
  } catch (error) {
    email.focus();
    fail(error, message, SIGN_UP_REFUSALS, what, CONVERSION);
  }
  changed();
}

async function perform({ action, what, done, next }: Play, changed: () => void): Promise<void> {
  try {
    say(accountMessage, 'One moment …');
    const state = await tell(action, { email: customer });
    say(accountMessage, done);
    happened({ what, outcome: state ?? '', state, call: `${STATE} → 200` });
    suggest(next);
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
