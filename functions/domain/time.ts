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
