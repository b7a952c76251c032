import { advocate } from './advocate.ts';
import { byId, showMessage } from './dom.ts';
import { proposeCustomer } from './merchant.ts';
import type { Referral, State } from './referral.ts';
import { report } from './service.ts';
import { addStep, failure, nextStep, suggest } from './steps.ts';

/** An event of the payment provider that a button simulates. */
interface Simulation {
  readonly action: 'payment' | 'cancellation';
  /** The states in which the event is possible. */
  readonly from: readonly State[];
  readonly to: State;
  readonly title: string;
  readonly done: string;
}

const CALL = 'POST /v2/tracking/state';
const SIMULATIONS: readonly Simulation[] = [
  {
    action: 'payment',
    from: ['converted', 'churned'],
    to: 'paid',
    title: 'Paid for a month',
    done: 'The month is paid. Your next bag leaves the roastery on Monday.',
  },
  {
    action: 'cancellation',
    from: ['converted', 'paid'],
    to: 'churned',
    title: 'Canceled the subscription',
    done: 'Your subscription is canceled. Come back any time: a new payment resumes it.',
  },
];
/** The subscription's status in the shop for each state of the referral. */
const STATUS: Readonly<Record<State, string>> = {
  clicked: 'Not signed up',
  converted: 'Signed up, not paid yet',
  paid: 'Paid',
  churned: 'Canceled',
  rejected: 'Referral rejected by the merchant',
};

const message = byId('account-message', HTMLElement);

/** True while a report is pending. */
let isBusy = false;
/** The email of the last sign-up; empty before it. */
let customer = '';
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

/** Shows the subscription of a customer. The plan is empty after a reload: the advocate's list does not contain it. */
export function openSubscription(email: string, plan: string, current: State): void {
  customer = email;
  byId('account-email', HTMLElement).textContent = email;
  byId('account-plan', HTMLElement).textContent = plan;
  byId('account', HTMLElement).hidden = false;
  proposeCustomer(email);
  showMessage(message, '');
  setState(current);
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

async function simulate({ action, to, title, done }: Simulation): Promise<void> {
  const settle = addStep(title, CALL);
  showMessage(message, 'One moment …');
  const { status, problem } = await report(action, { email: customer });
  if (problem === null) {
    setState(to);
    showMessage(message, done);
    settle({ text: to, state: to, call: `${CALL} → 200` });
    suggest(nextStep(to));
  } else if (status === 404) {
    // The shop accepts the payment; without a referral it has nothing to report.
    setState(to);
    showMessage(message, `${done} No advocate referred this customer.`);
    settle({ text: 'no referral', call: `${CALL} → 404` });
  } else {
    showMessage(message, problem, true);
    settle(failure(CALL, status));
  }
}
