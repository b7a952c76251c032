import { byId, make, TIME_OF_DAY } from './dom.ts';
import type { State } from './states.ts';

/** How a step of the story ended. */
export interface Outcome {
  readonly text: string;
  /** The referral's state if the service did what the step is about, else null. */
  readonly state: State | null;
  /** The API call behind the step. */
  readonly call: string;
}

const list = byId('steps', HTMLOListElement);
const hint = byId('hint', HTMLElement);

/**
 * Adds a step that waits for a response, with the API call that it waits for. Returns the function that shows its
 * outcome.
 */
export function beginStep(title: string, call: string): (outcome: Outcome) => void {
  const badge = make('span', 'badge waiting', 'waiting …');
  const code = make('code', '', call);
  const time = make('time', '');
  const setTime = () => {
    const now = new Date();
    time.textContent = TIME_OF_DAY.format(now);
    time.dateTime = now.toISOString();
  };
  setTime();
  list.append(
    make(
      'li',
      '',
      make('p', '', make('span', 'step-title', title), ' ', make('span', 'arrow', '→'), ' ', badge),
      make('p', 'call', code, ' · ', time),
    ),
  );
  list.scrollTop = list.scrollHeight;
  return (outcome) => {
    badge.className = outcome.state ? `badge ${outcome.state}` : 'badge refused';
    badge.textContent = outcome.text;
    code.textContent = outcome.call;
    setTime();
  };
}

/** Adds a step whose outcome is known. */
export function addStep(title: string, outcome: Outcome): void {
  beginStep(title, outcome.call)(outcome);
}

/** Shows what to do next. */
export function suggest(...next: (Node | string)[]): void {
  hint.replaceChildren(...next);
}
