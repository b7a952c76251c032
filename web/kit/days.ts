/** Arithmetic with days in UTC (`YYYY-MM-DD`), which sort like their dates. */

const DAY = 86_400_000;

/** Days from the first to the last, both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The day of a moment in Unix milliseconds. */
export const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

export const addDays = (day: string, days: number) => dayOf(Date.parse(day) + days * DAY);

export const countDays = ({ from, to }: Days) => (Date.parse(to) - Date.parse(from)) / DAY + 1;

export const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`;

export function lastOfMonth(day: string): string {
  const date = new Date(day);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}

/** The same day of another month. A month without it has its last day instead. */
export function addMonths(day: string, months: number): string {
  const date = new Date(day);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const last = Number(lastOfMonth(dayOf(first)).slice(8));
  return addDays(dayOf(first), Math.min(last, date.getUTCDate()) - 1);
}

/** True for a day of the calendar: not for `2026-02-30`. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && dayOf(time) === text;
}
