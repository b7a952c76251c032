import { NOT_EXISTS } from './conditions.ts';
import type { Item } from './item.ts';
import type { Table } from './table.ts';
import { type FailedCondition, put } from './writes.ts';

/**
 * Puts a new item. Returns false and writes nothing if another item has its key. `isOwn` recognizes the item that
 * an earlier attempt of the same put stored, whose response was lost: by default, by the id and the time in `created`.
 */
export async function putNew(
  table: Table,
  item: Item,
  isOwn = ({ item: stored }: FailedCondition) => 'created' in item && stored?.['created'] === item['created'],
): Promise<boolean> {
  const failed = await put(table, item, NOT_EXISTS);
  return !failed || isOwn(failed);
}
