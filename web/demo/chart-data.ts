import { STATES, type State } from './states.ts';

/** What the chart must know of a referral. */
export interface Counted {
  readonly state: State;
  /** Unix seconds, UTC. */
  readonly createdAt: number;
}

export type Counts = Readonly<Record<State, number>>;

/** One calendar month, UTC. */
export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly counts: Counts;
}

/** How many referrals are in each state. */
export function countStates(referrals: readonly Counted[]): Counts {
  const counts = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
  for (const { state } of referrals) counts[state] += 1;
  return counts;
}

/** The sum over all states. */
export function sum(counts: Counts): number {
  return STATES.reduce((total, state) => total + counts[state], 0);
}

/**
 * The referrals by the month in which they came, each in the state that it has now. The last month is that of the newest
 * referral; months without any are there too; at most `longest`.
 */
export function byMonth(referrals: readonly Counted[], longest: number): Month[] {
  const months = new Map<number, Counted[]>();
  for (const referral of referrals) {
    const number = monthNumber(referral.createdAt);
    months.set(number, [...(months.get(number) ?? []), referral]);
  }
  if (months.size === 0) return [];
  const last = Math.max(...months.keys());
  const first = Math.max(Math.min(...months.keys()), last - longest + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    year: Math.floor((first + index) / 12),
    month: ((first + index) % 12) + 1,
    counts: countStates(months.get(first + index) ?? []),
  }));
}

/** Months since the year 0. */
function monthNumber(second: number): number {
  const date = new Date(second * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The values at which the chart has its lines, from 0 to one that is no less than `highest`: few and round. */
export function axisOf(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  const steps = [0.2, 0.5, 1, 2].map((part) => Math.max(part * power, 1));
  const step = steps.find((size) => size * 5 >= highest) ?? power;
  return Array.from({ length: Math.max(Math.ceil(highest / step), 1) + 1 }, (_, index) => index * step);
}
