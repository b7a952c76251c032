import { ID } from '../../kernel/fields/schemas.ts';
import { example, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE, CLICK_STRIPE, PAID } from '../../openapi/records.ts';
import { SETTABLE_STATES } from '../../referrals/rules/state.ts';
import type { STRIPE_EVENT_ROUTES } from '../http/event-routes.ts';
import { STRIPE_EVENTS } from '../rules/event-types.ts';
import { IGNORED } from '../rules/provider-event.ts';

const ENTRY = {
  ...ID,
  description: 'The id of the entry of the ledger that the event wrote, now or before.',
} as const;
const COMMON = { object: 'event', created: 1_793_610_000 } as const;

/** Documents the endpoint for Stripe. */
export const STRIPE_OPERATIONS: Operations<typeof STRIPE_EVENT_ROUTES> = {
  receiveStripeEvent: {
    summary: 'Receive an event of Stripe',
    description: [
      `The webhook endpoint to enter at Stripe, so that payments arrive without code. The events ${STRIPE_EVENTS.map((type) => `\`${type}\``).join(', ')} change referrals and the ledger; all others are ignored.`,
      '',
      '* The customer is the first match of: `metadata.uid`, the Stripe customer (stored when it first matches), the email, and the referral that the click of the `gr_id` became. `gr_id` is read from `client_reference_id` or `metadata.gr_id`.',
      '* A match by email or `gr_id` does not count if the event contains a `uid` or a Stripe customer, and the referral only has others: `mismatched_customer`. In this case, a checkout whose email is new creates a referral of its own by its `gr_id`.',
      '* A completed checkout of an unknown customer with a `gr_id` creates the referral. A payment sets `paid`, the end of a subscription `churned`. A refund in full is ignored, or rejects the referral if the program is set so.',
      '* Paid invoices and checkouts record payments in the ledger, also where the state does not change. Refunds and disputes take back their part of the commission. If their payment is not known yet, they wait for it for 30 days. Nothing is counted twice or lost, in any order.',
      '* Events are ordered by their own time. Out-of-order and duplicate events converge to the same state, provided the customer is already known when each arrives.',
      "* Every event with a valid signature and at most 256 KiB returns 200, because Stripe disables endpoints that return 4xx. There are three exceptions, after which Stripe sends the event again: 503 if the table or the store of secrets does not respond in time or other changes of the same referral keep coming first, the gateway's 429 above the limit of the route, and 500 after an error in the service.",
      '* The content type has no effect.',
      '* `stripe simulate` sends signed events. The API reference of `npm start` signs them with the secret of the demo.',
    ].join('\n'),
    signedBody: {
      description: 'An [event](https://docs.stripe.com/api/events/object) of at most 256 KiB.',
      schema: {
        type: 'object',
        properties: {
          object: { type: 'string', const: 'event' },
          id: { type: 'string' },
          type: { type: 'string' },
          created: { type: 'integer', description: 'Unix seconds.' },
          data: { type: 'object', properties: { object: { type: 'object' } } },
        },
      },
      examples: {
        checkout: example('A checkout that was paid', {
          ...COMMON,
          id: 'evt_1',
          type: 'checkout.session.completed',
          data: {
            object: {
              mode: 'subscription',
              payment_status: 'paid',
              amount_total: 2400,
              customer: 'cus_1',
              customer_details: { email: 'buyer@example.com' },
              client_reference_id: `${ADVOCATE.slug}_${CLICK_STRIPE.id}`,
            },
          },
        }),
        cancellation: example('A subscription that ended', {
          ...COMMON,
          id: 'evt_2',
          type: 'customer.subscription.deleted',
          data: { object: { customer: 'cus_1', metadata: { uid: PAID.customerUid ?? '' } } },
        }),
      },
    },
    successes: {
      200: {
        description: 'The state of the referral afterwards, or why its state did not change.',
        schema: {
          oneOf: [
            {
              type: 'object',
              additionalProperties: false,
              required: ['applied'],
              properties: { applied: { type: 'string', enum: SETTABLE_STATES }, entry: ENTRY },
            },
            {
              type: 'object',
              additionalProperties: false,
              required: ['ignored'],
              properties: { ignored: { type: 'string', enum: IGNORED }, entry: ENTRY },
            },
          ],
        },
        examples: {
          applied: example('The referral is paid', { applied: 'paid' }),
          ignored: example('No referral has this customer', { ignored: 'unknown_customer' }),
        },
      },
    },
  },
};
