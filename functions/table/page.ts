import { InvalidCursor } from '../domain/errors.ts';
import { type Item, required, text } from './item.ts';
import { firstSortKey, isSortKey, justBefore } from './keys.ts';
import type { Plan } from './plan.ts';
import { INDEXES } from './schema.ts';
import type { Query, Table } from './table.ts';

/** Where a page begins: after a number of rows, or right after the row with a sort key. */
export type PageStart = { readonly skip: number } | { readonly after: string };

export interface Page {
  readonly items: readonly Item[];
  /** Sort key of the last row, where one more row follows it: the place to go on from. */
  readonly next: string | undefined;
}

const EMPTY: Page = { items: [], next: undefined };
/** Far more rows than one answer of a megabyte holds: DynamoDB takes no number beyond 32 bits. */
const HIGHEST_LIMIT = 1_000_000;
/** With a filter, each request reads this many times more rows than the one before: few requests, little read in vain. */
const GROWTH = 4;

/** Reads `size` rows of a plan, newest first: as many requests as the page's depth needs, one for a first page. */
export async function readPage(table: Table, plan: Plan, start: PageStart, size: number): Promise<Page> {
  if ('after' in start && !isSortKey(start.after)) throw new InvalidCursor();
  const query = queryOf(plan, 'after' in start ? start.after : undefined);
  if (!query) return EMPTY;

  let skip = 'skip' in start ? start.skip : 0;
  let from: Query['ExclusiveStartKey'];
  // Rows that are only counted cost the same capacity but no transfer. With a filter a count would overshoot.
  while (skip > 0 && !query.FilterExpression) {
    const page = await table.query({
      ...query,
      Select: 'COUNT',
      Limit: Math.min(skip, HIGHEST_LIMIT),
      ExclusiveStartKey: from,
    });
    skip -= page.count;
    from = page.lastKey;
    if (!from) return EMPTY;
  }

  // One row more than the page holds tells whether there are more.
  const wanted = size + 1;
  const rows: Item[] = [];
  let limit = Math.min(skip + wanted, HIGHEST_LIMIT);
  do {
    const page = await table.query({ ...query, Limit: limit, ExclusiveStartKey: from });
    rows.push(...page.items.slice(skip));
    skip = Math.max(0, skip - page.items.length);
    from = page.lastKey;
    limit = Math.min(limit * GROWTH, HIGHEST_LIMIT);
  } while (from && rows.length < wanted);

  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  return { items, next: last && required(last, INDEXES[plan.index].sortKey, text) };
}

/** The Query that all requests of a page share; `undefined` where no row can fit. */
function queryOf({ index, partition, range, filter }: Plan, after: string | undefined) {
  const { partitionKey, sortKey } = INDEXES[index];
  const lowest = firstSortKey(range.from);
  const end = firstSortKey(range.to);
  // A place that lies beyond the range's end goes on from that end.
  const highest = after !== undefined && after < end ? justBefore(after) : end;
  if (lowest >= highest || (filter.createdAt && filter.createdAt.from >= filter.createdAt.to)) return undefined;
  const { conditions, values } = filterOf(filter);
  return {
    IndexName: index,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :lowest AND :highest',
    FilterExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    ExpressionAttributeNames: {
      '#partition': partitionKey,
      '#sort': sortKey,
      ...(filter.state && { '#state': 'state' }),
    },
    ExpressionAttributeValues: { ':partition': partition, ':lowest': lowest, ':highest': highest, ...values },
    ScanIndexForward: false,
  } satisfies Query;
}

function filterOf({ state, subId, createdAt }: Plan['filter']) {
  const conditions: string[] = [];
  const values: Record<string, string | number> = {};
  if (state) {
    conditions.push('#state = :state');
    values[':state'] = state;
  }
  if (subId !== undefined) {
    conditions.push('sub_id = :sub_id');
    values[':sub_id'] = subId;
  }
  if (createdAt) {
    conditions.push('created_at >= :created_from AND created_at < :created_to');
    values[':created_from'] = createdAt.from;
    values[':created_to'] = createdAt.to;
  }
  return { conditions, values };
}
