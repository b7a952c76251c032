import { deleteAll } from '../../dynamodb/delete-items.ts';
import { keyOf, LINK_CODE, signInPartition } from '../../dynamodb/keys.ts';
import { queryPages, type Table, wholePartition } from '../../dynamodb/table.ts';

/**
 * Deletes all codes of an address, by its hash. Its limits stay: they contain only times, and an erasure must not reset them.
 * A deployment without emails has no codes.
 */
export async function deleteLinkCodes(table: Table, program: string, address: string): Promise<void> {
  const query = { ...wholePartition(signInPartition(program, address)), ConsistentRead: true };
  for await (const { items } of queryPages(table, query)) {
    const codes = items.map(keyOf).filter(({ sk }) => sk.startsWith(LINK_CODE));
    await deleteAll(table, codes);
  }
}
