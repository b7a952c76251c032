import { ADVOCATE_FIELDS } from '../domain/advocate-fields.ts';
import { projectedAttributes } from '../domain/field-list.ts';
import { REFERRAL_FIELDS } from '../domain/referral/referral-fields.ts';

/**
 * The table and its indexes, which the CDK stack deploys and `npm start` creates. Keys are strings.
 *
 * Several indexes share `owner` and `created`, so that an item stores each value once. An index contains only items
 * that have both of its keys: a click has no `owner`, so it is only in `by_state` and, with a sub id, in `by_sub_id`.
 */
export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';
/** The TTL attribute, in Unix seconds. DynamoDB deletes an item within days after that time. */
export const EXPIRY_ATTRIBUTE = 'expires_at';

/**
 * The attributes of a referral that every index needs. The key `created` contains `created_at`, and the key
 * `owner_state` the state: an index with such a key does not repeat it, so that counts and deep pages cost less.
 */
const REFERRAL_ATTRIBUTES = /* @__PURE__ */ projectedAttributes(REFERRAL_FIELDS);
/** Advocates and referrals share this index, and some of their attributes have the same names. */
const ALL_ATTRIBUTES = /* @__PURE__ */ (() =>
  new Set([...REFERRAL_ATTRIBUTES, 'state', ...projectedAttributes(ADVOCATE_FIELDS)]))();

interface IndexDefinition {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** The attributes that a list returns, so that a page is one Query. DynamoDB adds the keys of table and index. */
  readonly nonKeyAttributes: readonly string[];
}

/** Functions that query no index do not contain it. */
export const INDEXES = /* @__PURE__ */ (() =>
  ({
    by_created_at: {
      partitionKey: 'owner',
      sortKey: 'created',
      nonKeyAttributes: [...ALL_ATTRIBUTES],
    },
    by_state: { partitionKey: 'owner_state', sortKey: 'created', nonKeyAttributes: REFERRAL_ATTRIBUTES },
    by_sub_id: {
      partitionKey: 'owner_sub_id',
      sortKey: 'created',
      nonKeyAttributes: [...REFERRAL_ATTRIBUTES, 'state'],
    },
    by_state_set_at: {
      partitionKey: 'owner',
      sortKey: 'state_set',
      nonKeyAttributes: [...REFERRAL_ATTRIBUTES, 'state', 'created_at'],
    },
    by_program_state: {
      partitionKey: 'program_state',
      sortKey: 'state_set',
      // The keys contain the state and `state_set_at`, and `owner` the advocate.
      nonKeyAttributes: [...REFERRAL_ATTRIBUTES.filter((name) => name !== 'state_set_at'), 'owner', 'created_at'],
    },
  }) as const satisfies Record<string, IndexDefinition>)();

export type IndexName = keyof typeof INDEXES;
