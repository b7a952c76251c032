declare const unit: unique symbol;

/** Whole seconds since 1970-01-01T00:00:00Z: the unit of every timestamp that is stored or answered. */
export type Seconds = number & { readonly [unit]: 'seconds' };

/** Milliseconds since 1970-01-01T00:00:00Z: the unit of clocks and deadlines. */
export type Milliseconds = number & { readonly [unit]: 'milliseconds' };

/** Tells the time in milliseconds. Passed in wherever time matters, so that a test can stand still. */
export type Clock = () => Milliseconds;

/** A day in seconds. */
export const DAY = 86_400;

/** The latest second a timestamp can name: 9999-12-31T23:59:59Z. */
export const LAST_SECOND = 253_402_300_799;

/** True for a whole second from 1970 to 9999. */
export function isSeconds(value: number): value is Seconds {
  return Number.isSafeInteger(value) && value >= 0 && value <= LAST_SECOND;
}

function isMilliseconds(value: number): value is Milliseconds {
  return Number.isFinite(value);
}

/** Parses a number into `Seconds`. Throws `RangeError` for what is no whole second from 1970 to 9999. */
export function seconds(value: number): Seconds {
  if (!isSeconds(value)) throw new RangeError('not a whole second between the years 1970 and 9999');
  return value;
}

/** Parses a number into `Milliseconds`. Throws `RangeError` for what is not finite. */
export function milliseconds(value: number): Milliseconds {
  if (!isMilliseconds(value)) throw new RangeError('not a finite number of milliseconds');
  return value;
}

/** The second in which a moment of the clock lies. */
export function secondOf(moment: Milliseconds): Seconds {
  return seconds(Math.floor(moment / 1000));
}

/** The later of two seconds. */
export const later = (one: Seconds, other: Seconds): Seconds => (one > other ? one : other);
/** The earlier of two seconds. */
export const earlier = (one: Seconds, other: Seconds): Seconds => (one < other ? one : other);

/** The clock of this machine. */
export const systemClock: Clock = () => milliseconds(Date.now());

/**
 * The moment `months` calendar months later at the same time of day in UTC; where that month is too
 * short, its last day.
 */
export function addCalendarMonths(start: Seconds, months: number): Seconds {
  const date = new Date(start * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return seconds(date.getTime() / 1000);
}

/** A half-open range of seconds: `from <= t < to`. It is empty where `from >= to`. */
export interface SecondsRange {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** A moment as exact as a filter can name it: the second it lies in, and whether it is past that second's start. */
export interface Moment {
  /** Whole seconds since 1970, negative before. */
  readonly second: number;
  readonly pastStart: boolean;
}

// "YYYY-MM-DD HH:MM:SS +ZZZZ" of the contract. The sign may have arrived as a space: an unencoded "+" in a query.
const CONTRACT_FORM = /^(?<date>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d) (?<sign>[+ -])(?<hours>\d\d)(?<minutes>\d\d)$/;
// RFC 3339 section 5.6: "T" and "Z" in either case, a fraction of any length.
const RFC3339_FORM =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<time>\d\d:\d\d:\d\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+ -])(?<hours>\d\d):(?<minutes>\d\d))$/;

const MAX_OFFSET_MINUTES = 14 * 60;

const DATE = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
/** Up to 14 hours, with `separator` between hours and minutes. */
const offset = (separator: string) => `[+ -](?:(?:0[0-9]|1[0-3])${separator}[0-5][0-9]|14${separator}00)`;

/** The times that `parseMoment` accepts, for documents, and dates such as 31 April, which it rejects. */
export const MOMENT_PATTERN = `^${DATE}(?: ${TIME} ${offset('')}|[Tt]${TIME}(?:\\.[0-9]+)?(?:[Zz]|${offset(':')}))$`;

/**
 * Parses `YYYY-MM-DD HH:MM:SS +ZZZZ` or RFC 3339.
 *
 * Returns `undefined` for anything else: dates that the calendar lacks, 24:00:00, second 60, offsets beyond 14 hours.
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
  // Date rolls 30 February over into March and 24:00 into the next day: what it prints then differs from what it read.
  if (Number.isNaN(instant.getTime()) || instant.toISOString() !== local) return undefined;
  const east = sign === '-' ? -offset : offset;
  return { second: instant.getTime() / 1000 - east * 60, pastStart: /[1-9]/.test(fraction) };
}

/**
 * The seconds that lie strictly after `after` and strictly before `before`; an absent bound is open.
 * Bounds outside the years 1970 to 9999 are drawn in to them: no stored time lies beyond.
 */
export function rangeBetween(after: Moment | undefined, before: Moment | undefined): SecondsRange {
  const from = after ? after.second + 1 : 0;
  const to = before ? before.second + (before.pastStart ? 1 : 0) : LAST_SECOND;
  return { from: within(from), to: within(to) };
}

/** The seconds that lie in both ranges. */
export function intersection(one: SecondsRange, other: SecondsRange): SecondsRange {
  return { from: later(one.from, other.from), to: earlier(one.to, other.to) };
}

function within(second: number): Seconds {
  return seconds(Math.min(Math.max(second, 0), LAST_SECOND));
}
