import { parsePaging } from '../../kernel/http/list.ts';
import { type QueryEvent, validBody, validPatch, validQuery } from '../../kernel/http/validation.ts';
import { secondOf } from '../../kernel/time.ts';
import { subjectOfEvent } from '../../referrals/rules/referral-event.ts';
import { type Delivery, isEnabled, type Webhook, type WebhookFields } from '../rules/webhook.ts';
import { parsePeriod } from './past-events.ts';
import { DELIVERIES_QUERY } from './schema.ts';
import { deliveriesQuery, newWebhookBody, replayBody, resendBody, webhookChangesBody } from './validators.js';
import type { UncheckedChanges, WebhookWithSecret } from './webhooks.ts';

/** Parses the body that creates a webhook. `newWebhook` checks URL and events. Throws `InvalidField`. */
export function parseNewWebhook(json: unknown): WebhookFields {
  const { url, events, include_email: includeEmail = false } = validBody(json, newWebhookBody);
  return { url, events, includeEmail };
}

/** Parses the body that changes a webhook. `parseWebhookChanges` checks URL and events. Throws `InvalidField`. */
export function parseUpdate(json: unknown): UncheckedChanges {
  const { url, events, include_email: includeEmail, enabled } = validPatch(json, webhookChangesBody, {});
  return { url, events, includeEmail, enabled };
}

/** Parses the query of a list of deliveries. Throws `InvalidField`. */
export function parseDeliveriesQuery(event: QueryEvent) {
  const { succeeded_eq: succeeded, ...query } = validQuery(event, DELIVERIES_QUERY, deliveriesQuery);
  return { paging: parsePaging({ ...query, ...(succeeded !== undefined && { succeeded_eq: succeeded }) }), succeeded };
}

/** Parses the body that names an event, and returns the event's id. Throws `InvalidField`. */
export function parseResend(json: unknown): string {
  const { event_id: id } = validBody(json, resendBody);
  subjectOfEvent(id);
  return id;
}

/** Parses the body that names a period. Throws `InvalidField`. */
export function parseReplay(json: unknown) {
  const { since, until } = validBody(json, replayBody);
  return parsePeriod(since, until);
}

/** The attributes of a webhook, which never include its secrets. */
export function webhookAttributes(webhook: Webhook) {
  const { url, events, includeEmail, disabledReason, failingSince, createdAt } = webhook;
  return {
    url,
    events,
    include_email: includeEmail,
    enabled: isEnabled(webhook),
    disabled_reason: disabledReason,
    failing_since: failingSince,
    created_at: createdAt,
  };
}

/** Builds the resource of a webhook. */
export function toWebhook(webhook: Webhook) {
  return { id: webhook.id, type: 'webhook', attributes: webhookAttributes(webhook) } as const;
}

/** Builds the resource of a webhook with a new secret. */
export function toNewWebhook({ webhook, secret }: WebhookWithSecret) {
  const { attributes, ...resource } = toWebhook(webhook);
  return { ...resource, attributes: { secret, ...attributes } } as const;
}

/** Builds the resource of an attempt to deliver an event. */
export function toDelivery({ eventId, eventType, status, error, attempt, durationMs, startedAt }: Delivery) {
  return {
    id: `${Math.floor(startedAt)}.${eventId}`,
    type: 'delivery',
    attributes: {
      event_id: eventId,
      event: eventType,
      status,
      reason: error,
      attempt,
      duration_ms: durationMs,
      created_at: secondOf(startedAt),
    },
  } as const;
}

/** Builds the resource that says how many events are queued for a webhook. */
export function toReplay({ id }: Webhook, queued: number) {
  return { id, type: 'replay', attributes: { queued } } as const;
}
