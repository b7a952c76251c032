import type { Operations } from '../http/openapi.ts';
import { STRIPE_CONNECTION_OPERATIONS } from './stripe/openapi.ts';
import { WEBHOOK_OPERATIONS } from './webhooks/openapi.ts';
import { WEBHOOK_EVENT_OPERATIONS } from './webhooks/openapi-events.ts';

/** Documents the operations on webhooks and on the connection to Stripe. */
export const INTEGRATIONS_OPERATIONS: Operations<'integrations'> = {
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_EVENT_OPERATIONS,
  ...STRIPE_CONNECTION_OPERATIONS,
};
