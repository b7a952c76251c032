import { InvalidField } from './errors.ts';
import { UNPRINTABLE } from './fields.ts';
import type { Random } from './ids.ts';
import { DEFAULT_EVENT_TYPES, EVENT_TYPES, type EventType } from './referral/referral-event.ts';
import { DAY, type Milliseconds, milliseconds, type Seconds, secondOf } from './time.ts';

/**
 * Why a webhook gets no events: its receiver responded with 410, its deliveries failed for days, or its merchant wants
 * none.
 */
export const DISABLED_REASONS = ['gone', 'failing', 'merchant'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A webhook of a program that receives events by HTTPS. Its secrets are in the store of secrets. */
export interface Webhook {
  /** UUIDv7. */
  readonly id: string;
  readonly url: string;
  /** The types that it receives. */
  readonly events: readonly EventType[];
  /** True if events contain the customer's email. */
  readonly includeEmail: boolean;
  /** `null` if it is enabled. */
  readonly disabledReason: DisabledReason | null;
  /** Time of the first of the failures in a row; `null` after a success. */
  readonly failingSince: Seconds | null;
  /** Number of the failures in a row, counted up to 10. */
  readonly failures: number;
  readonly createdAt: Seconds;
}

/** Why an attempt got no response. */
export const DELIVERY_ERRORS = [
  /** No response within 15 seconds. */
  'timeout',
  /** An address of the name is not public. */
  'address_refused',
  'name_not_found',
  'connection_failed',
  'tls_failed',
  /** The receiver sent something other than an HTTP response, or closed the connection before one. */
  'invalid_response',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** One attempt to deliver an event. */
export interface Delivery {
  readonly eventId: string;
  readonly eventType: string;
  /** HTTP status of the response; `null` if there was none. */
  readonly status: number | null;
  /** `null` if there was a response. */
  readonly error: DeliveryError | null;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  readonly startedAt: Milliseconds;
}

/** The fields that the creator of a webhook chooses. */
export interface WebhookFields {
  readonly url: string;
  /** Types of events; without any, the webhook receives all but clicks. */
  readonly events: readonly string[];
  readonly includeEmail: boolean;
}

const MAX_URL = 2048;
/** Hosts to which the local service sends http. `URL` has already normalized other forms of these addresses. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Creates a webhook from unchecked fields. `allowLoopback` accepts http to this machine. Throws `InvalidField`. The
 * addresses of the URL's host are checked where they are resolved (`functions/events/addresses.ts`).
 */
export function newWebhook(fields: WebhookFields, id: string, now: Seconds, allowLoopback: boolean): Webhook {
  const names = new Set(fields.events.length === 0 ? DEFAULT_EVENT_TYPES : fields.events.map(parseEventType));
  return {
    id,
    url: parseUrl(fields.url, allowLoopback),
    events: EVENT_TYPES.filter((type) => names.has(type)),
    includeEmail: fields.includeEmail,
    disabledReason: null,
    failingSince: null,
    failures: 0,
    createdAt: now,
  };
}

function parseUrl(text: string, allowLoopback: boolean): string {
  // The URL's parser removes some of them, so another address than the given one would be stored.
  if (UNPRINTABLE.test(text)) {
    throw new InvalidField('url', 'must not contain control characters or line separators');
  }
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = allowLoopback && url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !isLocal) || url.username !== '' || url.password !== '') {
    const problem = 'must be an https address without credentials, such as https://example.com/events';
    throw new InvalidField('url', allowLoopback ? `${problem}, or an http address of this machine` : problem);
  }
  // A fragment is never sent.
  url.hash = '';
  // Characters that the URL's parser encodes make it longer.
  if (url.href.length > MAX_URL) throw new InvalidField('url', `must be at most ${MAX_URL} characters long`);
  return url.href;
}

function parseEventType(text: string): EventType {
  const type = EVENT_TYPES.find((candidate) => candidate === text);
  if (!type) throw new InvalidField('events', `must be one of ${EVENT_TYPES.join(', ')}`);
  return type;
}

const GONE = 410;
/** A webhook is disabled after so many failures in a row, the first of them at least so many seconds ago. */
const MAX_FAILURES = 10;
const MAX_FAILING = 5 * DAY;

/** True if a webhook receives events. */
export const isEnabled = ({ disabledReason }: Webhook): boolean => disabledReason === null;

/** True if a receiver accepted an event. `null` means that there was no response. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/**
 * Returns an enabled webhook as it is after an attempt that ended with a status now (docs/contract.md, Events). Returns
 * the same object if nothing changes.
 */
export function afterAttempt(webhook: Webhook, status: number | null, now: Milliseconds): Webhook {
  const { failingSince: since } = webhook;
  if (isSuccess(status)) return since === null ? webhook : { ...webhook, failingSince: null, failures: 0 };
  const failingSince = since ?? secondOf(now);
  const failures = Math.min(webhook.failures + 1, MAX_FAILURES);
  const isFailing = failures === MAX_FAILURES && secondOf(now) - failingSince >= MAX_FAILING;
  const disabledReason = status === GONE ? 'gone' : isFailing ? 'failing' : null;
  if (disabledReason === null && failures === webhook.failures) return webhook;
  return { ...webhook, failingSince, failures, disabledReason };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the failed attempts, in milliseconds (docs/contract.md, Events). There is none after the last one. */
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
