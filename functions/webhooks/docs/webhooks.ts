import { seconds } from '../../kernel/time.ts';
import { example, type Operations } from '../../openapi/operation.ts';
import { parseNewWebhook, parseUpdate, toNewWebhook, toWebhook } from '../http/mapping.ts';
import type { WEBHOOK_ROUTES } from '../http/routes.ts';
import {
  NEW_WEBHOOK_BODY,
  NEW_WEBHOOK_DATA,
  WEBHOOK_CHANGES_BODY,
  WEBHOOK_DATA,
  WEBHOOK_LIST,
} from '../http/schema.ts';
import { changeWebhook, newWebhook, type WebhookFields } from '../rules/webhook.ts';

const ID = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a74';
const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const SECRET = `whsec_${'0'.repeat(32)}`;

/** The demo shop receives it. */
const BODY = { url: 'http://localhost:3000/demo/webhook', events: ['referral.converted', 'referral.paid'] };
export const WEBHOOK = newWebhook(parseNewWebhook(BODY) satisfies WebhookFields, ID, NOW, true);
const CHANGES = { enabled: false };
const DISABLED = changeWebhook(WEBHOOK, { enabled: false });

const one = (webhook: typeof WEBHOOK) => ({ webhook: example('A webhook', { data: toWebhook(webhook) }) });
const withSecret = { webhook: example('A webhook', { data: toNewWebhook({ webhook: WEBHOOK, secret: SECRET }) }) };

/** Documents the operations on webhooks. */
export const WEBHOOK_OPERATIONS: Pick<
  Operations<typeof WEBHOOK_ROUTES>,
  'listWebhooks' | 'createWebhook' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'
> = {
  listWebhooks: {
    summary: 'List webhooks',
    description: 'Lists the webhooks of the program, newest first, on one page. Their secrets are never listed.',
    successes: {
      200: {
        description: 'The webhooks.',
        schema: WEBHOOK_LIST,
        examples: { one: example('One webhook', { data: [toWebhook(WEBHOOK)] }) },
      },
    },
  },
  createWebhook: {
    summary: 'Create a webhook',
    description:
      'Creates a webhook, which sends events to the receiver at `url`. Deliveries start within 30 seconds. A program has at most 20 webhooks. A repeated request creates another webhook. The local service also accepts http addresses of its own machine.',
    body: {
      schema: NEW_WEBHOOK_BODY,
      parse: parseNewWebhook,
      examples: { shop: example('For conversions and payments', BODY) },
    },
    successes: {
      201: {
        description: 'The webhook with its secret, which is shown only once.',
        schema: NEW_WEBHOOK_DATA,
        examples: withSecret,
      },
    },
    errors: ['too_many_webhooks'],
  },
  getWebhook: {
    summary: 'Get a webhook',
    description: 'Returns a webhook, and whether its deliveries fail.',
    successes: { 200: { description: 'The webhook.', schema: WEBHOOK_DATA, examples: one(WEBHOOK) } },
    errors: ['webhook_not_found'],
  },
  updateWebhook: {
    summary: 'Change a webhook',
    description:
      'Changes the fields that are given: absent fields stay, and `{}` changes nothing. Failures are forgotten if the webhook is enabled or gets another URL. The change takes effect within 30 seconds. Events that occur while it is disabled are not queued: replay them. The request can safely be repeated.',
    body: {
      schema: WEBHOOK_CHANGES_BODY,
      parse: parseUpdate,
      examples: { disable: example('Stop the deliveries', CHANGES) },
    },
    successes: { 200: { description: 'The webhook after the change.', schema: WEBHOOK_DATA, examples: one(DISABLED) } },
    errors: ['webhook_not_found'],
  },
  deleteWebhook: {
    summary: 'Delete a webhook',
    description:
      'Deletes a webhook and its secrets. Pending deliveries are dropped within 30 seconds. After a lost response, a repetition returns 404.',
    successes: { 204: { description: 'The webhook is deleted.' } },
    errors: ['webhook_not_found'],
  },
  rotateWebhookSecret: {
    summary: 'Create a new secret for a webhook',
    description:
      'Creates a new signing secret. For 24 hours, events are signed with the new secret and the previous one. A second rotation within that time ends the oldest secret immediately. A repeated request is another rotation.',
    successes: {
      200: {
        description: 'The webhook with its new secret, which is shown only once.',
        schema: NEW_WEBHOOK_DATA,
        examples: withSecret,
      },
    },
    errors: ['webhook_not_found'],
  },
};
