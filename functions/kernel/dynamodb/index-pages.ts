import type { Item } from './item.ts';
import { type Key, keyOf } from './keys.ts';
import { INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from './schema.ts';
import { batchGet, queryPages, type Table } from './table.ts';

/** Rows in one request. It is the limit of a batch, which reads their items. */
const PAGE = 100;

/** Reads all items of one owner, newest first. */
export async function queryAllByOwner(table: Table, owner: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesByOwner(table, owner)) items.push(...page);
  return items;
}

/** Reads all items of one owner, also new items at these keys, which the index may still lack. They come first. */
export async function queryWithNew(table: Table, owner: string, newKeys: readonly Key[]): Promise<Item[]> {
  const [newest, indexed] = await Promise.all([batchGet(table, newKeys), queryAllByOwner(table, owner)]);
  const items = [...newest.filter((item) => item !== undefined), ...indexed];
  return [...new Map(items.map((item) => [item[PARTITION_KEY], item])).values()];
}

/** Reads all items of one owner page by page, newest first. */
export async function* pagesByOwner(table: Table, owner: string): AsyncGenerator<readonly Item[], void> {
  for await (const rows of indexPages(table, 'by_created_at', owner, [PARTITION_KEY, SORT_KEY])) {
    const items = await batchGet(table, rows.map(keyOf));
    yield items.filter((item) => item !== undefined);
  }
}

/** Reads one partition of an index page by page, newest first. Without `attributes`, reads all of them. */
export async function* indexPages(
  table: Table,
  index: IndexName,
  partition: string,
  attributes: readonly string[] = [],
): AsyncGenerator<readonly Item[], void> {
  const names = Object.fromEntries(attributes.map((name) => [`#${name}`, name]));
  const pages = queryPages(table, {
    IndexName: index,
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { ...names, '#partition': INDEXES[index].partitionKey },
    ExpressionAttributeValues: { ':partition': partition },
    ProjectionExpression: attributes.length > 0 ? Object.keys(names).join(', ') : undefined,
    ScanIndexForward: false,
    Limit: PAGE,
  });
  for await (const { items } of pages) yield items;
}
