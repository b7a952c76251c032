import { fieldOf, listOf, numberOf, textOf } from './fields.ts';
import { parseState, type State } from './referral.ts';

/** An entry of a referral's history, in words. */
export interface TimelineEntry {
  readonly text: string;
  /** Who caused it; empty for the visitor. */
  readonly actor: string;
  /** Unix seconds, UTC. */
  readonly setAt: number;
  /** The new state; undefined for a move or an erasure. */
  readonly state: State | undefined;
}

const EVENTS: Readonly<Record<State, string>> = {
  clicked: 'Followed the link',
  converted: 'Signed up',
  paid: 'Paid',
  churned: 'Canceled',
  rejected: 'Rejected',
};
const ACTORS: ReadonlyMap<unknown, string> = new Map([
  ['merchant', 'by the shop'],
  ['page', 'by the shop’s page'],
  ['operator', 'by an operator'],
  ['import', 'by an import'],
  ['stripe', 'by Stripe'],
]);

/** Describes the history that a lookup returns, oldest entry first. `nameOf` returns the name of an advocate. */
export function timelineOf(history: unknown, nameOf: (slug: string) => string): TimelineEntry[] {
  let before: State | undefined;
  return listOf(history).map((entry) => {
    const state = parseState(fieldOf(entry, 'state'));
    const text = eventOf(entry, state, before, nameOf);
    const by = ACTORS.get(fieldOf(entry, 'by')) ?? '';
    // States are reported; only moves and erasures are done.
    const actor = state && by !== '' ? `reported ${by}` : by;
    before = state ?? before;
    return { text, actor, setAt: numberOf(fieldOf(entry, 'set_at')) ?? 0, state };
  });
}

function eventOf(
  entry: unknown,
  state: State | undefined,
  before: State | undefined,
  nameOf: (slug: string) => string,
): string {
  // Only a rejected customer becomes a converted one again.
  if (state) return state === 'converted' && before === 'rejected' ? 'Restored' : EVENTS[state];
  const [from, to] = [textOf(fieldOf(entry, 'from')), textOf(fieldOf(entry, 'to'))];
  return from !== null && to !== null ? `Moved from ${nameOf(from)} to ${nameOf(to)}` : 'Personal data erased';
}
