import { example, type Operations } from '../../openapi/operation.ts';
import { PAID, PROGRAM } from '../../openapi/records.ts';
import { parseQuestion, toExplanation } from '../http/mapping.ts';
import type { EXPLAIN_ROUTES } from '../http/routes.ts';
import { EXPLAIN_BODY, EXPLANATION_DATA } from '../http/schema.ts';
import { explain } from '../rules/explanation.ts';
import type { Facts } from '../rules/verdicts.ts';

const FACTS: Facts = {
  question: { by: 'email', value: PAID.email ?? '', slug: null },
  code: undefined,
  referral: PAID,
  payment: undefined,
  entries: [],
  refusals: [],
  clickEnd: null,
  now: PAID.stateSetAt,
};
const explained = (facts: Partial<Facts>) => ({ data: toExplanation(PROGRAM, explain({ ...FACTS, ...facts })) });
const question = { by: 'payment_id', value: 'in_1042', slug: null } as const;
const refusal = {
  at: PAID.stateSetAt,
  source: 'stripe',
  outcome: 'no_reference',
  advocateSlug: null,
  code: null,
  eventId: 'evt_1TsOYXLkdIwHu7ix',
} as const;

/** Documents the operation. */
export const EXPLAIN_OPERATIONS: Operations<typeof EXPLAIN_ROUTES> = {
  explainCustomer: {
    summary: 'Explain a customer',
    description:
      'Says in a `verdict` why a customer is credited to an advocate, or not, in `advice` what is needed, and in `steps` what happened, oldest first. Send exactly one of `email`, `uid`, `id`, `gr_id`, `code` and `payment_id`, and `affiliate_slug` to ask about an advocate. The steps include requests with a token and events of Stripe that credited nobody: the last 20 of each identifier, for 30 days. An unknown customer returns 200 with the verdict `not_seen`.',
    body: {
      schema: EXPLAIN_BODY,
      parse: parseQuestion,
      examples: {
        by_email: example('By email', { email: PAID.email }),
        by_payment: example('By payment', { payment_id: 'in_1042' }),
        why_not: example('Why not this advocate?', { uid: PAID.customerUid, affiliate_slug: 'lena-lindqvist' }),
      },
    },
    successes: {
      200: {
        description: 'The explanation.',
        schema: EXPLANATION_DATA,
        examples: {
          credited: example('A paying customer', explained({})),
          refused: example(
            'A payment without a reference',
            explained({ question, referral: undefined, refusals: [refusal] }),
          ),
        },
      },
    },
  },
};
