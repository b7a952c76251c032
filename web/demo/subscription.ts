import { ADVOCATE } from './advocate.ts';
import { byId } from './dom.ts';
import { NEXT } from './hints.ts';
import { isUnderWay, once, say, sayProblem, watchRequests } from './requests.ts';
import { type Action, problemOf, type Referral, report } from './service.ts';
import type { State } from './states.ts';
import { addStep, beginStep, suggest } from './steps.ts';

/** The events that the buttons of the subscription simulate. */
interface Simulation {
  readonly action: Action;
  /** States in which it is possible. */
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
    title: 'Cancelled the subscription',
    done: 'Your subscription is cancelled. Come back any time: a new payment resumes it.',
  },
];
/** The shop's name for each state. */
const STATUS: Readonly<Record<State, string>> = {
  clicked: 'Not signed up',
  converted: 'Signed up, not paid yet',
  paid: 'Paid',
  churned: 'Cancelled',
  rejected: 'Referral rejected by the merchant',
};

const account = byId('account', HTMLElement);
const status = byId('account-status', HTMLElement);
const message = byId('account-message', HTMLElement);

/** The customer of the last sign-up; empty before it. */
let customer = '';
/** The state of the subscription, whether it has a referral or not. */
let state: State = 'converted';
/** When the state was last changed here, in milliseconds of `performance.now()`. */
let changedAt = 0;

/** Makes the buttons work. `onChange` is called after each response. */
export function openAccount(onChange: () => void): void {
  watchRequests(render);
  for (const simulation of SIMULATIONS) {
    buttonOf(simulation).addEventListener('click', () => {
      // It looks disabled, but keeps the focus: a disabled button would lose it at each request.
      if (!isPossible(simulation)) return;
      void once(() => simulate(simulation)).then(onChange);
    });
  }
}

/** True from the beginning of the first sign-up on. */
export function hasBegun(): boolean {
  return isUnderWay() || customer !== '';
}

/** True for the email of the last sign-up. */
export function isCustomer(email: string | null): boolean {
  return email !== null && email === customer;
}

/** Shows the subscription of a new customer. */
export function openSubscription(email: string, plan: string): void {
  show(email, plan, 'converted');
  say(message, '');
}

/** Continues a subscription that began before the page was loaded. The list does not contain its plan. */
export function reopen(email: string, current: State): void {
  show(email, '', current);
  // Whatever it says, for example that a sign-up had no response: the referral is there.
  say(byId('sign-up-message', HTMLElement), '');
  addStep(`Came back as ${email}`, {
    text: current,
    state: current,
    call: 'Found by the click id in the cookie gr_id',
  });
  suggest(NEXT[current]);
}

/**
 * Adopts a state that was set elsewhere, for example in another tab or at the command line. `readAt` is when the
 * reading of the list began: a list that was read before a change made here is out of date.
 */
export function adoptState(referral: Referral | undefined, readAt: number): void {
  if (!referral || !isCustomer(referral.email) || isUnderWay() || readAt < changedAt) return;
  if (referral.state === state) return;
  setState(referral.state);
  addStep(`${ADVOCATE.firstName}’s list shows a change`, {
    text: state,
    state,
    call: 'GET /v1/affiliate/referrals',
  });
  say(message, '');
  suggest(NEXT[state]);
}

function show(email: string, plan: string, current: State): void {
  customer = email;
  byId('account-email', HTMLElement).textContent = email;
  byId('account-plan', HTMLElement).textContent = plan;
  account.hidden = false;
  setState(current);
}

function setState(current: State): void {
  state = current;
  changedAt = performance.now();
  render();
}

/** Shows the state of the subscription, and which buttons can be pressed. */
function render(): void {
  status.textContent = STATUS[state];
  for (const simulation of SIMULATIONS) {
    buttonOf(simulation).setAttribute('aria-disabled', String(!isPossible(simulation)));
  }
}

function isPossible({ from }: Simulation): boolean {
  return !isUnderWay() && from.includes(state);
}

function buttonOf({ action }: Simulation): HTMLButtonElement {
  return byId(action, HTMLButtonElement);
}

async function simulate({ action, to, title, done }: Simulation): Promise<void> {
  const settle = beginStep(title, CALL);
  say(message, 'One moment …');
  try {
    const result = await report(action, { email: customer });
    setState(result.state ?? to);
    say(message, done);
    settle({ text: state, state, call: `${CALL} → 200` });
    suggest(NEXT[state]);
  } catch (error) {
    const { status: code, message: sentence } = problemOf(error);
    if (code === 404) {
      // The shop takes the payment; it has nothing to report.
      setState(to);
      say(message, `${done} No advocate referred this customer.`);
      settle({ text: 'no referral', state: null, call: `${CALL} → 404` });
    } else {
      sayProblem(message, sentence);
      settle({
        text: code > 0 ? 'refused' : 'no response',
        state: null,
        call: code > 0 ? `${CALL} → ${code}` : CALL,
      });
    }
  }
}
