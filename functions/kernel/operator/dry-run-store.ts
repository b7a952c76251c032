import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isFulfilled } from '../dynamodb/conditions.ts';
import type { Item } from '../dynamodb/item.ts';
import { type Key, keyOf } from '../dynamodb/keys.ts';
import { batchGet, type Table } from '../dynamodb/table.ts';
import type { FailedConditions } from '../dynamodb/writes.ts';
import { type BulkStore, type Group, keyIn, nameOf } from './bulk-writes.ts';

/**
 * A dry run: evaluates the conditions of writes against the table and earlier writes, but sends none. Keeps the
 * writes in a temporary file that SQLite deletes, so that memory stays constant
 * (https://www.sqlite.org/inmemorydb.html#temp_db).
 */
export class DryRunStore implements BulkStore, Disposable {
  readonly #table: Table;
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;

  constructor(table: Table) {
    this.#table = table;
    // Loaded here, because some releases of Node 24 print a warning that SQLite is experimental.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    this.#database = new DatabaseSync('');
    // One transaction that never ends: nothing has to survive.
    this.#database.exec(
      'PRAGMA journal_mode = OFF; CREATE TABLE item (name TEXT PRIMARY KEY, json TEXT) WITHOUT ROWID; BEGIN',
    );
    this.#select = this.#database.prepare('SELECT json FROM item WHERE name = ?');
    this.#upsert = this.#database.prepare('INSERT OR REPLACE INTO item VALUES (?, ?)');
  }

  /** Returns what `BulkStore.write` would return. */
  async write<Name>(groups: readonly Group<Name>[]): Promise<FailedConditions<Name>[]> {
    const keys = new Map(groups.flat().map((grouped) => [nameOf(keyIn(grouped)), keyIn(grouped)]));
    const items = await this.read([...keys.values()]);
    const stored = new Map([...keys.keys()].map((key, index) => [key, items[index]]));
    return groups.map((group) => {
      const failed = new Map<Name, Item>();
      for (const grouped of group) {
        const item = stored.get(nameOf(keyIn(grouped)));
        if (grouped.condition && !isFulfilled(grouped.condition, item)) failed.set(grouped.name, item ?? {});
      }
      if (failed.size > 0) return failed;
      for (const { write } of group) {
        if (!('Put' in write)) continue;
        const { Item } = write.Put;
        stored.set(nameOf(keyOf(Item)), Item);
        this.#upsert.run(nameOf(keyOf(Item)), JSON.stringify(Item));
      }
      return failed;
    });
  }

  /** Reads items as they would be stored. */
  async read(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    const written = keys.map((key) => this.#select.get(nameOf(key))?.['json']);
    const stored = await batchGet(
      this.#table,
      keys.map((key, index) => (written[index] === undefined ? key : undefined)),
    );
    return written.map((json, index) => (json === undefined ? stored[index] : JSON.parse(String(json))));
  }

  /** Deletes the temporary file. */
  [Symbol.dispose](): void {
    this.#database.close();
  }
}
