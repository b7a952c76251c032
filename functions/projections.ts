import { ADVOCATE_FIELDS } from './kernel/accounts/rules/advocate-fields.ts';
import { INDEXES, type IndexName } from './kernel/dynamodb/schema.ts';
import { projectedAttributes } from './kernel/fields/field-list.ts';
import { REFERRAL_FIELDS } from './referrals/rules/referral-fields.ts';

/**
 * The attributes of a referral that every index needs. The key `created` contains `created_at`, and the key
 * `owner_state` the state: an index with such a key does not repeat it, so that counts and deep pages cost less.
 */
const REFERRAL_ATTRIBUTES = projectedAttributes(REFERRAL_FIELDS);

/**
 * The indexes with the attributes that each contains besides its keys and the table's: what a list returns, so that
 * a page is one Query. The CDK stack and `npm start` create them; no function needs the attributes.
 */
export const PROJECTED_INDEXES = {
  by_created_at: {
    ...INDEXES.by_created_at,
    // Advocates and referrals share this index, and some of their attributes have the same names.
    nonKeyAttributes: [...new Set([...REFERRAL_ATTRIBUTES, 'state', ...projectedAttributes(ADVOCATE_FIELDS)])],
  },
  by_state: { ...INDEXES.by_state, nonKeyAttributes: REFERRAL_ATTRIBUTES },
  by_sub_id: { ...INDEXES.by_sub_id, nonKeyAttributes: [...REFERRAL_ATTRIBUTES, 'state'] },
  by_state_set_at: {
    ...INDEXES.by_state_set_at,
    nonKeyAttributes: [...REFERRAL_ATTRIBUTES, 'state', 'created_at'],
  },
  by_program_state: {
    ...INDEXES.by_program_state,
    // The keys contain the state and `state_set_at`, and `owner` the advocate.
    nonKeyAttributes: [...REFERRAL_ATTRIBUTES.filter((name) => name !== 'state_set_at'), 'owner', 'created_at'],
  },
} as const satisfies Record<IndexName, { readonly nonKeyAttributes: readonly string[] }>;
