import { Unavailable } from '../../domain/errors.ts';
import type { Item } from '../item.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { Table } from '../table.ts';
import { type FailedConditions, type LabelledPut, requestToken, transact } from '../writes.ts';

/** Conditional puts that are written together or not at all. */
type Group<Name> = readonly LabelledPut<Name>[];

/** DynamoDB accepts no more writes in one transaction. */
export const MAX_WRITES = 100;
/** Tries at a table that stays busy, which take about half a minute, and the longest pauses between them in milliseconds. */
const MAX_TRIES = 20;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

/**
 * Writes many groups in their order, as many as possible in one transaction. Returns the failed conditions of each group,
 * an empty map if it is written. A group that fails does not affect the others, which are sent again without it. Throws
 * `Unavailable`; then the first groups are written, and all of them can safely be sent again.
 */
export async function bulkTransact<Name>(
  table: Table,
  groups: readonly Group<Name>[],
): Promise<FailedConditions<Name>[]> {
  const results: Map<Name, Item>[] = [];
  let open = groups.map((group, index) => ({ group, index }));
  while (open.length > 0) {
    const batch = open.slice(0, lengthOfFirst(open.map(({ group }) => group)));
    const writes = batch.flatMap(({ group, index }) =>
      group.map(({ name, write }) => ({ name: { index, name }, write })),
    );
    // One token for all attempts: a throttled attempt may follow one that was carried out but whose response was lost.
    const token = requestToken(table.random);
    const failed = await retryWhileThrottled(table, () => transact(table, writes, token));
    if (failed.size === 0) for (const { index } of batch) results[index] = new Map();
    for (const [{ index, name }, item] of failed) {
      results[index] ??= new Map();
      results[index].set(name, item);
    }
    open = open.filter(({ index }) => results[index] === undefined);
  }
  return results;
}

/** The number of groups, from the first on, that fit into one transaction, which must not write an item twice. */
function lengthOfFirst(groups: readonly Group<unknown>[]): number {
  const keys = new Set<unknown>();
  const length = groups.findIndex((group) => {
    const own = group.map(({ write }) => write.Put.Item[PARTITION_KEY]);
    const fits = keys.size + own.length <= MAX_WRITES && !own.some((key) => keys.has(key));
    for (const key of own) keys.add(key);
    return !fits;
  });
  return length === -1 ? groups.length : length;
}

/** Retries a transaction that a busy table rejected, with longer and longer pauses, but not one without a response. */
async function retryWhileThrottled<Result>(table: Table, send: () => Promise<Result>): Promise<Result> {
  for (let tries = 1, pause = FIRST_PAUSE; ; tries += 1, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await send();
    } catch (error) {
      const isBusy = error instanceof Unavailable && error.reason !== undefined;
      if (!isBusy || tries === MAX_TRIES) throw error;
      await table.backOff(pause);
    }
  }
}
