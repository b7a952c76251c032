import { notExistsOrSame } from './conditions.ts';
import type { Key } from './keys.ts';
import { SORT_KEY } from './schema.ts';
import type { Table } from './table.ts';
import { deleteWrite, MAX_WRITES, transact } from './writes.ts';

/** Builds the write that deletes an item, whether it exists or not. */
export const deleteAnyway = (key: Key) => deleteWrite('item', key, notExistsOrSame(SORT_KEY, key[SORT_KEY]));

/** Deletes items in this order, whether they exist or not. */
export async function deleteAll(table: Table, all: readonly Key[]): Promise<void> {
  for (let first = 0; first < all.length; first += MAX_WRITES) {
    const failed = await transact(table, all.slice(first, first + MAX_WRITES).map(deleteAnyway));
    // Their condition holds for every item.
    if (failed.size > 0) throw new RangeError('not deleted');
  }
}
