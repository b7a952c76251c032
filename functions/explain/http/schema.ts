import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { GR_ID_PATTERN, SLUG_PATTERN } from '../../kernel/fields/fields.ts';
import { ID, NULLABLE_TEXT, TIME } from '../../kernel/fields/schemas.ts';
import { AFFILIATE_SLUG, dataOf, exact, resource } from '../../kernel/http/schema.ts';
import { ENTRY_ID } from '../../ledger/http/entry.ts';
import { CUSTOMER_REFERENCE } from '../../referrals/http/customer.ts';
import { ACTORS } from '../../referrals/rules/state.ts';
import { OUTCOMES } from '../rules/explanation.ts';
import { IDENTIFIERS, RULES } from '../rules/verdicts.ts';

const [EMAIL, UID, ID_OF_REFERRAL, GR_ID, CODE, PAYMENT_ID] = IDENTIFIERS;

export const EXPLAIN_BODY = {
  type: 'object',
  allOf: [
    {
      anyOf: [
        { required: [EMAIL] },
        { required: [UID] },
        { required: [ID_OF_REFERRAL] },
        { required: [GR_ID] },
        { required: [CODE] },
        { required: [PAYMENT_ID] },
      ],
    },
  ],
  properties: {
    ...CUSTOMER_REFERENCE,
    gr_id: { type: 'string', pattern: GR_ID_PATTERN, description: "Value of the visitor's cookie." },
    code: {
      type: 'string',
      pattern: `^${SLUG_PATTERN}$`,
      description: 'A promotion code, without case: whom would it credit?',
      examples: ['JANE20'],
    },
    payment_id: {
      ...ENTRY_ID,
      description: 'Your id of a payment, or at Stripe the id of the invoice, else of the payment intent.',
      examples: ['in_1042'],
    },
    affiliate_slug: {
      ...AFFILIATE_SLUG,
      description: 'The slug of the advocate who should be credited: "Why not Jane?"',
    },
  },
} as const satisfies JSONSchema;

const STEP = /* @__PURE__ */ (() =>
  exact({
    at: TIME,
    source: { type: 'string', enum: ACTORS },
    outcome: {
      type: 'string',
      enum: OUTCOMES,
      description:
        'A change of the referral, an entry of its ledger (a payment without a commission by its reason), or why a request credited nobody.',
    },
    affiliate_slug: { ...NULLABLE_TEXT, description: 'The advocate at that time.' },
    code: { ...NULLABLE_TEXT, description: 'The promotion code that decided, or that credited nobody.' },
    event_id: {
      ...NULLABLE_TEXT,
      description: "The id of the service's event, or of Stripe's event that was ignored.",
    },
  }))();

export const EXPLANATION = /* @__PURE__ */ (() =>
  resource(
    'explanation',
    {
      verdict: { type: 'string', enum: RULES.map(({ verdict }) => verdict) },
      advice: { type: 'string', description: 'What is needed, in one sentence.' },
      referral_id: {
        ...ID,
        type: ['string', 'null'],
        description: 'The id of the referral or click; `null` without one.',
      },
      affiliate_slug: { ...NULLABLE_TEXT, description: 'The advocate of the referral, or of the payment in question.' },
      steps: { type: 'array', items: STEP, description: 'What happened, oldest first.' },
    },
    { ...ID, description: "The referral's id; without a referral, the program's." },
  ))() satisfies JSONSchema;
export type ExplanationResource = FromSchema<typeof EXPLANATION>;
export const EXPLANATION_DATA = /* @__PURE__ */ dataOf(EXPLANATION);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = { explainBody: EXPLAIN_BODY };
