import { safely } from '../safely.ts';
import { advocate } from './advocate.ts';
import { byId, showMessage } from './dom.ts';
import { fieldOf, textOf } from './fields.ts';
import { proposeCustomer } from './merchant.ts';
import { parseState, type Referral, type State } from './referral.ts';
import { report } from './service.ts';
import { addStep, failure, nextStep, type Outcome, suggest } from './steps.ts';

/** What a button simulates. */
interface Simulation {
  readonly action: 'payment' | 'cancellation';
  /** The event that Stripe sends. */
  readonly event: string;
  /** The states in which the event is possible. */
  readonly from: readonly State[];
  readonly to: State;
  readonly title: string;
  readonly done: string;
}

const SIMULATIONS: readonly Simulation[] = [
  {
    action: 'payment',
    event: 'invoice.paid',
    from: ['converted', 'churned'],
    to: 'paid',
    title: 'Paid for a month',
    done: 'The month is paid. Your next bag leaves the roastery on Monday.',
  },
  {
    action: 'cancellation',
    event: 'customer.subscription.deleted',
    from: ['converted', 'paid'],
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
  ['stale', { text: 'ignored', reason: 'The service has already applied a later event.' }],
]);
/** The subscription's status in the shop for each state of the referral. */
const STATUS: Readonly<Record<State, string>> = {
  clicked: 'Not signed up',
  converted: 'Signed up, not paid yet',
  paid: 'Paid',
  churned: 'Canceled',
  rejected: 'Referral rejected by the merchant',
};

/** Where the page keeps the customer over a reload. A real shop has a session on its server. */
const STORED = 'customer';

const form = byId('sign-up', HTMLFormElement);
const title = byId('plans-title', HTMLElement);
const message = byId('account-message', HTMLElement);

/** True while a report is pending. */
let isBusy = false;
/** The email of the last sign-up; empty before it. */
let customer = '';
/** Empty if it is not known. */
let plan = '';
/** The state of the subscription, with or without a referral. */
let state: State = 'converted';
/** When this page last changed the state, in milliseconds of `performance.now()`. */
let changedAt = 0;

/** Activates the buttons of the subscription. `onChange` is called after each response. */
export function openAccount(onChange: () => Promise<void>): void {
  for (const simulation of SIMULATIONS) {
    buttonOf(simulation).addEventListener('click', () => {
      // The button only looks disabled: a disabled one would lose the focus at each request.
      if (isPossible(simulation)) void once(() => simulate(simulation)).then(onChange);
    });
  }
}

/** Runs `work` unless a report is pending, so that a double click counts once. */
export async function once(work: () => Promise<void>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  render();
  try {
    await work();
  } finally {
    isBusy = false;
    render();
  }
}

/** True from the beginning of the first sign-up. */
export function hasBegun(): boolean {
  return isBusy || customer !== '';
}

/** True for the email of the last sign-up. */
export function isCustomer(email: string | null): boolean {
  return email !== null && email === customer;
}

/** Shows the subscription of a customer in place of the form. The plan is empty if only the advocate's list is known. */
export function openSubscription(email: string, chosen: string, current: State, text = ''): void {
  const hadFocus = form.contains(document.activeElement);
  customer = email;
  plan = chosen;
  byId('account-email', HTMLElement).textContent = email;
  title.textContent = plan ? `Your ${plan} subscription` : 'Your subscription';
  form.hidden = true;
  byId('account', HTMLElement).hidden = false;
  // What had the focus has disappeared.
  if (hadFocus) title.focus();
  proposeCustomer(email);
  showMessage(message, text);
  setState(current);
}

/** Shows the subscription of the customer who has signed up in this tab before. Returns its state; `undefined` if none. */
export function reopenSubscription(): { readonly email: string; readonly state: State } | undefined {
  let stored: unknown;
  safely(() => {
    stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
  });
  const [email, current] = [textOf(fieldOf(stored, 'email')), parseState(fieldOf(stored, 'state'))];
  if (email === null || !current) return undefined;
  openSubscription(email, textOf(fieldOf(stored, 'plan')) ?? '', current);
  return { email, state: current };
}

/**
 * Adopts a state that was set elsewhere, for example in another tab or on the command line. If the request for the list
 * began (`readAt`, as `changedAt`) before this page last changed the state, the list is out of date and ignored.
 */
export function adoptState(referral: Referral | undefined, readAt: number): void {
  if (!referral || !isCustomer(referral.email) || isBusy || readAt < changedAt || referral.state === state) return;
  setState(referral.state);
  addStep(`${advocate.firstName}’s list shows a change`, 'GET /v1/affiliate/referrals', { text: state, state });
  showMessage(message, '');
  suggest(nextStep(state));
}

function setState(current: State): void {
  state = current;
  changedAt = performance.now();
  safely(() => sessionStorage.setItem(STORED, JSON.stringify({ email: customer, plan, state })));
  render();
}

/** Shows the state of the subscription and which buttons are available. */
function render(): void {
  byId('submit', HTMLButtonElement).setAttribute('aria-disabled', String(isBusy));
  byId('account-status', HTMLElement).textContent = STATUS[state];
  for (const simulation of SIMULATIONS) {
    buttonOf(simulation).setAttribute('aria-disabled', String(!isPossible(simulation)));
  }
}

function isPossible({ from }: Simulation): boolean {
  return !isBusy && from.includes(state);
}

function buttonOf({ action }: Simulation): HTMLButtonElement {
  return byId(action, HTMLButtonElement);
}

async function simulate({ action, event, to, title, done }: Simulation): Promise<void> {
  const call = `Stripe: ${event}`;
  const settle = addStep(title, call);
  showMessage(message, 'One moment …');
  const { status, problem, json } = await report(action, { email: customer });
  if (problem !== null) {
    showMessage(message, problem, true);
    settle(failure(call, status));
    return;
  }
  const responded = `${call} → ${status}`;
  const ignored = textOf(fieldOf(json, 'ignored'));
  if (ignored === null) {
    setState(to);
    showMessage(message, done);
    settle({ text: to, state: to, call: responded });
    suggest(nextStep(to));
    return;
  }
  const { reason, ...outcome } = IGNORED.get(ignored) ?? { text: 'ignored', reason: `Its reason: ${ignored}.` };
  settle({ ...outcome, call: responded });
  // The shop accepts the payment of a customer without a referral.
  const isAccepted = ignored === 'unknown_customer';
  if (isAccepted) setState(to);
  showMessage(message, isAccepted ? `${done} ${reason}` : `The service ignored Stripe’s event. ${reason}`, !isAccepted);
}
