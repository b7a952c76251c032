import { addStep, failure, nextStep, type Outcome, suggest, suggestLink } from './activity.ts';
import { byId, fieldOf, refreshFrames, report, showMessage, textOf } from './dom.ts';
import {
  type Customer,
  type CustomerState,
  isReferredHere,
  once,
  readVisitor,
  state,
  update,
  whenever,
} from './state.ts';

const CONVERSION = 'POST /v2/tracking/conversion';
const OF_OTHER_ADVOCATE = 'Another advocate has a new customer. Now simulate the first payment.';
const OF_CODE = 'The advocate of this code has a new customer. Now simulate the first payment.';
const NO_REFERRAL = 'This customer has no referral, so nobody earns a commission.';
const TAKEN = 'This email already belongs to a customer, whose first advocate keeps the referral. Try another email.';
const NOT_REPORTED =
  'The shop could not report the sign-up. It signed the customer up regardless; a real shop would log the failure and report it again later.';

interface Simulation {
  readonly action: 'payment' | 'cancellation';
  readonly event: string;
  readonly to: CustomerState;
  readonly title: string;
  readonly done: string;
}

const SIMULATIONS: readonly Simulation[] = [
  {
    action: 'payment',
    event: 'invoice.paid',
    to: 'paid',
    title: 'Paid for a month',
    done: 'The month is paid. Your next bag leaves the roastery on Monday.',
  },
  {
    action: 'cancellation',
    event: 'customer.subscription.deleted',
    to: 'churned',
    title: 'Canceled the subscription',
    done: 'Your subscription is canceled. Come back any time: a new payment resumes it.',
  },
];
/** Why the service ignores an event of Stripe, in words. The service knows more reasons, which do not occur here. */
const IGNORED: ReadonlyMap<string, Outcome & { readonly reason: string }> = new Map([
  ['unknown_customer', { text: 'no referral', reason: 'No advocate referred this customer.' }],
  [
    'refused_transition',
    { text: 'refused', reason: 'The merchant rejected this referral, and Stripe cannot restore it.' },
  ],
]);
const STATUS: Readonly<Record<CustomerState, string>> = {
  converted: 'Signed up, not paid yet',
  paid: 'Paid',
  churned: 'Canceled',
};

const form = byId('sign-up', HTMLFormElement);
const title = byId('plans-title', HTMLElement);
const signUpMessage = byId('sign-up-message', HTMLElement);
const accountMessage = byId('account-message', HTMLElement);

/** The last attempt without a confirmed result. It is repeated with the same idempotency key, so it counts once. */
let attempt = { email: '', gr_id: '', code: '', attempt: '' };

export function openShop(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    readVisitor();
    void once(signUp).then(refreshFrames);
  });
  for (const simulation of SIMULATIONS) {
    buttonOf(simulation).addEventListener('click', () => {
      const { customer } = state;
      // The button only looks disabled: a disabled one would lose the focus at each request.
      if (customer && isPossible(simulation)) void once(() => simulate(simulation, customer)).then(refreshFrames);
    });
  }
  whenever(render);
}

function render(): void {
  const { customer, isBusy } = state;
  const hadFocus = form.contains(document.activeElement);
  byId('submit', HTMLButtonElement).setAttribute('aria-disabled', String(isBusy));
  form.hidden = customer !== undefined;
  byId('account', HTMLElement).hidden = customer === undefined;
  if (!customer) return;
  title.textContent = `Your ${customer.plan} subscription`;
  byId('account-email', HTMLElement).textContent = customer.email;
  byId('account-status', HTMLElement).textContent = STATUS[customer.state];
  for (const simulation of SIMULATIONS) {
    buttonOf(simulation).setAttribute('aria-disabled', String(!isPossible(simulation)));
  }
  // What had the focus has disappeared.
  if (hadFocus) title.focus();
}

/** Returns what the form sends: a repetition sends the same key. */
function nextAttempt(fields: FormData): typeof attempt {
  const [email = '', code = ''] = ['email', 'code'].map((name) => String(fields.get(name)).trim());
  const gr_id = state.visitor?.grId ?? '';
  const isRepeated = email === attempt.email && gr_id === attempt.gr_id && code === attempt.code;
  return isRepeated ? attempt : { email, gr_id, code, attempt: crypto.randomUUID() };
}

async function signUp(): Promise<void> {
  const fields = new FormData(form);
  attempt = nextAttempt(fields);
  const { email, gr_id } = attempt;
  const settle = addStep(`Signed up as ${email}`, CONVERSION);
  showMessage(signUpMessage, 'One moment …');
  const { status, problem } = await report('sign-up', attempt);
  if (problem !== null) {
    byId('email', HTMLInputElement).focus();
    showMessage(signUpMessage, status === 409 ? TAKEN : problem, true);
    suggest('The sign-up failed. Try again, with another email if this one is taken.');
    settle(failure(CONVERSION, status));
    return;
  }
  showMessage(signUpMessage, '');
  update({ customer: { email, plan: String(fields.get('plan')), state: 'converted' } });
  showMessage(accountMessage, 'Welcome to Northwind!');
  if (status === 202) {
    suggest(NOT_REPORTED);
    settle({ text: 'not reported' });
  } else if (status === 201) {
    settle({ text: 'converted', state: 'converted', call: `${CONVERSION} → 201` });
    suggest(isReferredHere() ? nextStep('converted') : gr_id === '' ? OF_CODE : OF_OTHER_ADVOCATE);
  } else {
    const call = gr_id === '' ? 'nothing to report' : `${CONVERSION} → 400 invalid_affiliate_slug`;
    settle({ text: 'not referred', call });
    suggestLink(NO_REFERRAL);
  }
}

/** A payment can follow a payment: the next month. */
function isPossible({ action }: Simulation): boolean {
  return !state.isBusy && (action === 'payment' || state.customer?.state !== 'churned');
}

function buttonOf({ action }: Simulation): HTMLButtonElement {
  return byId(action, HTMLButtonElement);
}

async function simulate(simulation: Simulation, customer: Customer): Promise<void> {
  const { action, event, to, title, done } = simulation;
  const call = `Stripe: ${event}`;
  const settle = addStep(title, call);
  showMessage(accountMessage, 'One moment …');
  const { status, problem, json } = await report(action, { email: customer.email, plan: customer.plan });
  if (problem !== null) {
    showMessage(accountMessage, problem, true);
    settle(failure(call, status));
    return;
  }
  const responded = `${call} → ${status}`;
  const ignored = textOf(fieldOf(json, 'ignored'));
  if (ignored === null) {
    update({ customer: { ...customer, state: to } });
    showMessage(accountMessage, done);
    settle({ text: to, state: to, call: responded });
    suggest(nextStep(to));
    return;
  }
  const { reason, ...outcome } = IGNORED.get(ignored) ?? { text: 'ignored', reason: `Its reason: ${ignored}.` };
  settle({ ...outcome, call: responded });
  // The shop accepts the payment of a customer without a referral.
  const isAccepted = ignored === 'unknown_customer';
  if (isAccepted) update({ customer: { ...customer, state: to } });
  const text = isAccepted ? `${done} ${reason}` : `The service ignored Stripe’s event. ${reason}`;
  showMessage(accountMessage, text, !isAccepted);
}
