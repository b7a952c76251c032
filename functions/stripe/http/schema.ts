import type { JSONSchema } from 'json-schema-to-ts';
import { REFUND_RULES } from '../../kernel/accounts/rules/program-fields.ts';
import { ID } from '../../kernel/fields/schemas.ts';
import { dataOf, resource } from '../../kernel/http/schema.ts';
import { MAX_SECRETS } from '../../kernel/secrets/secrets.ts';
import { SECRET_PATTERN } from './connection.ts';

const ON_REFUND = {
  type: 'string',
  enum: REFUND_RULES,
  description: 'What a refund in full does: nothing, or it rejects the referral.',
} as const;

export const STRIPE_BODY = {
  type: 'object',
  allOf: [{ anyOf: [{ required: ['secret'] }, { required: ['on_refund'] }] }],
  properties: {
    secret: {
      type: 'string',
      pattern: SECRET_PATTERN,
      description: 'The signing secret of the endpoint, as Stripe shows it.',
      examples: [`whsec_${'0'.repeat(32)}`],
    },
    on_refund: ON_REFUND,
  },
} as const satisfies JSONSchema;

export const STRIPE = /* @__PURE__ */ resource(
  'stripe',
  {
    url: { type: 'string', description: 'The URL of the endpoint to create at Stripe.' },
    secrets: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_SECRETS,
      description: 'Number of valid signing secrets. Without any, every event of Stripe is rejected.',
    },
    on_refund: ON_REFUND,
  },
  { ...ID, description: 'The id of the program.' },
);
export const STRIPE_DATA = /* @__PURE__ */ dataOf(STRIPE);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  stripeBody: STRIPE_BODY,
};
