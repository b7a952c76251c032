import { STRIPE_BODY } from './stripe/schema.ts';
import {
  DELIVERIES_QUERY,
  NEW_WEBHOOK_BODY,
  REPLAY_BODY,
  RESEND_BODY,
  WEBHOOK_CHANGES_BODY,
} from './webhooks/schema.ts';

// The declarations of the validators import them from here.
export { DELIVERIES_QUERY, NEW_WEBHOOK_BODY, REPLAY_BODY, RESEND_BODY, STRIPE_BODY, WEBHOOK_CHANGES_BODY };

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  deliveriesQuery: DELIVERIES_QUERY,
  newWebhookBody: NEW_WEBHOOK_BODY,
  replayBody: REPLAY_BODY,
  resendBody: RESEND_BODY,
  stripeBody: STRIPE_BODY,
  webhookChangesBody: WEBHOOK_CHANGES_BODY,
};
