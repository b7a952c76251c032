import { dayOf, type Month, monthOf } from '../../kernel/days.ts';
import { InvalidField } from '../../kernel/errors.ts';
import type { Seconds } from '../../kernel/time.ts';

/** The pattern of a month in a query. */
export const MONTH_PATTERN = '^[0-9]{4}-(?:0[1-9]|1[0-2])$';
/** The most months of a range. */
export const MAX_MONTHS = 12;

const MONTHS_OF_A_YEAR = 12;

const MONTH_FORM = new RegExp(MONTH_PATTERN);

/** Parses a month, which must have begun at `now`. Throws `InvalidField`. */
export function parseMonth(name: string, month: string, now: Seconds): Month {
  parseForm(name, month);
  if (month > monthOf(dayOf(now))) throw new InvalidField(name, 'must be a month that has begun (UTC)');
  return month;
}

/** Lists the months of a range, both inclusive, newest first. Throws `InvalidField`. */
export function parseMonthRange(from: string, to: string, now: Seconds): Month[] {
  const last = numberOf(parseMonth('to', to, now));
  const count = last - numberOf(parseForm('from', from)) + 1;
  if (count < 1) throw new InvalidField('from', 'must not be after to');
  if (count > MAX_MONTHS) throw new InvalidField('from', `and to must be at most ${MAX_MONTHS} months`);
  return Array.from({ length: count }, (_, index) => nameOf(last - index));
}

function parseForm(name: string, month: string): Month {
  if (!MONTH_FORM.test(month)) throw new InvalidField(name, 'must be a month such as 2026-01');
  return month;
}

/** Months are numbered from January of the year 0. */
const numberOf = (month: Month): number => Number(month.slice(0, 4)) * MONTHS_OF_A_YEAR + Number(month.slice(5)) - 1;

function nameOf(number: number): Month {
  const [year, month] = [Math.floor(number / MONTHS_OF_A_YEAR), (number % MONTHS_OF_A_YEAR) + 1];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
