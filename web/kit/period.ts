import { addDays, addMonths, countDays, type Days, dayOf, firstOfMonth, isDay, lastOfMonth } from './days.ts';

/** The ranges of numbers, lists and charts, in UTC. */
export const RANGES = ['7d', '30d', '90d', '12m', 'this-month', 'last-month', 'custom'] as const;
export type Range = (typeof RANGES)[number];

export const BYS = ['day', 'week', 'month'] as const;
export type By = (typeof BYS)[number];

/** The most days of one request for statistics, and of a custom range. */
export const MAX_DAYS = 400;

/** A range with its days, both inclusive. */
export interface Period extends Days {
  readonly range: Range;
}

interface PeriodFilters {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads a period from the filters of an address. `now` is in Unix milliseconds. Anything invalid is 30 days. */
export function periodOf(filters: PeriodFilters, now: number): Period {
  const today = dayOf(now);
  const { from = '', to = '' } = filters;
  const given = RANGES.find((each) => each === filters.range) ?? '30d';
  if (given === 'custom' && isCustom(from, to, today)) return { range: given, from, to };
  const range = given === 'custom' ? '30d' : given;
  return { range, ...daysOf(range, today) };
}

/** True if two days are a custom range: in order, not in the future, and at most 400 days. */
export function isCustom(from: string | undefined, to: string | undefined, today: string): boolean {
  return isDay(from) && isDay(to) && from <= to && to <= today && countDays({ from, to }) <= MAX_DAYS;
}

function daysOf(range: Exclude<Range, 'custom'>, today: string): Days {
  const lastMonth = firstOfMonth(addMonths(today, -1));
  if (range === 'last-month') return { from: lastMonth, to: lastOfMonth(lastMonth) };
  const firsts = {
    '7d': addDays(today, -6),
    '30d': addDays(today, -29),
    '90d': addDays(today, -89),
    '12m': firstOfMonth(addMonths(today, -11)),
    'this-month': firstOfMonth(today),
  };
  return { from: firsts[range], to: today };
}

/** How the days of a period are grouped: as the address says, else as many points as a line needs. */
export function byOf(period: Period, by?: string): By {
  const chosen = BYS.find((each) => each === by);
  if (chosen) return chosen;
  const days = countDays(period);
  return days <= 31 ? 'day' : days <= 180 ? 'week' : 'month';
}

/** The bounds of a period for filters that exclude their bound. A range that ends today has no end. */
export function boundsOf({ range, from, to }: Period): { after: string; before: string | undefined } {
  const after = new Date(Date.parse(from) - 1000).toISOString();
  const isOver = range === 'last-month' || range === 'custom';
  return { after, before: isOver ? `${addDays(to, 1)}T00:00:00Z` : undefined };
}

/** The months by which a range of months moves back to its comparison. Other ranges move by their days. */
function monthsOf(range: Range): number {
  if (range === '12m') return 12;
  return range === 'this-month' || range === 'last-month' ? 1 : 0;
}

/** The days to compare a period with: the same days of the month or year before, or as many days before. */
export function beforeOf(period: Period): Days {
  const { range, from, to } = period;
  const months = monthsOf(range);
  if (months === 0) return { from: addDays(from, -countDays(period)), to: addDays(from, -1) };
  const start = addMonths(from, -months);
  return { from: start, to: range === 'last-month' ? lastOfMonth(start) : addMonths(to, -months) };
}

/** The days of both sides of a change. Today is not over, so it is left out, and its day of before as well. */
export function comparedDays(period: Period, today: string): { now: Days; before: Days } | undefined {
  const before = beforeOf(period);
  if (period.to < today) return { now: period, before };
  if (period.from >= today) return undefined;
  const months = monthsOf(period.range);
  // A shorter month has no day like today, so all of its days count.
  const hasToday = months === 0 || addMonths(today, -months).slice(8) === today.slice(8);
  return {
    now: { from: period.from, to: addDays(today, -1) },
    before: hasToday ? { from: before.from, to: addDays(before.to, -1) } : before,
  };
}

/** The ranges to request for a period and its comparison: one, or two if both together exceed 400 days. */
export function requestsOf(period: Period): readonly Days[] {
  const before = beforeOf(period);
  const both = { from: before.from, to: period.to };
  return countDays(both) <= MAX_DAYS ? [both] : [{ from: period.from, to: period.to }, before];
}

/** One point of a chart: its days, and the days of before. */
export interface Bucket extends Days {
  readonly before: Days | undefined;
  /** True if it has fewer days than its week or month. */
  readonly isShort: boolean;
}

/** The points of a period, oldest first. Weeks are blocks of 7 days that end with the last day. */
export function bucketsOf(period: Period, by: By): Bucket[] {
  const buckets: Bucket[] = [];
  for (let { to } = period; to >= period.from; to = addDays(buckets[0]?.from ?? to, -1)) {
    const start = by === 'day' ? to : by === 'week' ? addDays(to, -6) : firstOfMonth(to);
    const isCut = start < period.from;
    const days = { from: isCut ? period.from : start, to };
    const isShort = isCut || (by === 'month' && to !== lastOfMonth(to));
    buckets.unshift({ ...days, before: bucketBefore(period, days), isShort });
  }
  return buckets;
}

/** The days of before of a bucket; none if the month of before is too short to have them. */
function bucketBefore(period: Period, { from, to }: Days): Days | undefined {
  const months = monthsOf(period.range);
  if (months === 0) {
    const days = countDays(period);
    return { from: addDays(from, -days), to: addDays(to, -days) };
  }
  const isMonth = from === firstOfMonth(from) && to === lastOfMonth(to);
  const [start, end] = [addMonths(from, -months), addMonths(to, -months)];
  // Nothing is before the 31st in a month of 30 days.
  if (start.slice(8) !== from.slice(8)) return undefined;
  return { from: start, to: isMonth ? lastOfMonth(end) : end };
}
