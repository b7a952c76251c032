import { type Referral, STATES, type State } from './service.ts';

type Counted = Pick<Referral, 'state' | 'createdAt'>;

export type Counts = Readonly<Record<State, number>>;

/** The referrals created in one calendar month, UTC. */
export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly counts: Counts;
}

/** Counts the referrals in each state. */
export function countStates(referrals: readonly Counted[]): Counts {
  const counts = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
  for (const { state } of referrals) counts[state] += 1;
  return counts;
}

/** Adds up all states. */
export function sum(counts: Counts): number {
  return STATES.reduce((total, state) => total + counts[state], 0);
}

/**
 * Groups referrals by the month in which they were created, and counts them by current state. Returns every month up to
 * the newest referral, also those without referrals, but at most the last `limit` months.
 */
export function byMonth(referrals: readonly Counted[], limit: number): Month[] {
  const months = Map.groupBy(referrals, ({ createdAt }) => {
    const date = new Date(createdAt * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  });
  if (months.size === 0) return [];
  const last = Math.max(...months.keys());
  const first = Math.max(Math.min(...months.keys()), last - limit + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    year: Math.floor((first + index) / 12),
    month: ((first + index) % 12) + 1,
    counts: countStates(months.get(first + index) ?? []),
  }));
}

/** Returns the values of the grid lines: at most six round numbers from 0 to at least `highest`. */
export function axisOf(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  const steps = [0.2, 0.5, 1, 2].map((part) => Math.max(part * power, 1));
  const step = steps.find((size) => size * 5 >= highest) ?? power;
  return Array.from({ length: Math.max(Math.ceil(highest / step), 1) + 1 }, (_, index) => index * step);
}
