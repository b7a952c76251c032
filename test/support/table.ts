import { GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Clock, milliseconds, systemClock } from '../../functions/domain/time.ts';
import type { Item } from '../../functions/table/item.ts';
import type { Key } from '../../functions/table/keys.ts';
import { Table } from '../../functions/table/table.ts';

/** The same table, seen at another time. */
export function atTime(table: Table, clock: Clock): Table {
  return new Table(table.name, table.client, clock, table.random);
}

/** A deadline that no test reaches. */
export const soon = () => milliseconds(systemClock() + 60_000);

/** All that the table holds, ordered by key: what a call left behind shows in a comparison of before and after. */
export async function allItems(table: Table): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client: table.client }, { TableName: table.name, ConsistentRead: true });
  for await (const { Items = [] } of pages) items.push(...Items);
  const place = ({ pk, sk }: Item) => `${pk} ${sk}`;
  return items.sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** The item with a key, as it is stored. */
export async function itemAt(table: Table, key: Key): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true });
  return (await table.client.send(command)).Item;
}

/** Runs `work` for each of the values, some of them at a time. */
export async function inParallel<Value>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<unknown>,
  atOnce = 25,
): Promise<void> {
  const queue = values[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
