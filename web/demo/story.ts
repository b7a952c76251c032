import { byId, make, TIME_OF_DAY } from './dom.ts';
import type { State } from './states.ts';

/** Something that happened, and what the service answered. */
export interface Event {
  readonly what: string;
  readonly outcome: string;
  /** Where the service took part with success. */
  readonly state: State | null;
  /** The call of the service that stands behind it. */
  readonly call: string;
}

const list = byId('story', HTMLOListElement);
const hint = byId('hint', HTMLElement);

/** Adds a line to what just happened. */
export function happened({ what, outcome, state, call }: Event): void {
  const badge = make('span', state ? `badge ${state}` : 'badge refused', outcome);
  const now = new Date();
  const time = make('time', '', TIME_OF_DAY.format(now));
  time.dateTime = now.toISOString();
  const line = make(
    'li',
    '',
    make('p', '', make('span', 'what', what), ' ', make('span', 'arrow', '→'), ' ', badge),
    make('p', 'call', make('code', '', call), ' · ', time),
  );
  list.append(line);
  list.scrollTop = list.scrollHeight;
}

/** Says what to do next. */
export function suggest(...next: (Node | string)[]): void {
  hint.replaceChildren(...next);
}
