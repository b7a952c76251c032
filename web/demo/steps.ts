import { ADVOCATE } from './advocate.ts';
import { byId, make, TIME_OF_DAY } from './dom.ts';
import type { State } from './service.ts';

/** The result of a step. */
export interface Outcome {
  readonly text: string;
  /** The referral's new state; without one the step is shown as refused. */
  readonly state?: State;
  /** The API call behind the step, if it is not the one that the step began with. */
  readonly call?: string;
}

/** The suggested next step for a referral in each state. */
export const NEXT: Readonly<Record<State, string>> = {
  clicked: `${ADVOCATE.firstName} sees the click. Now choose a plan and sign up.`,
  converted: `${ADVOCATE.firstName} has a new customer. Now simulate the first payment.`,
  paid: 'Now simulate the cancellation, or start over as a new visitor.',
  churned: 'You have seen every step. Simulate another payment, or start over as a new visitor.',
  rejected: 'The merchant rejected this referral. Start over as a new visitor.',
};

const list = byId('steps', HTMLOListElement);
const hint = byId('hint', HTMLElement);

/** Adds a step, waiting unless its outcome is known. Returns the function that shows its outcome. */
export function addStep(title: string, call: string, known?: Outcome): (outcome: Outcome) => void {
  const badge = make('span', 'badge waiting', 'waiting …');
  const code = make('code', '', call);
  const time = make('time', '', TIME_OF_DAY.format(new Date()));
  list.append(
    make(
      'li',
      '',
      make('p', '', make('span', 'step-title', title), ' ', make('span', 'arrow', '→'), ' ', badge),
      make('p', 'call', code, ' · ', time),
    ),
  );
  list.scrollTop = list.scrollHeight;
  const settle = (outcome: Outcome) => {
    badge.className = `badge ${outcome.state ?? 'refused'}`;
    badge.textContent = outcome.text;
    code.textContent = outcome.call ?? call;
    time.textContent = TIME_OF_DAY.format(new Date());
  };
  if (known) settle(known);
  return settle;
}

/** Describes a call that failed. Status 0 means that there was no response. */
export function failure(call: string, status: number): Outcome {
  return status > 0 ? { text: 'refused', call: `${call} → ${status}` } : { text: 'no response' };
}

/** Shows what the visitor can do next. */
export function suggest(text: string): void {
  hint.textContent = text;
}

/** Shows what the visitor can do next, followed by a link to the demo that refers the visitor to the advocate. */
export function suggestLink(text: string): void {
  const link = make('a', '', `Follow ${ADVOCATE.firstName}’s link`);
  link.href = ADVOCATE.link;
  hint.replaceChildren(`${text} `, link);
}
