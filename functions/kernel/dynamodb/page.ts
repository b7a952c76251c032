import { InvalidCursor, PageTooDeep } from '../errors.ts';
import { text } from '../fields/parsers.ts';
import { type Item, required } from './item.ts';
import { firstSortKey, isSortKey, justBefore } from './keys.ts';
import type { Plan } from './plan.ts';
import { INDEXES } from './schema.ts';
import { type Query, queryPages, type Rows, type Table } from './table.ts';

/** The start of a page: after a number of rows (at most `maxSkip`), or after the row with a sort key. */
export type PageStart = { readonly skip: number; readonly maxSkip?: number } | { readonly after: string };

export interface Page {
  readonly items: readonly Item[];
  /** Sort key of the last row if more rows follow. */
  readonly next: string | undefined;
}

const EMPTY: Page = { items: [], next: undefined };
/** More rows than DynamoDB's response of at most 1 MB can contain. DynamoDB accepts no number of more than 32 bits. */
const MAX_LIMIT = 1_000_000;
/** Most rows that a page number may skip by default: counting them takes seconds (docs/benchmarks.md). */
const MAX_SKIP = 100_000;
/** With a filter, each request reads this many times as many rows as the previous request. */
const GROWTH = 4;

/**
 * Reads up to `size` rows, newest first. A first page takes one request, deep pages more. Throws `InvalidCursor`, and
 * `PageTooDeep` if the list has more than `maxSkip` rows before the page.
 */
export async function readPage(table: Table, plan: Plan, start: PageStart, size: number): Promise<Page> {
  if ('after' in start && !isSortKey(start.after)) throw new InvalidCursor();
  const input = buildQuery(plan, 'after' in start ? start.after : undefined);
  if (!input) return EMPTY;

  const { skip, maxSkip = MAX_SKIP } = 'skip' in start ? start : { skip: 0 };
  const rows = await readRows(table, input, Math.min(skip, maxSkip), size);
  if (skip > maxSkip && rows.length > 0) throw new PageTooDeep(maxSkip);
  if (skip > maxSkip) return EMPTY;
  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  return { items, next: last && required(last, INDEXES[plan.index].sortKey, text) };
}

/** Reads the rows of a page and one more, which shows whether more rows follow. */
async function readRows(table: Table, input: Query, skipped: number, size: number): Promise<Item[]> {
  let skip = skipped;
  let from: Rows['lastKey'];
  // With a filter, which `Limit` ignores, counting could skip too many.
  if (skip > 0 && !input.FilterExpression) {
    from = await keyOfRow(table, input, skip);
    if (!from) return [];
    skip = 0;
  }
  const wanted = size + 1;
  const rows: Item[] = [];
  let limit = Math.min(skip + wanted, MAX_LIMIT);
  for await (const { items } of queryPages(table, { ...input, ExclusiveStartKey: from }, () => limit)) {
    rows.push(...items.slice(skip));
    if (rows.length >= wanted) break;
    skip = Math.max(0, skip - items.length);
    limit = Math.min(limit * GROWTH, MAX_LIMIT);
  }
  return rows;
}

/** Returns the key of the row with a number, from 1; `undefined` if none follows it. Counting transfers no rows. */
async function keyOfRow(table: Table, input: Query, number: number): Promise<Rows['lastKey']> {
  let left = number;
  const limit = () => Math.min(left, MAX_LIMIT);
  for await (const { count, lastKey } of queryPages(table, { ...input, Select: 'COUNT' }, limit)) {
    left -= count;
    if (left === 0) return lastKey;
  }
  return undefined;
}

/** Builds the query of a plan, from the row after the sort key `after` on; `undefined` if no row can match. */
export function buildQuery({ index, partition, range, filter }: Plan, after: string | undefined) {
  const { partitionKey, sortKey } = INDEXES[index];
  const lowest = firstSortKey(range.from);
  const end = firstSortKey(range.to);
  // A cursor after the range continues at the end of the range.
  const highest = after !== undefined && after < end ? justBefore(after) : end;
  if (lowest >= highest || (filter.createdAt && filter.createdAt.from >= filter.createdAt.to)) return undefined;
  const { createdAt, flag } = filter;
  const equal = Object.entries(filter.equal ?? {}).filter(([, value]) => value !== undefined);
  const conditions = [
    ...equal.map(([name]) => `#${name} = :${name}`),
    ...(createdAt ? ['created_at >= :created_from AND created_at < :created_to'] : []),
    ...(flag ? ['contains(flags, :flag)'] : []),
  ];
  return {
    IndexName: index,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :lowest AND :highest',
    FilterExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    ExpressionAttributeNames: {
      '#partition': partitionKey,
      '#sort': sortKey,
      ...Object.fromEntries(equal.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ':partition': partition,
      ':lowest': lowest,
      ':highest': highest,
      ...Object.fromEntries(equal.map(([name, value]) => [`:${name}`, value])),
      ...(createdAt && { ':created_from': createdAt.from, ':created_to': createdAt.to }),
      ...(flag && { ':flag': flag }),
    },
    ScanIndexForward: false,
  } satisfies Query;
}
