import type { State } from '../../functions/referrals/rules/state.ts';

/** A state of a referral. A rejected conversion and a rejected click are two situations. */
export type Situation = State | 'rejected as a click';

/** The result of setting a state: it changes, the change is refused, or the referral is in that state already. */
type Outcome = 'set' | 'refused' | 'kept';

/** docs/contract/tracking.md, States, written by hand: the result of setting a state (column) on a referral (row). */
const SETTINGS: Record<Situation, Record<State, Outcome>> = {
  clicked: { clicked: 'kept', converted: 'refused', paid: 'refused', churned: 'refused', rejected: 'set' },
  converted: { clicked: 'refused', converted: 'kept', paid: 'set', churned: 'set', rejected: 'set' },
  paid: { clicked: 'refused', converted: 'refused', paid: 'kept', churned: 'set', rejected: 'set' },
  churned: { clicked: 'refused', converted: 'refused', paid: 'set', churned: 'kept', rejected: 'set' },
  rejected: { clicked: 'refused', converted: 'set', paid: 'refused', churned: 'refused', rejected: 'kept' },
  'rejected as a click': {
    clicked: 'refused',
    converted: 'refused',
    paid: 'refused',
    churned: 'refused',
    rejected: 'kept',
  },
};

export const SITUATIONS = Object.keys(SETTINGS) as Situation[];
export const ALL_STATES = Object.keys(SETTINGS.clicked) as State[];

interface Pair {
  readonly from: Situation;
  readonly to: State;
  readonly outcome: Outcome;
}

/** Every situation with every state to set. */
export const PAIRS: readonly Pair[] = SITUATIONS.flatMap((from) =>
  ALL_STATES.map((to) => ({ from, to, outcome: SETTINGS[from][to] })),
);

/** The error message if a state cannot follow. */
export function refusalIn(situation: Situation): string {
  if (situation === 'clicked') return 'The referral is still a click. Report its conversion first.';
  const possible = ALL_STATES.filter((to) => SETTINGS[situation][to] === 'set').join(', ');
  const alternatives = possible === '' ? '' : ` to the requested state; allowed: ${possible}`;
  return `Cannot change state from ${stateOf(situation)}${alternatives}`;
}

/** The state of a situation. */
export const stateOf = (situation: Situation): State => (situation === 'rejected as a click' ? 'rejected' : situation);

/** True if the referral was converted at some time. */
export const wasConverted = (situation: Situation): boolean => !/click/.test(situation);
