/** The Gregorian calendar by arithmetic alone: the reference for what the service computes with `Date`. */

export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

export const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

/** Days before the first of January of a year, counted from the year 0. */
function daysBeforeYear(year: number): number {
  const full = year - 1;
  return year * 365 + (year > 0 ? Math.floor(full / 4) - Math.floor(full / 100) + Math.floor(full / 400) + 1 : 0);
}

/** Days since 1970-01-01, negative before. */
export function dayNumber({ year, month, day }: Day): number {
  let days = daysBeforeYear(year) - daysBeforeYear(1970) + day - 1;
  for (let earlier = 1; earlier < month; earlier += 1) days += daysInMonth(year, earlier);
  return days;
}

/** The reverse of `dayNumber`. */
export function dayOf(number: number): Day {
  let year = 1970 + Math.floor(number / 366);
  while (dayNumber({ year: year + 1, month: 1, day: 1 }) <= number) year += 1;
  let month = 1;
  let day = number - dayNumber({ year, month: 1, day: 1 }) + 1;
  while (day > daysInMonth(year, month)) {
    day -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day };
}
