import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Milliseconds } from '../domain/time.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { PARTITION_KEY } from './schema.ts';
import type { Table } from './table.ts';

/** Milliseconds. */
const LONGEST_PAUSE = 100;

/**
 * Reads up to 100 items in one request (and a further one for what a busy table left out). Returns them in the order
 * of the keys, which must differ in their partitions, `undefined` where there is no item or no key. The reads are
 * consistent: what was written a moment ago, such as the click before a conversion, must be found.
 */
export async function batchGet(
  table: Table,
  keys: readonly (Key | undefined)[],
  deadline: Milliseconds,
): Promise<(Item | undefined)[]> {
  const found = new Map<unknown, Item>();
  let rest: Record<string, unknown>[] = keys.filter((key) => key !== undefined).map((key) => ({ ...key }));
  while (rest.length > 0) {
    const command = new BatchGetCommand({
      RequestItems: { [table.name]: { Keys: rest, ConsistentRead: true } },
    });
    const answer = await table.ask(deadline, (within) => table.client.send(command, within));
    for (const item of answer.Responses?.[table.name] ?? []) found.set(item[PARTITION_KEY], item);
    rest = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    if (rest.length > 0) await table.backOff(deadline, LONGEST_PAUSE);
  }
  return keys.map((key) => key && found.get(key[PARTITION_KEY]));
}
