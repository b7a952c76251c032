import { byId, make } from './dom.ts';
import { type CustomerState, forgetVisitor, isReferredHere, linkOf, state } from './state.ts';

export interface Outcome {
  readonly text: string;
  /** The referral's state, or `done` for other results; without it the step is shown as refused. */
  readonly state?: 'clicked' | CustomerState | 'done';
  /** The API call behind the step, if it is not the call with which the step started. */
  readonly call?: string;
}

const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const list = byId('steps', HTMLOListElement);
const log = byId('log', HTMLElement);
const hint = byId('hint', HTMLElement);
// The keyboard can scroll what it can focus.
log.tabIndex = 0;

/** Adds a step, waiting unless its outcome is known. Returns the function that shows its outcome. */
export function addStep(title: string, call: string, known?: Outcome): (outcome: Outcome) => void {
  const badge = make('span', 'badge waiting', 'waiting …');
  const code = make('code', '', call);
  const time = make('time', '', TIME_OF_DAY.format(new Date()));
  list.append(
    make(
      'li',
      '',
      make('p', '', make('span', 'step-title', title), ' ', make('span', 'result', '→ ', badge)),
      make('p', 'call', code, ' ', time),
    ),
  );
  log.scrollTop = log.scrollHeight;
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

export function nextStep(reached: 'clicked' | CustomerState): string {
  const firstName = isReferredHere() ? state.advocate.firstName : 'The other advocate';
  switch (reached) {
    case 'clicked':
      return `${firstName} sees the click. Now choose a plan and sign up.`;
    case 'converted':
      return `${firstName} has a new customer. Now simulate the first payment.`;
    case 'paid':
      return `${firstName} has earned a commission. Now simulate the cancellation, or the payment of the next month.`;
    case 'churned':
      return 'The merchant sees the cancellation. Now start over as a new visitor, or become an advocate.';
  }
}

export function suggest(text: string, ...link: HTMLAnchorElement[]): void {
  hint.replaceChildren(`${text} `, ...link);
}

/** Shows what the visitor can do next, followed by a link with which the advocate refers a new visitor. */
export function suggestLink(text: string): void {
  const link = make('a', '', `Follow ${state.advocate.firstName}’s link`);
  link.href = linkOf(state.advocate);
  link.addEventListener('click', forgetVisitor);
  suggest(text, link);
}
