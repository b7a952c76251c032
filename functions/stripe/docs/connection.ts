import { example, type Operations } from '../../openapi/operation.ts';
import { PROGRAM } from '../../openapi/records.ts';
import { stripePath } from '../http/connection.ts';
import { parseStripe, toStripe } from '../http/mapping.ts';
import type { STRIPE_CONNECTION_ROUTES } from '../http/routes.ts';
import { STRIPE_BODY, STRIPE_DATA } from '../http/schema.ts';

const URL = `https://api.example.com${stripePath(PROGRAM.id)}`;
const BODY = { secret: `whsec_${'0'.repeat(32)}`, on_refund: 'reject' };
const connected = (count: number) => ({
  connected: example('Connected', toStripe({ program: PROGRAM.id, secrets: count, onRefund: 'reject' }, URL)),
});

/** Documents the operations on the connection to Stripe. */
export const STRIPE_CONNECTION_OPERATIONS: Operations<typeof STRIPE_CONNECTION_ROUTES> = {
  getStripe: {
    summary: 'Get the connection to Stripe',
    description: 'Returns the URL of the endpoint to create at Stripe, and whether its events are accepted.',
    successes: { 200: { description: 'The connection.', schema: STRIPE_DATA, examples: connected(1) } },
  },
  connectStripe: {
    summary: 'Connect Stripe',
    description:
      'Adds the signing secret of an endpoint at Stripe, or changes what a refund in full does; fields that are absent stay. The two newest secrets are valid, so that a secret can be replaced without a gap. Secrets are never returned. The change takes effect within 30 seconds. The request can safely be repeated.',
    body: {
      schema: STRIPE_BODY,
      parse: parseStripe,
      examples: { connect: example('A secret, and refunds that reject', BODY) },
    },
    successes: {
      200: { description: 'The connection after the change.', schema: STRIPE_DATA, examples: connected(1) },
    },
  },
  disconnectStripe: {
    summary: 'Disconnect Stripe',
    description:
      'Removes all signing secrets: within 30 seconds, every event of Stripe is rejected. Delete the endpoint at Stripe first, because Stripe repeats rejected events for days. The request can safely be repeated.',
    successes: { 204: { description: 'There is no secret, removed by this request or by an earlier one.' } },
  },
};
