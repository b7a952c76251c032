import { milliseconds } from '../../kernel/time.ts';
import { example, type Operations } from '../../openapi/operation.ts';
import { PAID } from '../../openapi/records.ts';
import { parseDeliveriesQuery, parseReplay, parseResend, toDelivery, toReplay } from '../http/mapping.ts';
import type { WEBHOOK_ROUTES } from '../http/routes.ts';
import {
  DELIVERIES_QUERY,
  DELIVERY_DATA,
  DELIVERY_LIST,
  REPLAY_BODY,
  REPLAY_DATA,
  RESEND_BODY,
} from '../http/schema.ts';
import { WEBHOOK } from './webhooks.ts';

const EVENT_ID = `${PAID.id}.2`;
const startedAt = milliseconds(WEBHOOK.createdAt * 1000);
const OUTCOME = { status: 204, error: null, attempt: 1, durationMs: 120, startedAt };
const DELIVERY = toDelivery({ eventId: EVENT_ID, eventType: 'referral.paid', ...OUTCOME });
const TEST = toDelivery({
  eventId: 'test.7f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  eventType: 'webhook.test',
  ...OUTCOME,
});
const pagination = { page: 1, per_page: 25, has_more: false };

/** Documents the operations on the events of a webhook. */
export const WEBHOOK_EVENT_OPERATIONS: Pick<
  Operations<typeof WEBHOOK_ROUTES>,
  'testWebhook' | 'listDeliveries' | 'resendEvent' | 'replayEvents'
> = {
  testWebhook: {
    summary: 'Test a webhook',
    description:
      'Sends a signed event of the type `webhook.test`, also to a disabled webhook, and waits up to 15 seconds for the receiver. The response is 200 whatever the receiver does: `status` and `reason` say it. Tests are not listed with the deliveries, and do not count as failures.',
    successes: {
      200: {
        description: 'The attempt.',
        schema: DELIVERY_DATA,
        examples: { received: example('The receiver accepts the event', { data: TEST }) },
      },
    },
    errors: ['webhook_not_found'],
  },
  listDeliveries: {
    summary: 'List the deliveries of a webhook',
    description:
      'Lists the attempts of the last 7 days to deliver events, newest first. Follow `Link` to the next page: there are no page numbers.',
    query: { schema: DELIVERIES_QUERY, parse: parseDeliveriesQuery },
    successes: {
      200: {
        description: 'A page of deliveries.',
        headers: ['NextPage'],
        schema: DELIVERY_LIST,
        examples: { one: example('One delivery', { data: [DELIVERY], meta: { pagination } }) },
      },
    },
    errors: ['webhook_not_found'],
  },
  resendEvent: {
    summary: 'Send an event again',
    description:
      "Queues any change of the program for the webhook, whether it subscribed to its type or not. The event is rebuilt from the referral's history or the ledger, with its original id. Histories have at most 100 entries. The request can safely be repeated: receivers recognize repeated events by their ids.",
    body: {
      schema: RESEND_BODY,
      parse: parseResend,
      examples: { payment: example('A payment', { event_id: EVENT_ID }) },
    },
    successes: {
      202: {
        description: 'The event is queued.',
        schema: REPLAY_DATA,
        examples: { payment: example('A payment', { data: toReplay(WEBHOOK, 1) }) },
      },
    },
    errors: ['webhook_not_found', 'event_not_found', 'webhook_disabled'],
  },
  replayEvents: {
    summary: 'Send the events of a period again',
    description:
      'Queues the events of a period for the webhook, of the types to which it subscribed, with their original ids. Both times are inclusive. A request reads at most 10,000 payments, refunds, and referrals that changed since the start of the period, and takes at most 20 seconds: `webhook replay` at the command line has no limit. The request can safely be repeated.',
    body: {
      schema: REPLAY_BODY,
      parse: parseReplay,
      examples: {
        morning: example('Half a day', { since: '2026-11-01T00:00:00Z', until: '2026-11-01T12:00:00Z' }),
      },
    },
    successes: {
      200: {
        description: 'All events of the period are queued.',
        schema: REPLAY_DATA,
        examples: { morning: example('Half a day', { data: toReplay(WEBHOOK, 12) }) },
      },
    },
    errors: ['range_too_large', 'webhook_not_found', 'webhook_disabled'],
  },
};
