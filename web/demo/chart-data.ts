import { type Counts, type CountsByMonth, STATES } from './referral.ts';

/** The referrals created in one calendar month, UTC. */
export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly counts: Counts;
}

const YEAR = 12;
const NONE: Counts = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };

/** Adds up all states. */
export function sum(counts: Counts): number {
  return STATES.reduce((total, state) => total + counts[state], 0);
}

/**
 * Returns the months up to the newest referral, also months without referrals: at least a year, but at most the last
 * `limit` months.
 */
export function lastMonths(groups: CountsByMonth['groups'], limit: number): Month[] {
  const months = new Map(groups.map(({ key, counts }) => [monthNumber(key), counts]));
  if (months.size === 0) return [];
  const last = Math.max(...months.keys());
  const first = Math.max(Math.min(...months.keys(), last - YEAR + 1), last - limit + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    year: Math.floor((first + index) / YEAR),
    month: ((first + index) % YEAR) + 1,
    counts: months.get(first + index) ?? NONE,
  }));
}

/** Numbers the months without gaps. The key is `YYYY-MM`. */
function monthNumber(key: string): number {
  const [year = 0, month = 1] = key.split('-').map(Number);
  return year * YEAR + month - 1;
}

/** Returns the values of the grid lines: at most six round numbers from 0 to at least `highest`. */
export function axisOf(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  const steps = [0.2, 0.5, 1, 2].map((part) => Math.max(part * power, 1));
  const step = steps.find((size) => size * 5 >= highest) ?? power;
  return Array.from({ length: Math.max(Math.ceil(highest / step), 1) + 1 }, (_, index) => index * step);
}
