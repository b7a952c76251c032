import { namesIn, schemasIn } from '../../kernel/fields/field-list.ts';
import { ID, TIME } from '../../kernel/fields/schemas.ts';
import { ENTRY_EVENT_TYPES } from '../../ledger/rules/entry-event.ts';
import { ENTRY_FIELDS } from '../../ledger/rules/entry-fields.ts';
import { example, type JsonObject } from '../../openapi/operation.ts';
import { PAID } from '../../openapi/records.ts';
import { APPLICATION_EVENT_TYPES } from '../../people/rules/applications/application-event.ts';
import { MERCHANT_REFERRAL } from '../../referrals/http/referral.ts';
import { eventBody, eventsOf, REFERRAL_EVENT_TYPES } from '../../referrals/rules/referral-event.ts';
import { REFERRAL_FIELDS } from '../../referrals/rules/referral-fields.ts';
import { ACTORS, STATES } from '../../referrals/rules/state.ts';

const { state, state_set_at, created_at, sub_id, affiliate_slug, commission_percentage, commission_end_date } =
  MERCHANT_REFERRAL.properties.attributes.properties;

const DATA = {
  id: ID,
  state,
  previous_state: {
    type: ['string', 'null'],
    enum: [...STATES, null],
    description: '`null` for the first entry of the history; equal to `state` for moves and erasures.',
  },
  state_set_at,
  created_at,
  sub_id,
  affiliate_slug,
  advocate_id: { type: ['string', 'null'], description: "The service's id of the advocate; `null` if it is unknown." },
  commission_percentage,
  commission_end_date,
  ...schemasIn(REFERRAL_FIELDS, 'event'),
  by: { type: 'string', enum: ACTORS.filter((actor) => actor !== 'import'), description: 'Who made the change.' },
} as const;

/** The body of an event. Types and fields may be added, so it allows more than it lists. */
export const REFERRAL_EVENT = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: {
      type: 'string',
      examples: REFERRAL_EVENT_TYPES,
      description: `One of ${REFERRAL_EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}. More may follow.`,
    },
    timestamp: { type: 'string', format: 'date-time', description: 'The time of the change.' },
    data: {
      type: 'object',
      required: Object.keys(DATA),
      properties: {
        ...DATA,
        from: {
          type: 'string',
          description: 'Only in `referral.reassigned`: the slug of the advocate before the move.',
        },
        to: { type: 'string', description: 'Only in `referral.reassigned`: the slug of the advocate after the move.' },
        email: {
          type: ['string', 'null'],
          description: 'Only for webhooks created with `--include-email`; `null` if it is unknown or was erased.',
        },
      },
    },
  },
} as const satisfies JsonObject;

/** The body of an event of the ledger. */
export const ENTRY_EVENT = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', examples: ENTRY_EVENT_TYPES, description: 'A payment was recorded, or refunded.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it was recorded.' },
    data: {
      type: 'object',
      required: ['id', ...namesIn(ENTRY_FIELDS, 'api')],
      properties: { id: ID, ...schemasIn(ENTRY_FIELDS, 'api') },
    },
  },
} as const satisfies JsonObject;

/** The body of an event of an application. */
export const APPLICATION_EVENT = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', examples: APPLICATION_EVENT_TYPES, description: 'An application waits, or was decided.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it was confirmed or decided.' },
    data: {
      type: 'object',
      required: ['id', 'state', 'affiliate_slug'],
      properties: {
        id: ID,
        state: { type: 'string', enum: ['pending', 'approved', 'rejected'] },
        affiliate_slug: { type: ['string', 'null'], description: 'The advocate that an approval created.' },
      },
    },
  },
} as const satisfies JsonObject;

/** The body that `webhook test` sends. */
export const TEST_EVENT = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', const: 'webhook.test' } },
} as const satisfies JsonObject;

const HEADERS = {
  'webhook-id': {
    description:
      "The event's id, `<referral id>.<number of the change>`, `<entry id>.1`, or `<application id>.1` and `.2`: the same in each attempt and in each replay. For `webhook test`, it is `test.<UUID>`.",
    schema: { type: 'string' },
  },
  'webhook-timestamp': { description: 'When this attempt was signed.', schema: TIME },
  'webhook-signature': {
    description:
      '`v1,<HMAC-SHA256 over "<webhook-id>.<webhook-timestamp>.<body>" in base64>`, as defined by [Standard Webhooks](https://www.standardwebhooks.com). For 24 hours after a rotation, it contains two signatures separated by a space.',
    schema: { type: 'string' },
  },
} as const;

const PAYMENT =
  eventsOf(PAID)
    .map((event) => eventBody(event, { ...PAID, advocateId: null }))
    .at(-1) ?? null;

/** Documents the requests that the service sends to webhooks: `webhooks` of the OpenAPI document. */
export const EVENT_WEBHOOKS: JsonObject = {
  'referral-event': {
    post: {
      operationId: 'receiveReferralEvent',
      summary: 'Receive a change of a referral',
      description:
        'The service sends each change of a referral, and to webhooks that subscribe to them each payment, refund and application, to the webhooks of the program (`webhook create`), at least once and in no particular order. Verify the signature, store the event, and respond with 2xx within 15 seconds. Any other response is a failure, after which the service sends the event again, up to nine times in a little more than three days. A webhook to which every delivery failed for 5 days is disabled. `webhook test` sends only a type. Ignore types and fields that you do not know.',
      tags: ['Events'],
      security: [],
      parameters: Object.entries(HEADERS).map(([name, header]) => ({
        name,
        in: 'header',
        required: true,
        ...header,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { anyOf: [REFERRAL_EVENT, ENTRY_EVENT, APPLICATION_EVENT, TEST_EVENT] },
            examples: {
              paid: example('The customer paid', PAYMENT),
              test: example('`webhook test`', { type: 'webhook.test' }),
            },
          },
        },
      },
      responses: {
        '2XX': { description: 'The event is delivered.' },
        410: { description: 'Disables the webhook until `webhook enable`. Its pending events are dropped.' },
        default: { description: 'The service sends the event again. It does not follow redirects.' },
      },
    },
  },
};
