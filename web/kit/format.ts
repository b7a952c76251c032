import { decimalsOf } from '../../functions/ledger/rules/units.ts';
import { addMonths, type Days, dayOf, firstOfMonth, lastOfMonth } from './days.ts';
import type { By } from './period.ts';

export { dayOf };

/** Numbers and dates in the language of the browser. Days are in UTC, as the API counts them. */

const NUMBER = new Intl.NumberFormat();
const PERCENTAGE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 6 });
const CHANGE = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
type DateOptions = Intl.DateTimeFormatOptions;

const datesIn = (options: DateOptions) => new Intl.DateTimeFormat(undefined, options);
const utcDatesIn = (options: DateOptions) => datesIn({ ...options, timeZone: 'UTC' });

const DATE = datesIn({ dateStyle: 'medium' });
const UTC_DATE = utcDatesIn({ dateStyle: 'medium' });
const DATE_AND_TIME = datesIn({ dateStyle: 'medium', timeStyle: 'short' });
const TIME_OF_DAY = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
const MOMENT = datesIn({ year: 'numeric', month: 'short', day: 'numeric', ...TIME_OF_DAY });
const TIME = utcDatesIn(TIME_OF_DAY);
const SHORT_DAY = utcDatesIn({ month: 'short', day: 'numeric' });
const SHORT_MONTH = utcDatesIn({ month: 'short' });
const MONTHS = utcDatesIn({ month: 'short', year: 'numeric' });
const LONG_MONTH = utcDatesIn({ month: 'long', year: 'numeric' });

export const formatNumber = (value: number) => NUMBER.format(value);

/** A rate in percent as the API writes it, such as `12.5%` for 12.5. */
export function formatPercentage(value: number): string {
  return PERCENTAGE.format(value / 100);
}

/** A moment (Unix seconds) in the browser's time zone. */
export const formatDate = (seconds: number) => DATE.format(seconds * 1000);
/** A moment as its day in UTC, for what belongs to a month in UTC. */
export const formatUtcDate = (seconds: number) => UTC_DATE.format(seconds * 1000);
export const formatDateAndTime = (seconds: number) => DATE_AND_TIME.format(seconds * 1000);
/** Names the time zone, for a moment that an email says in UTC. */
export const formatMoment = (seconds: number) => MOMENT.format(seconds * 1000);
/** A moment (Unix milliseconds) as the time of day in UTC. */
export const formatTime = (milliseconds: number) => TIME.format(milliseconds);

/** A day (`YYYY-MM-DD`) or month (`YYYY-MM`) of the API. */
export function formatKey(key: string, length: 'short' | 'long'): string {
  const time = Date.parse(key);
  if (key.length === 7) return (length === 'short' ? SHORT_MONTH : LONG_MONTH).format(time);
  return (length === 'short' ? SHORT_DAY : UTC_DATE).format(time);
}

/** Days as a person says them: one day, whole months, or the first and the last day. */
export function formatDays({ from, to }: Days): string {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (from === to) return UTC_DATE.format(start);
  return (areMonths({ from, to }) ? MONTHS : UTC_DATE).formatRange(start, end);
}

const areMonths = ({ from, to }: Days) => from === firstOfMonth(from) && to === lastOfMonth(to);

/** The first of some days, short, below an axis. */
export const formatShort = ({ from }: Days, by: By) =>
  (by === 'month' ? SHORT_MONTH : SHORT_DAY).format(Date.parse(from));

/** A change in percent, such as `+12%`. */
export const formatShare = (share: number) => CHANGE.format(share);

/** The value of an axis, short: an amount in units of its currency, or a count if the currency is `''`. */
export function formatAxis(value: number, currency: string): string {
  const money = currency !== '' && ({ style: 'currency', currency, minimumFractionDigits: 0 } as const);
  return new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1, ...money }).format(value);
}

/** The formats by locale and currency: to create one takes far longer than to use it. */
const FORMATS = new Map<string, Intl.NumberFormat>();

/** Writes an amount in the smallest unit as money, such as `$49.00` for 4900. */
export function formatMoney(amount: number, currency: string, locale?: string): string {
  const decimals = decimalsOf(currency);
  const key = `${locale} ${currency}`;
  const format =
    FORMATS.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  FORMATS.set(key, format);
  return format.format(amount / 10 ** decimals);
}

/** Reads an amount in units, such as `49` or `49.00`, exactly. Returns it in the smallest unit, or `undefined`. */
export function parseMoney(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, sign = '', units, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (units === undefined || part.length > decimals) return undefined;
  const amount = Number(sign + units + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Reads a typed number without a sign, also with one for percent; `undefined` if it is not valid. */
export function parseDecimal(text: string): number | undefined {
  const [, number] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Reads a typed percentage; `undefined` if it is not valid, or more than all. */
export function parsePercentage(text: string): number | undefined {
  const rate = parseDecimal(text);
  return rate === undefined || rate > 100 ? undefined : rate;
}

/** Returns the values of a vertical axis from 0, or from below a negative value, to at least `largest`: round numbers. */
export function axisOf(largest: number, smallest = 0): number[] {
  const rough = Math.max(1, largest - smallest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1);
  const lowest = Math.floor(smallest / step);
  const highest = Math.ceil(Math.max(smallest < 0 ? 0 : 1, largest) / step);
  return Array.from({ length: highest - lowest + 1 }, (_, index) => (lowest + index) * step);
}

/** The UTC month of a moment, or a number of months before. */
export const monthsBack = (now: number, months: number): string =>
  addMonths(firstOfMonth(dayOf(now)), -months).slice(0, 7);
