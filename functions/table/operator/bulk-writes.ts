import { Unavailable } from '../../domain/errors.ts';
import type { Item } from '../dynamodb/item.ts';
import { batchGet, type Outcome, retryOnConflict, type Table } from '../dynamodb/table.ts';
import {
  type EvaluableCondition,
  type FailedConditions,
  type LabelledPut,
  requestToken,
  transact,
} from '../dynamodb/writes.ts';
import type { Key } from '../keys.ts';
import { PARTITION_KEY } from '../schema.ts';

/** Conditional puts that are written together or not at all. */
export type Group<Name> = readonly LabelledPut<Name, EvaluableCondition>[];

/** Where an import writes and reads: the table, or a dry run. */
export interface BulkStore {
  /** Writes many groups in order, as `bulkTransact` does. */
  readonly write: <Name>(groups: readonly Group<Name>[]) => Promise<FailedConditions<Name>[]>;
  /** Reads items, as `batchGet` does. */
  readonly read: (keys: readonly Key[]) => Promise<(Item | undefined)[]>;
}

/** Returns the store that writes to the table. */
export function bulkStoreOf(table: Table): BulkStore {
  return { write: (groups) => bulkTransact(table, groups), read: (keys) => batchGet(table, keys) };
}

/** DynamoDB's limit of writes in one transaction. */
export const MAX_WRITES = 100;

/**
 * Writes many groups in order, as many as possible in one transaction. Returns the failed conditions of each group; an
 * empty map means that it is written. A group that fails does not affect the others, which are sent again without it.
 * Throws `Unavailable`; then only the first groups are written, and the write can safely be repeated.
 */
export async function bulkTransact<Name>(
  table: Table,
  groups: readonly Group<Name>[],
): Promise<FailedConditions<Name>[]> {
  const results: Map<Name, Item>[] = [];
  let pending = groups.map((group, index) => ({ group, index }));
  while (pending.length > 0) {
    const batch = pending.slice(0, countForOneTransaction(pending.map(({ group }) => group)));
    const writes = batch.flatMap(({ group, index }) =>
      group.map(({ name, write }) => ({ name: { index, name }, write })),
    );
    // All attempts have one token, because an earlier one may have succeeded although its response was lost.
    const token = requestToken(table.random);
    const failed = await retryOnConflict(table, () => unlessBusy(transact(table, writes, token)));
    if (failed.size === 0) for (const { index } of batch) results[index] = new Map();
    for (const [{ index, name }, item] of failed) {
      results[index] ??= new Map();
      results[index].set(name, item);
    }
    pending = pending.filter(({ index }) => results[index] === undefined);
  }
  return results;
}

/** The number of leading groups that fit into one transaction, which must not write an item twice. */
function countForOneTransaction(groups: readonly Group<unknown>[]): number {
  const keys = new Set<unknown>();
  const length = groups.findIndex((group) => {
    const groupKeys = group.map(({ write }) => write.Put.Item[PARTITION_KEY]);
    const fits = keys.size + groupKeys.length <= MAX_WRITES && !groupKeys.some((key) => keys.has(key));
    for (const key of groupKeys) keys.add(key);
    return !fits;
  });
  return length === -1 ? groups.length : length;
}

/** Returns the result of a transaction, or why a busy table refused it. Throws after a lost response. */
async function unlessBusy<Result>(transaction: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await transaction };
  } catch (error) {
    if (error instanceof Unavailable && error.reason !== undefined) return { conflict: error, reason: error.reason };
    throw error;
  }
}
