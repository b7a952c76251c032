import type { JSONSchema } from 'json-schema-to-ts';
import { ID, TIME } from '../../kernel/fields/schemas.ts';
import { dataOf, exact, LIST_PARAMETERS, listOf, resource, timestampParameter } from '../../kernel/http/schema.ts';
import { EVENT_ID_PATTERN } from '../../referrals/rules/referral-event.ts';
import { EVENT_TYPES } from '../rules/event.ts';
import { DELIVERY_ERRORS, DISABLED_REASONS, MAX_URL } from '../rules/webhook.ts';

const URL_TEXT = {
  type: 'string',
  maxLength: MAX_URL,
  description: 'An https address without credentials, whose host has public addresses only.',
  examples: ['https://shop.example/webhooks'],
} as const;
const EVENTS = { type: 'array', items: { type: 'string', enum: EVENT_TYPES } } as const;
const EVENTS_INPUT = {
  ...EVENTS,
  minItems: 1,
  description: 'The types of events to send.',
  examples: [['referral.converted', 'referral.paid']],
} as const;
const INCLUDE_EMAIL = { type: 'boolean', description: "True adds the customer's email to the events." } as const;

export const NEW_WEBHOOK_BODY = {
  type: 'object',
  required: ['url'],
  properties: {
    url: URL_TEXT,
    events: {
      ...EVENTS_INPUT,
      description: 'The types of events to send; by default all of referrals except `referral.clicked`.',
    },
    include_email: { ...INCLUDE_EMAIL, default: false },
  },
} as const satisfies JSONSchema;

/** Fields that are absent stay as they are. */
export const WEBHOOK_CHANGES_BODY = {
  type: 'object',
  properties: {
    url: URL_TEXT,
    events: EVENTS_INPUT,
    include_email: INCLUDE_EMAIL,
    enabled: {
      type: 'boolean',
      description: 'False disables the webhook, with the reason `merchant`. True enables it and forgets its failures.',
    },
  },
} as const satisfies JSONSchema;

export const DELIVERIES_QUERY = {
  type: 'object',
  properties: {
    per_page: LIST_PARAMETERS.per_page,
    cursor: LIST_PARAMETERS.cursor,
    succeeded_eq: {
      type: 'boolean',
      description:
        'Only attempts with a 2xx response, or only others. A page then reads at most 2,000 attempts: it may be short or empty although `has_more` is true.',
    },
  },
} as const satisfies JSONSchema;

export const RESEND_BODY = {
  type: 'object',
  required: ['event_id'],
  properties: {
    event_id: {
      type: 'string',
      pattern: EVENT_ID_PATTERN,
      description: "The event's id, as its header `webhook-id` contains it.",
      examples: ['019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071.2'],
    },
  },
} as const satisfies JSONSchema;

export const REPLAY_BODY = {
  type: 'object',
  required: ['since'],
  properties: {
    since: { ...timestampParameter('The first second of the period.'), description: 'The first second of the period.' },
    until: {
      ...timestampParameter(''),
      description: 'The last second of the period, at most 7 days after `since`; by default now.',
    },
  },
} as const satisfies JSONSchema;

const ATTRIBUTES = {
  url: { type: 'string' },
  events: EVENTS,
  include_email: { type: 'boolean' },
  enabled: { type: 'boolean' },
  disabled_reason: {
    type: ['string', 'null'],
    enum: [...DISABLED_REASONS, null],
    description:
      'Why it is disabled: its receiver responded with 410 (`gone`), its deliveries failed for 5 days (`failing`), or as its `merchant` wished.',
  },
  failing_since: {
    ...TIME,
    type: ['integer', 'null'],
    description: 'Unix seconds, UTC: the first of the failures in a row; `null` after a success.',
  },
  created_at: TIME,
} as const;

export const WEBHOOK = /* @__PURE__ */ resource('webhook', ATTRIBUTES);
export const WEBHOOK_DATA = /* @__PURE__ */ dataOf(WEBHOOK);
export const WEBHOOK_LIST = /* @__PURE__ */ exact({ data: { type: 'array', items: WEBHOOK } });
export const NEW_WEBHOOK = /* @__PURE__ */ resource('webhook', {
  secret: {
    type: 'string',
    description: 'Signs the events, as Standard Webhooks describes. It is shown only once.',
    examples: [`whsec_${'0'.repeat(32)}`],
  },
  ...ATTRIBUTES,
});
export const NEW_WEBHOOK_DATA = /* @__PURE__ */ dataOf(NEW_WEBHOOK);

export const DELIVERY = /* @__PURE__ */ resource(
  'delivery',
  {
    event_id: { type: 'string' },
    event: { type: 'string', description: 'The type of the event.' },
    status: { type: ['integer', 'null'], description: "Status of the receiver's response; `null` without a response." },
    reason: {
      type: ['string', 'null'],
      enum: [...DELIVERY_ERRORS, null],
      description: 'Why there was no response; `null` with a response.',
    },
    attempt: { type: 'integer', description: 'From 1.' },
    duration_ms: { type: 'integer' },
    created_at: TIME,
  },
  { type: 'string', description: 'Unique for the webhook.' },
);
export const DELIVERY_DATA = /* @__PURE__ */ dataOf(DELIVERY);
export const DELIVERY_LIST = /* @__PURE__ */ listOf(DELIVERY);

export const REPLAY = /* @__PURE__ */ resource(
  'replay',
  { queued: { type: 'integer', description: 'Number of events that will be sent again.' } },
  { ...ID, description: 'The id of the webhook.' },
);
export const REPLAY_DATA = /* @__PURE__ */ dataOf(REPLAY);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  deliveriesQuery: DELIVERIES_QUERY,
  newWebhookBody: NEW_WEBHOOK_BODY,
  replayBody: REPLAY_BODY,
  resendBody: RESEND_BODY,
  webhookChangesBody: WEBHOOK_CHANGES_BODY,
};
