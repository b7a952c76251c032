import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type DynamoDBDocumentClient, GetCommand, paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { type CallLimits, Connection, openClient } from '../../functions/kernel/dynamodb/connection.ts';
import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import type { Key } from '../../functions/kernel/dynamodb/keys.ts';
import { Table, type TableDependencies } from '../../functions/kernel/dynamodb/table.ts';
import { type Clock, type Milliseconds, milliseconds, systemClock } from '../../functions/kernel/time.ts';

/** Far above the duration of any request, even on a busy machine: these limits only guard against hanging. */
export const GENEROUS_LIMITS: CallLimits = { connectionTimeout: 60_000, requestTimeout: 60_000, socketTimeout: 60_000 };

/** Milliseconds. Longer than jest's `testTimeout`, so that no test reaches it. */
export const GENEROUS_TIME = 1_200_000;

/** A table with a deadline that no test reaches. Only tests may use its name, the SDK's client and the connection. */
export class TestTable extends Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  readonly connection: Connection;
  readonly #dependencies: TableDependencies;

  constructor(dependencies: TableDependencies, deadline?: Milliseconds) {
    super(dependencies, () => deadline ?? milliseconds(dependencies.clock() + GENEROUS_TIME));
    this.name = dependencies.tableName;
    this.client = dependencies.client;
    this.connection = new Connection(dependencies);
    this.#dependencies = dependencies;
  }

  /** The same table with another clock, other pauses, another name or a deadline. */
  but({ deadline, ...changes }: Partial<TableDependencies> & { readonly deadline?: Milliseconds }): TestTable {
    return new TestTable({ ...this.#dependencies, ...changes }, deadline);
  }
}

/** Opens a table with generous timeouts: a busy machine may exceed the limits of a Lambda function. */
export function openTable(tableName: string, endpoint: string | undefined): TestTable {
  return openWithin(GENEROUS_LIMITS, tableName, endpoint);
}

/** Opens a table with limits, by default the limits of a Lambda function. */
export function openWithin(limits: CallLimits | undefined, tableName: string, endpoint: string | undefined): TestTable {
  const client = openClient(endpoint, limits);
  return new TestTable({ tableName, client, clock: systemClock, random: randomBytes, pause: setTimeout });
}

/** The same table at another time. */
export const atTime = (table: TestTable, clock: Clock): TestTable => table.but({ clock });

/** The same table for work that must end within some milliseconds from now. */
export const within = (table: TestTable, limit: number): TestTable =>
  table.but({ deadline: milliseconds(table.clock() + limit) });

/** The same table without pauses between attempts. Its time stands still, and the deadline passes once `isLate` is true. */
export function untilLate(table: TestTable, isLate: () => boolean): TestTable {
  const start = table.clock();
  const deadline = milliseconds(start + GENEROUS_TIME);
  const clock = () => (isLate() ? deadline : start);
  return table.but({ clock, deadline, pause: async () => undefined });
}

/**
 * All items of the table, ordered by key. Comparing them before and after a request shows everything that it changed. The
 * notes of imports are left out, because they only say when the last one was, the positions in the stream, and refusals.
 */
export const allItems = (table: TestTable): Promise<Item[]> =>
  scan(table, {
    FilterExpression: 'NOT sk IN (:note, :position, :refusals)',
    ExpressionAttributeValues: { ':note': 'IMPORT', ':position': 'POSITION', ':refusals': 'REFUSALS' },
  });

/** The advocates, referrals, claims and idempotency records of a program, ordered by key: no tokens. */
export const itemsOf = (table: TestTable, { id }: Pick<Program, 'id'>): Promise<Item[]> =>
  scan(table, {
    FilterExpression: 'begins_with(pk, :prefix)',
    ExpressionAttributeValues: { ':prefix': `PROGRAM#${id}#` },
  });

async function scan(table: TestTable, filter: Partial<ScanCommandInput> = {}): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client: table.client }, { TableName: table.name, ConsistentRead: true, ...filter });
  for await (const { Items = [] } of pages) items.push(...Items);
  const place = ({ pk, sk }: Item) => `${pk} ${sk}`;
  return items.sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** The item with a key, as it is stored. */
export async function itemAt(table: TestTable, key: Key): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true });
  return (await table.client.send(command)).Item;
}

/** Runs `work` for each value, `atOnce` of them at a time. */
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
