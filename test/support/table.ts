import { GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Clock, milliseconds, systemClock } from '../../functions/domain/time.ts';
import type { Item } from '../../functions/table/item.ts';
import type { Key } from '../../functions/table/keys.ts';
import { type CallLimits, openTable, type Pause, Table } from '../../functions/table/table.ts';

/** Far longer than any request takes, however busy the machine: these limits only guard against hanging. */
const PATIENT: CallLimits = { connectionTimeout: 60_000, requestTimeout: 60_000, socketTimeout: 60_000 };

/** Opens a table without the limits of a Lambda function, which a busy machine may exceed. */
export function openPatiently(tableName: string, endpoint: string | undefined): Table {
  return openTable({ tableName, endpoint }, PATIENT);
}

/** The same table, seen at another time. */
export function atTime(table: Table, clock: Clock): Table {
  return new Table(table.name, table.client, clock, table.random, table.pause);
}

/** The same table, whose pauses between attempts are those of the test. */
export function withPause(table: Table, pause: Pause): Table {
  return new Table(table.name, table.client, table.clock, table.random, pause);
}

/** Milliseconds that no work of a test takes: longer than the `testTimeout` of jest. */
export const AMPLE_TIME = 1_200_000;
/** A deadline that no test reaches. */
export const soon = () => milliseconds(systemClock() + AMPLE_TIME);

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
