import { InvalidField } from './errors.ts';
import { DAY, type Seconds } from './time.ts';

/** A day in UTC, such as `2026-11-21`. Days of the years 1 to 9999 sort like their dates. */
export type Day = string;
/** A month in UTC, such as `2026-11`. */
export type Month = string;

/** Days from the first to the last, both inclusive. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** How to group the days of a range. */
export const DAY_GROUPINGS = ['day', 'month'] as const;
export type DayGrouping = (typeof DAY_GROUPINGS)[number];

export const DAY_PATTERN = '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$';
const DAY_FORM = new RegExp(DAY_PATTERN);
/** Days of a range without `from`, and the most days of a range. */
const DEFAULT_DAYS = 30;
export const MAX_DAYS = 400;

/** The day that contains a second. */
export const dayOf = (second: number): Day => new Date(second * 1000).toISOString().slice(0, 10);
/** The month that contains a day. */
export const monthOf = (day: Day): Month => day.slice(0, 7);
/** The first second of a day. It is negative before 1970. */
export const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / 1000;
/** The day that is `days` later, or earlier if negative. */
export const addDays = (day: Day, days: number): Day => dayOf(startOf(day) + days * DAY);

/**
 * Parses the range of a query: `from` and `to` are inclusive. `from` alone ends today, and `to` alone starts 29 days
 * earlier. Without both, the range is the last 30 days. Throws `InvalidField`.
 */
export function parseDayRange(from: string | undefined, to: string | undefined, now: Seconds): DayRange {
  const last = to === undefined ? dayOf(now) : parseDay('to', to);
  const first = from === undefined ? addDays(last, 1 - DEFAULT_DAYS) : parseDay('from', from);
  if (first > last) throw new InvalidField('from', `must not be after ${to === undefined ? 'today' : 'to'}`);
  if (startOf(last) - startOf(first) >= MAX_DAYS * DAY) {
    throw new InvalidField('from', `must be at most ${MAX_DAYS} days before the end of the range`);
  }
  return { from: first, to: last };
}

/** Parses a day. Throws `InvalidField`. */
export function parseDay(name: string, text: string): Day {
  // Date.parse reads 31 April as 1 May. There is no year 0.
  if (DAY_FORM.test(text) && text > '0001' && dayOf(startOf(text)) === text) return text;
  throw new InvalidField(name, 'must be a date such as 2026-01-31');
}

/** Lists the days of a range, newest first. */
export function daysIn({ from, to }: DayRange): Day[] {
  const count = (startOf(to) - startOf(from)) / DAY + 1;
  return Array.from({ length: count }, (_, index) => addDays(to, -index));
}

/** Lists the months that contain a day of a range, newest first. */
export function monthsIn(range: DayRange): Month[] {
  return [...new Set(daysIn(range).map(monthOf))];
}
