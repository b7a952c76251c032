import type { Item } from '../dynamodb/item.ts';
import { type Key, keyOf } from '../dynamodb/keys.ts';
import type { FailedConditions } from '../dynamodb/writes.ts';
import { type BulkStore, type Group, nameOf } from './bulk-writes.ts';

/**
 * A store that remembers what it has written of the current batch of lines. After an error, the lines can be stored once
 * more, one by one: what is written is not sent again, and counts as written.
 */
export class BatchStore implements BulkStore {
  readonly #store: BulkStore;
  /** Groups that are written, by the names of their items. */
  readonly #written = new Set<string>();
  /** Groups that the failed attempt wrote. A line writes a group once, so each counts once. */
  #before = new Set<string>();

  constructor(store: BulkStore) {
    this.#store = store;
  }

  /** Starts the next batch. */
  begin(): void {
    this.#written.clear();
    this.#before.clear();
  }

  /** Starts the current batch again. */
  repeat(): void {
    this.#before = new Set(this.#written);
  }

  /** Writes groups in order, as `bulkTransact` does. */
  async write<Name>(groups: readonly Group<Name>[]): Promise<FailedConditions<Name>[]> {
    const isWritten = groups.map((group) => this.#before.delete(nameOfGroup(group)));
    const failed = (await this.#store.write(groups.filter((_, index) => !isWritten[index]))).values();
    return groups.map((group, index) => {
      const conditions = (isWritten[index] ? undefined : failed.next().value) ?? new Map();
      if (conditions.size === 0) this.#written.add(nameOfGroup(group));
      return conditions;
    });
  }

  /** Reads items, as `batchGet` does. */
  read(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    return this.#store.read(keys);
  }
}

function nameOfGroup(group: Group<unknown>): string {
  return group.flatMap(({ write }) => ('Put' in write ? [nameOf(keyOf(write.Put.Item))] : [])).join('\n');
}
