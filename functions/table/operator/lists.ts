import type { Advocate } from '../../domain/advocate.ts';
import type { Program } from '../../domain/program.ts';
import { parseAdvocate } from '../advocates.ts';
import type { Item } from '../dynamodb/item.ts';
import { batchGet, query, type Rows, type Table } from '../dynamodb/table.ts';
import { ALL_PROGRAMS, keyOf, programAdvocates } from '../keys.ts';
import { parseProgram } from '../programs.ts';
import { INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from '../schema.ts';

/** Rows in one request. It is the limit of a batch, which reads their items. */
const PAGE = 100;

/** Lists all programs, newest first. */
export async function listPrograms(table: Table): Promise<Program[]> {
  return (await queryAllByOwner(table, ALL_PROGRAMS)).map(parseProgram);
}

/** Lists all advocates of a program, newest first. */
export async function listAdvocates(table: Table, program: string): Promise<Advocate[]> {
  return (await queryAllByOwner(table, programAdvocates(program))).map(parseAdvocate);
}

/** Reads all items of one owner, newest first. */
export async function queryAllByOwner(table: Table, owner: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesByOwner(table, owner)) items.push(...page);
  return items;
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
  let start: Rows['lastKey'];
  do {
    const page: Rows = await query(table, {
      IndexName: index,
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { ...names, '#partition': INDEXES[index].partitionKey },
      ExpressionAttributeValues: { ':partition': partition },
      ProjectionExpression: attributes.length > 0 ? Object.keys(names).join(', ') : undefined,
      ScanIndexForward: false,
      Limit: PAGE,
      ExclusiveStartKey: start,
    });
    yield page.items;
    start = page.lastKey;
  } while (start);
}
