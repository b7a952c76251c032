import { InvalidField } from '../../kernel/errors.ts';
import { UNPRINTABLE } from '../../kernel/fields/fields.ts';
import { DAY, type Milliseconds, type Seconds, secondOf } from '../../kernel/time.ts';
import { DEFAULT_EVENT_TYPES, EVENT_TYPES, type EventType } from './event.ts';

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
  /** Types of events; by default, the webhook receives all but clicks. */
  readonly events?: readonly string[] | undefined;
  readonly includeEmail: boolean;
}

/** The fields of a webhook to change. Absent fields stay. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly includeEmail?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

/** The largest number of webhooks of a program. */
export const MAX_WEBHOOKS = 20;

export const MAX_URL = 2048;
/** Hosts to which the local service sends http. `URL` has already normalized other forms of these addresses. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Creates a webhook from unchecked fields. `allowLoopback` accepts http to this machine. Throws `InvalidField`. The
 * addresses of the URL's host are checked where they are resolved (`functions/webhooks/stream/addresses.ts`).
 */
export function newWebhook(fields: WebhookFields, id: string, now: Seconds, allowLoopback: boolean): Webhook {
  return {
    id,
    url: parseUrl(fields.url, allowLoopback),
    events: parseEventTypes(fields.events ?? DEFAULT_EVENT_TYPES),
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

/** Checks types of events, and returns each once, in the order of `EVENT_TYPES`. Throws `InvalidField`. */
function parseEventTypes(names: readonly string[]): readonly EventType[] {
  const types = EVENT_TYPES.filter((type) => names.includes(type));
  if (names.length === 0) throw new InvalidField('events', 'must not be empty');
  if (new Set(names).size > types.length) {
    throw new InvalidField('events', `must be one of ${EVENT_TYPES.join(', ')}`);
  }
  return types;
}

/** Checks and normalizes unchecked changes, as `newWebhook` does. Throws `InvalidField`. */
export function parseWebhookChanges(
  { url, events, ...changes }: Omit<WebhookChanges, 'events'> & { readonly events?: readonly string[] | undefined },
  allowLoopback: boolean,
): WebhookChanges {
  return {
    ...changes,
    url: url === undefined ? undefined : parseUrl(url, allowLoopback),
    events: events === undefined ? undefined : parseEventTypes(events),
  };
}

/**
 * Returns a webhook with valid changes. Failures are forgotten if it is enabled or gets another URL: they say nothing
 * about the new one.
 */
export function changeWebhook(webhook: Webhook, changes: WebhookChanges): Webhook {
  const { url = webhook.url, events = webhook.events, includeEmail = webhook.includeEmail, enabled } = changes;
  const isReset = enabled === true || url !== webhook.url;
  return {
    ...webhook,
    ...{ url, events, includeEmail },
    ...(isReset && { failingSince: null, failures: 0 }),
    ...(enabled !== undefined && { disabledReason: enabled ? null : 'merchant' }),
  };
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
 * Returns an enabled webhook as it is after an attempt that ended with a status now (docs/contract/events.md). Returns
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
