import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { entryKey, firstSortKey, ledgerPartition, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import type { Pages } from '../../kernel/dynamodb/prefetch.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { timeOfUuidv7 } from '../../kernel/ids.ts';
import { isSeconds, type SecondsRange } from '../../kernel/time.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { parseEntry } from './entries.ts';
import type { LedgerOwner } from './sums.ts';

/** Reads the entries of an advocate that were written in a range of seconds, page by page, by default oldest first. */
export async function* entriesWithin(
  table: Table,
  { program, slug }: LedgerOwner,
  { from, to }: SecondsRange,
  { newestFirst = false } = {},
): Pages<Entry[]> {
  // DynamoDB rejects a range whose end is before its start.
  if (from >= to) return;
  const bounds = { ':pk': ledgerPartition(program, slug), ':from': firstSortKey(from), ':to': firstSortKey(to) };
  const pages = queryPages(table, {
    KeyConditionExpression: `${PARTITION_KEY} = :pk AND ${SORT_KEY} BETWEEN :from AND :to`,
    ExpressionAttributeValues: bounds,
    ConsistentRead: true,
    ScanIndexForward: !newestFirst,
  });
  for await (const { items } of pages) yield items.map(parseEntry);
}

/**
 * Finds an entry of a program by its id, which contains its time. Looks at each advocate of the program, because only
 * the resending of an event, which is rare, needs it. Returns `undefined` if there is none.
 */
export async function findEntry(table: Table, program: string, id: string): Promise<Entry | undefined> {
  const createdAt = Math.floor(timeOfUuidv7(id) / 1000);
  if (!isSeconds(createdAt)) return undefined;
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    const keys = rows.map((row) => entryKey(program, parseListedAdvocate(row).slug, { createdAt, id }));
    const item = (await batchGet(table, keys)).find((each) => each !== undefined);
    if (item) return parseEntry(item);
  }
  return undefined;
}
