/**
 * The one table and its indexes: what the CDK stack deploys and what the local start creates. Keys are strings.
 *
 * `owner` and `created` are shared by several indexes, so that an item holds each value once. An item is in an index
 * only where it has both of its keys: a click has no `owner`, and so touches no index but `by_state` (and
 * `by_sub_id` where it has a sub id).
 */
export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';
/** Items are deleted some time after the Unix second in this attribute (TTL wants seconds, not milliseconds). */
export const EXPIRY_ATTRIBUTE = 'expires_at';

const REFERRAL_ATTRIBUTES = [
  'email',
  'state',
  'state_set_at',
  'created_at',
  'updated_at',
  'sub_id',
  'rate',
  'rate_ends',
];
const ADVOCATE_ATTRIBUTES = ['slug', 'uid', 'first_name', 'last_name', 'company_id', 'company'];

interface IndexDefinition {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** What a list answers, so that a page is one Query. The keys of table and index are in every index anyway. */
  readonly nonKeyAttributes: readonly string[];
}

export const INDEXES = {
  by_created_at: {
    partitionKey: 'owner',
    sortKey: 'created',
    nonKeyAttributes: [...REFERRAL_ATTRIBUTES, ...ADVOCATE_ATTRIBUTES],
  },
  by_state: {
    partitionKey: 'owner_state',
    sortKey: 'created',
    nonKeyAttributes: REFERRAL_ATTRIBUTES,
  },
  by_sub_id: {
    partitionKey: 'owner_sub_id',
    sortKey: 'created',
    nonKeyAttributes: REFERRAL_ATTRIBUTES,
  },
  by_state_set_at: {
    partitionKey: 'owner',
    sortKey: 'state_set',
    nonKeyAttributes: REFERRAL_ATTRIBUTES,
  },
} as const satisfies Record<string, IndexDefinition>;

export type IndexName = keyof typeof INDEXES;
