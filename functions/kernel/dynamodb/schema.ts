/**
 * The keys of the table and of its indexes. Keys are strings.
 *
 * Several indexes share `owner` and `created`, so that an item stores each value once. An index contains only items
 * that have both of its keys: a click has no `owner`, so it is only in `by_state` and, with a sub id, in `by_sub_id`.
 */
export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';
/** The TTL attribute, in Unix seconds. DynamoDB deletes an item within days after that time. */
export const EXPIRY_ATTRIBUTE = 'expires_at';

/** The indexes. `functions/projections.ts` has the attributes that each contains. */
export const INDEXES = {
  by_created_at: { partitionKey: 'owner', sortKey: 'created' },
  by_state: { partitionKey: 'owner_state', sortKey: 'created' },
  by_sub_id: { partitionKey: 'owner_sub_id', sortKey: 'created' },
  by_state_set_at: { partitionKey: 'owner', sortKey: 'state_set' },
  by_program_state: { partitionKey: 'program_state', sortKey: 'state_set' },
} as const;

export type IndexName = keyof typeof INDEXES;
