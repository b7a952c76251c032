import { InvalidCursor } from '../domain/errors.ts';
import { type Item, required, text } from './item.ts';
import { firstSortKey, isSortKey, justBefore } from './keys.ts';
import type { Plan } from './plan.ts';
import { INDEXES } from './schema.ts';
import type { Query, Rows, Table } from './table.ts';

/** The start of a page: after a number of rows, or right after the row with a sort key. */
export type PageStart = { readonly skip: number } | { readonly after: string };

export interface Page {
  readonly items: readonly Item[];
  /** Sort key of the last row, to continue from; `undefined` if no row follows. */
  readonly next: string | undefined;
}

const EMPTY: Page = { items: [], next: undefined };
/** Far more rows than one response of a megabyte contains: DynamoDB accepts no number beyond 32 bits. */
const MAX_LIMIT = 1_000_000;
/** With a filter, each request reads this many times more rows than the last one: few requests, few rows in vain. */
const GROWTH = 4;

/** Reads `size` rows of a plan, newest first. A first page costs one request; deep pages cost more. */
export async function readPage(table: Table, plan: Plan, start: PageStart, size: number): Promise<Page> {
  if ('after' in start && !isSortKey(start.after)) throw new InvalidCursor();
  const query = queryOf(plan, 'after' in start ? start.after : undefined);
  if (!query) return EMPTY;

  let skip = 'skip' in start ? start.skip : 0;
  let from: Rows['lastKey'];
  // Counting rows costs the same capacity but no transfer. With a filter a count could skip too many rows.
  while (skip > 0 && !query.FilterExpression) {
    const limit = Math.min(skip, MAX_LIMIT);
    const page = await table.query({ ...query, Select: 'COUNT', Limit: limit, ExclusiveStartKey: from });
    skip -= page.count;
    from = page.lastKey;
    if (!from) return EMPTY;
  }

  // One row more than the page shows whether more rows follow.
  const wanted = size + 1;
  const rows: Item[] = [];
  let limit = Math.min(skip + wanted, MAX_LIMIT);
  do {
    const page = await table.query({ ...query, Limit: limit, ExclusiveStartKey: from });
    rows.push(...page.items.slice(skip));
    skip = Math.max(0, skip - page.items.length);
    from = page.lastKey;
    limit = Math.min(limit * GROWTH, MAX_LIMIT);
  } while (from && rows.length < wanted);

  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  return { items, next: last && required(last, INDEXES[plan.index].sortKey, text) };
}

/** The Query that all requests of a page share; `undefined` if no row can match. */
function queryOf({ index, partition, range, filter }: Plan, after: string | undefined) {
  const { partitionKey, sortKey } = INDEXES[index];
  const lowest = firstSortKey(range.from);
  const end = firstSortKey(range.to);
  // A cursor beyond the end of the range continues from that end.
  const highest = after !== undefined && after < end ? justBefore(after) : end;
  if (lowest >= highest || (filter.createdAt && filter.createdAt.from >= filter.createdAt.to)) return undefined;
  const { state, subId, createdAt } = filter;
  const conditions = [
    ...(state ? ['#state = :state'] : []),
    ...(subId === undefined ? [] : ['sub_id = :sub_id']),
    ...(createdAt ? ['created_at >= :created_from AND created_at < :created_to'] : []),
  ];
  return {
    IndexName: index,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :lowest AND :highest',
    FilterExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey, ...(state && { '#state': 'state' }) },
    ExpressionAttributeValues: {
      ':partition': partition,
      ':lowest': lowest,
      ':highest': highest,
      ...(state && { ':state': state }),
      ...(subId !== undefined && { ':sub_id': subId }),
      ...(createdAt && { ':created_from': createdAt.from, ':created_to': createdAt.to }),
    },
    ScanIndexForward: false,
  } satisfies Query;
}
