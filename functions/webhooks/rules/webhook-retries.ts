import type { Random } from '../../kernel/ids.ts';
import { DAY, type Milliseconds, milliseconds } from '../../kernel/time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the failed attempts, in milliseconds (docs/contract/events.md). There is none after the last one. */
const RETRY_DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
] as const;
/** Delays vary by this share, so that deliveries that failed together are not repeated at the same time. */
const JITTER = 0.1;
/** The longest delay in milliseconds, whatever the jitter or `Retry-After`. */
const LONGEST_DELAY = DAY * SECOND;

/**
 * Returns the delay before the attempt after a failed one, in milliseconds from the failure, with a fraction;
 * `undefined` after the last attempt. `attempt` counts from 1. `retryAfter` is the receiver's own delay, which counts
 * if it is longer.
 */
export function retryDelay(attempt: number, retryAfter: number | null, random: Random): number | undefined {
  const delay = RETRY_DELAYS[attempt - 1];
  if (delay === undefined) return undefined;
  const share = Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  const jittered = delay * (1 - JITTER + 2 * JITTER * share);
  return Math.min(Math.max(jittered, retryAfter ?? 0), LONGEST_DELAY);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
/** The three forms of dates that a recipient must accept (RFC 9110 section 5.6.7). */
const HTTP_DATES = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses the header `Retry-After`: whole seconds, or a date (RFC 9110 section 10.2.3). Returns whole seconds from now
 * in milliseconds, at least 0; `null` if it is missing or not valid.
 */
export function parseRetryAfter(header: string | undefined, now: Milliseconds): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * SECOND, Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text, now);
  return date === undefined ? null : Math.max(0, Math.ceil((date - now) / SECOND) * SECOND);
}

function parseHttpDate(text: string, now: Milliseconds): Milliseconds | undefined {
  const parts = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const { day = '', month = '', year = '', time = '' } = parts ?? {};
  const numbers = [MONTHS.indexOf(month) + 1, Number(day)].map((part) => String(part).padStart(2, '0'));
  const local = `${[year.length === 2 ? fullYear(year, now) : year, ...numbers].join('-')}T${time}.000Z`;
  const date = new Date(local);
  // Date turns 30 February into a day in March, so that the text differs.
  return !Number.isNaN(date.getTime()) && date.toISOString() === local ? milliseconds(date.getTime()) : undefined;
}

/** The year of two digits that is at most 50 years ahead, and less than 50 years ago (RFC 9110 section 5.6.7). */
function fullYear(digits: string, now: Milliseconds): number {
  const first = new Date(now).getUTCFullYear() - 49;
  return first + ((Number(digits) - (first % 100) + 100) % 100);
}
