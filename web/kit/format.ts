import { decimalsOf } from '../../functions/ledger/rules/units.ts';
import { COMMON } from '../words/common.ts';
import type { Schemas } from './api.ts';

/** Numbers and dates in the language of the browser. Days are in UTC, as the API counts them. */

const NUMBER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const PERCENTAGE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 6 });
const CHANGE = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const UTC_DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const DATE_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const MOMENT = new Intl.DateTimeFormat(undefined, {
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
  ...({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const),
});
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const SHORT_DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const SHORT_MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const LONG_MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const formatNumber = (value: number) => NUMBER.format(value);

/** A share such as `12.5%`. A share of nothing, or of more than there is, has no meaning: "–". */
export function formatRate(part: number, whole: number): string {
  return whole > 0 && part <= whole ? PERCENT.format(part / whole) : '–';
}

/** A change such as `+12%`; `undefined` if there was nothing before. */
export function formatChange(now: number, before: number): string | undefined {
  return before > 0 ? CHANGE.format((now - before) / before) : undefined;
}

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
/** A moment (Unix milliseconds) as the time of day. */
export const formatTime = (milliseconds: number) => TIME.format(milliseconds);

/** A day (`YYYY-MM-DD`) or month (`YYYY-MM`) of the API. */
export function formatKey(key: string, length: 'short' | 'long'): string {
  const time = Date.parse(key.length === 7 ? `${key}-01` : key);
  if (key.length === 7) return (length === 'short' ? SHORT_MONTH : LONG_MONTH).format(time);
  return (length === 'short' ? SHORT_DAY : UTC_DATE).format(time);
}

type Entry = Schemas['Entry']['attributes'];

const REASONS = new Map<string, string>(Object.entries(COMMON.noCommission));

/** Returns the note of an entry to show. The service writes the notes of payments, people all others. */
export function noteOf({ kind, note }: Pick<Entry, 'kind' | 'note'>): string | null {
  return kind === 'payment' && note !== null ? (REASONS.get(note) ?? note) : note;
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

/** Returns the values of a vertical axis from 0 to at least `largest`: at most 5 round numbers. */
export function axisOf(largest: number): number[] {
  const rough = Math.max(1, largest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1);
  return Array.from({ length: Math.ceil(Math.max(1, largest) / step) + 1 }, (_, index) => index * step);
}

/** The ranges of numbers and charts, in UTC and with today. */
export const RANGES = ['7d', '30d', '90d', '12m'] as const;
export type Range = (typeof RANGES)[number];

const DAY = 86_400_000;

export function isRange(text: unknown): text is Range {
  return RANGES.some((range) => range === text);
}

/** The query of statistics for a range. Days include as many days before, to compare with. */
interface RangeQuery {
  readonly from: string;
  readonly to: string;
  readonly group_by: 'day' | 'month';
}

/** Returns the query for a range and the period before. 12 months have no period before: it would exceed 400 days. */
export function queryOf(range: Range, now: number): RangeQuery {
  if (range === '12m') return { from: `${monthsBack(now, 11)}-01`, to: dayOf(now), group_by: 'month' };
  return { from: dayOf(now - (2 * daysOf(range) - 1) * DAY), to: dayOf(now), group_by: 'day' };
}

export function firstDayOf(range: Range, now: number): string {
  return range === '12m' ? `${monthsBack(now, 11)}-01` : dayOf(now - (daysOf(range) - 1) * DAY);
}

/** The last second before a range, for filters that exclude their bound. */
export function beforeFirstDayOf(range: Range, now: number): string {
  return secondBefore(Date.parse(firstDayOf(range, now)));
}

/** The bounds of a month (`YYYY-MM`) for filters that exclude them. */
export function boundsOfMonth(month: string): { after: string; before: string } {
  const start = Date.parse(`${month}-01`);
  return { after: secondBefore(start), before: `${monthsBack(start, -1)}-01T00:00:00Z` };
}

const secondBefore = (time: number) => new Date(time - 1000).toISOString();

/** Splits the groups of a response, newest first, into the range and the period before. */
export function splitGroups<Group>(
  range: Range,
  groups: readonly Group[],
): [shown: Group[], before: Group[] | undefined] {
  if (range === '12m') return [groups.slice(0, 12), undefined];
  const days = daysOf(range);
  return [groups.slice(0, days), groups.slice(days, 2 * days)];
}

/** The UTC day of a moment (Unix milliseconds). */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The UTC month of a moment, or a number of months before. */
export function monthsBack(now: number, months: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)).toISOString().slice(0, 7);
}

function daysOf(range: Exclude<Range, '12m'>): number {
  return { '7d': 7, '30d': 30, '90d': 90 }[range];
}
