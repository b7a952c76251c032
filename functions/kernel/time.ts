declare const unit: unique symbol;

/** Whole seconds since 1970-01-01T00:00:00Z: the unit of all timestamps in the table and in responses. */
export type Seconds = number & { readonly [unit]: 'seconds' };

/** Milliseconds since 1970-01-01T00:00:00Z: the unit of clocks and deadlines. */
export type Milliseconds = number & { readonly [unit]: 'milliseconds' };

/** Returns the current time. It is always passed as a parameter, so that tests can choose the time. */
export type Clock = () => Milliseconds;

/** A day in seconds. */
export const DAY = 86_400;

/** The last valid timestamp: 9999-12-31T23:59:59Z. */
export const LAST_SECOND = 253_402_300_799;

/** True for whole seconds in the years 1970 to 9999. */
export function isSeconds(value: number): value is Seconds {
  return Number.isSafeInteger(value) && value >= 0 && value <= LAST_SECOND;
}

function isMilliseconds(value: number): value is Milliseconds {
  return Number.isFinite(value);
}

/** Checks a whole second in the years 1970 to 9999. Throws `RangeError`. */
export function seconds(value: number): Seconds {
  if (!isSeconds(value)) throw new RangeError('not a whole second between the years 1970 and 9999');
  return value;
}

/** Checks a finite number of milliseconds. Throws `RangeError`. */
export function milliseconds(value: number): Milliseconds {
  if (!isMilliseconds(value)) throw new RangeError('not a finite number of milliseconds');
  return value;
}

/** The second that contains a moment. Throws `RangeError` outside the years 1970 to 9999. */
export function secondOf(moment: Milliseconds): Seconds {
  return seconds(Math.floor(moment / 1000));
}

/** A second in UTC as RFC 3339 writes it, such as 2026-11-21T12:00:00Z. */
export const rfc3339 = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');

/** The later of two seconds. */
export const later = (one: Seconds, other: Seconds): Seconds => (one > other ? one : other);
/** The earlier of two seconds. */
export const earlier = (one: Seconds, other: Seconds): Seconds => (one < other ? one : other);

/** The clock of this machine. */
export const systemClock: Clock = () => milliseconds(Date.now());

/** Adds calendar months in UTC; the day is clamped to the end of the month. Throws `RangeError` after the year 9999. */
export function addCalendarMonths(start: Seconds, months: number): Seconds {
  const date = new Date(start * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return seconds(date.getTime() / 1000);
}

/** A half-open range of seconds: `from <= t < to`. Empty if `from >= to`. */
export interface SecondsRange {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** A moment in a filter, to the second. */
export interface Moment {
  /** Whole seconds since 1970, negative before. */
  readonly second: number;
  /** True if the moment is later than the start of that second. */
  readonly hasFraction: boolean;
}

// "YYYY-MM-DD HH:MM:SS +ZZZZ" (docs/contract.md, Lists). An unencoded "+" in a query arrives as a space.
const CONTRACT_FORM = /^(?<date>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d) (?<sign>[+ -])(?<hours>\d\d)(?<minutes>\d\d)$/;
// RFC 3339 section 5.6: "T" and "Z" in either case, a fraction of any length.
const RFC3339_FORM =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<time>\d\d:\d\d:\d\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+ -])(?<hours>\d\d):(?<minutes>\d\d))$/;

const MAX_OFFSET_MINUTES = 14 * 60;

const DATE = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
/** Offsets of at most 14 hours, as in the contract's form and as in RFC 3339. */
const OFFSET = '[+ -](?:(?:0[0-9]|1[0-3])[0-5][0-9]|1400)';
const RFC3339_OFFSET = '[+ -](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00)';

/** The pattern of times that `parseMoment` accepts, for the JSON Schemas. It also matches dates such as 31 April. */
export const MOMENT_PATTERN = `^${DATE}(?: ${TIME} ${OFFSET}|[Tt]${TIME}(?:\\.[0-9]+)?(?:[Zz]|${RFC3339_OFFSET}))$`;

/**
 * Parses `YYYY-MM-DD HH:MM:SS +ZZZZ` or RFC 3339. Returns `undefined` for anything else, such as dates that do not
 * exist, 24:00:00, second 60 and offsets beyond 14 hours.
 */
export function parseMoment(text: string): Moment | undefined {
  const parts = (CONTRACT_FORM.exec(text) ?? RFC3339_FORM.exec(text))?.groups;
  if (!parts) return undefined;
  const { date, time, fraction = '', sign, hours = '0', minutes = '0' } = parts;
  if (Number(minutes) > 59) return undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > MAX_OFFSET_MINUTES) return undefined;
  const local = `${date}T${time}.000Z`;
  const instant = new Date(local);
  // Date turns 30 February into a day in March and 24:00 into the next day, so that the text differs.
  if (Number.isNaN(instant.getTime()) || instant.toISOString() !== local) return undefined;
  const east = sign === '-' ? -offset : offset;
  return { second: instant.getTime() / 1000 - east * 60, hasFraction: /[1-9]/.test(fraction) };
}

/**
 * The seconds strictly after `after` and strictly before `before`. A missing bound is open. Bounds outside the years
 * 1970 to 9999 are clamped, because no stored time lies outside.
 */
export function rangeBetween(after: Moment | undefined, before: Moment | undefined): SecondsRange {
  const from = after ? after.second + 1 : 0;
  const to = before ? before.second + (before.hasFraction ? 1 : 0) : LAST_SECOND;
  const clamped = (second: number) => seconds(Math.min(Math.max(second, 0), LAST_SECOND));
  return { from: clamped(from), to: clamped(to) };
}

/** The seconds in both ranges. */
export function intersection(one: SecondsRange, other: SecondsRange): SecondsRange {
  return { from: later(one.from, other.from), to: earlier(one.to, other.to) };
}
