import { type LabelledIncrement, sumOf } from '../dynamodb/increments.ts';
import type { Item } from '../dynamodb/item.ts';
import { type Key, keyOf } from '../dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../dynamodb/schema.ts';
import { batchGet, type Outcome, retryOnConflict, type Table } from '../dynamodb/table.ts';
import {
  attemptTransaction,
  type EvaluableCondition,
  type FailedConditions,
  type LabelledCheck,
  type LabelledPut,
  type LabelledWrite,
  MAX_WRITES,
  requestToken,
} from '../dynamodb/writes.ts';
import { Unavailable } from '../errors.ts';

/** Conditional puts that are written together or not at all, checks of other items, and increments. */
export type Group<Name> = readonly Grouped<Name>[];
type Grouped<Name> =
  | LabelledPut<Name, EvaluableCondition>
  | LabelledCheck<Name, EvaluableCondition>
  | LabelledIncrement<Name>;

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

/**
 * Writes many groups in order, as many as possible in one transaction. Returns the failed conditions of each group; an
 * empty map means that it is written. A group that fails does not affect the others, which are sent again without it.
 * Retries while the table is busy; without `retries`, a group that was refused has failed. Throws `Unavailable`; then only
 * the first groups are written, and the write can safely be repeated.
 */
export async function bulkTransact<Name>(
  table: Table,
  groups: readonly Group<Name>[],
  { retries = true } = {},
): Promise<FailedConditions<Name>[]> {
  const results: Map<Name, Item>[] = [];
  let pending = groups.map((group, index) => ({ group, index }));
  while (pending.length > 0) {
    const batch = pending.slice(0, countForOneTransaction(pending.map(({ group }) => group)));
    const writes = inOneTransaction(batch);
    // All attempts have one token, because an earlier one may have succeeded although its response was lost.
    const token = requestToken(table.random);
    const attempt = () => unlessBusy(attemptTransaction(table, writes, token));
    const outcome = retries ? { result: await retryOnConflict(table, attempt) } : await attempt();
    const failed = 'result' in outcome ? outcome.result : new Map(writes.map(({ name }) => [name, {}]));
    if (failed.size === 0) for (const { index } of batch) results[index] = new Map();
    for (const [{ index, name }, item] of failed) {
      results[index] ??= new Map();
      results[index].set(name, item);
    }
    pending = pending.filter(({ index }) => results[index] === undefined);
  }
  return results;
}

/**
 * The number of leading groups that fit into one transaction, which must not name an item twice. Checks of the same item
 * count once, because they have the same condition, and increments once, because they are added up: an item that a group
 * checks or increments is put by none.
 */
function countForOneTransaction(groups: readonly Group<unknown>[]): number {
  const put = new Set<string>();
  const shared = new Set<string>();
  const length = groups.findIndex((group) => {
    const [puts = [], others = []] = [true, false].map((isPut) =>
      group.filter(({ write }) => 'Put' in write === isPut).map((grouped) => nameOf(keyIn(grouped))),
    );
    for (const name of others) shared.add(name);
    const isNew = puts.every((name) => !isIn(put, name));
    return !isNew || put.size + shared.size > MAX_WRITES;
  });
  return length === -1 ? groups.length : length;
}

/** Returns the writes of groups. Groups that share a check follow one another: if it fails, the next one checks again. */
function inOneTransaction<Name>(
  groups: readonly { readonly group: Group<Name>; readonly index: number }[],
): LabelledWrite<{ readonly index: number; readonly name: Name }>[] {
  const all = groups.flatMap(({ group, index }) =>
    group.map((grouped) => ({ name: { index, name: grouped.name }, key: keyIn(grouped), grouped })),
  );
  return [...Map.groupBy(all, ({ key }) => nameOf(key)).values()].flatMap((same) => {
    const increments = same.flatMap(({ grouped }) => ('numbers' in grouped ? [grouped] : []));
    return same.slice(0, 1).map(({ name, key, grouped: { write } }) => {
      return increments.length === 0 ? { name, write } : sumOf(name, key, increments);
    });
  });
}

/** Returns the key of the item of a write. */
export function keyIn({ write }: Grouped<unknown>): Key {
  if ('Put' in write) return keyOf(write.Put.Item);
  return 'Update' in write ? write.Update.Key : write.ConditionCheck.Key;
}

/** Returns whether a set has a value, and adds it. */
function isIn(set: Set<string>, value: string): boolean {
  return set.size === set.add(value).size;
}

/** A text that identifies an item. */
export const nameOf = (key: Key): string => `${key[PARTITION_KEY]}\n${key[SORT_KEY]}`;

/** Reads items by the texts that identify them, each once. */
export async function readAll(store: BulkStore, keys: readonly Key[]): Promise<ReadonlyMap<string, Item>> {
  const unique = [...new Map(keys.map((key) => [nameOf(key), key]))];
  const items = await store.read(unique.map(([, key]) => key));
  return new Map(
    unique.flatMap(([name], index) => {
      const item = items[index];
      return item ? [[name, item] as const] : [];
    }),
  );
}

/** Returns the result of a transaction, or why a busy table refused it. Throws after a lost response. */
async function unlessBusy<Result>(transaction: Promise<Outcome<Result>>): Promise<Outcome<Result>> {
  try {
    return await transaction;
  } catch (error) {
    if (error instanceof Unavailable && error.reason !== undefined) return { conflict: error, reason: error.reason };
    throw error;
  }
}
