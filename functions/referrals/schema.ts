import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { MAX_SUB_ID, TEXT_PATTERN } from '../domain/fields.ts';
import { STATES } from '../domain/state.ts';
import { LIST_PARAMETERS, listOf, resource, TIME, timestampParameter } from '../http/schema.ts';

export const REFERRALS_QUERY = {
  type: 'object',
  properties: {
    state_eq: {
      type: 'string',
      enum: STATES,
      description: 'Only referrals in this state. Clicks are listed only with `state_eq=clicked`.',
    },
    sub_id_eq: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_SUB_ID,
      pattern: TEXT_PATTERN,
      description: 'Only referrals with exactly this sub id.',
      examples: ['newsletter'],
    },
    ...LIST_PARAMETERS,
    state_set_at_lt: timestampParameter('State set strictly before this moment.'),
    state_set_at_gt: timestampParameter('State set strictly after this moment.'),
  },
} as const satisfies JSONSchema;

export const LISTED_REFERRAL = /* @__PURE__ */ resource('referral', {
  email: { type: ['string', 'null'], description: '`null` for a click, or if it is unknown or was erased.' },
  state: { type: 'string', enum: STATES },
  state_set_at: TIME,
  created_at: TIME,
  updated_at: TIME,
  sub_id: { type: ['string', 'null'] },
  commission_percentage: { type: ['number', 'null'], description: '`null` if no rate is set.' },
  commission_end_date: {
    type: ['integer', 'null'],
    examples: [1_798_761_600],
    description: 'Unix seconds, UTC; `null` before the conversion, or if the commission never ends.',
  },
}) satisfies JSONSchema;
export type ListedReferralResource = FromSchema<typeof LISTED_REFERRAL>;
export const REFERRAL_LIST = /* @__PURE__ */ listOf(LISTED_REFERRAL);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = { referralsQuery: REFERRALS_QUERY };
