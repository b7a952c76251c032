import { addressHash } from '../../address.ts';
import { deleteAll } from '../../dynamodb/delete-items.ts';
import { required } from '../../dynamodb/item.ts';
import {
  APPLICANT,
  applicationKey,
  type Key,
  keyOf,
  lastPart,
  SIGN_IN_LINKS,
  signInPartition,
} from '../../dynamodb/keys.ts';
import { get, queryPages, type Table, wholePartition } from '../../dynamodb/table.ts';
import { text } from '../../fields/parsers.ts';

/**
 * Deletes all codes of an address, by its hash, and all applications that it has sent. The limits stay: they contain only
 * times, and an erasure must not reset them. A deployment without emails has no such items.
 */
export async function deleteAddressItems(table: Table, program: string, address: string): Promise<void> {
  const query = { ...wholePartition(signInPartition(program, address)), ConsistentRead: true };
  // A confirmation may just turn one item into another.
  for (let isEmpty = false; !isEmpty; ) {
    isEmpty = true;
    for await (const { items } of queryPages(table, query)) {
      const keys = items.flatMap((item) => keysToDelete(program, keyOf(item)));
      await deleteAll(table, keys);
      isEmpty &&= keys.length === 0;
    }
  }
}

function keysToDelete(program: string, key: Key): Key[] {
  if (key.sk.startsWith(SIGN_IN_LINKS)) return [];
  return key.sk.startsWith(APPLICANT) ? [applicationKey(program, lastPart(key.sk)), key] : [key];
}

/** Deletes an application, and all that its address has, which may be a former address of an advocate. */
export async function deleteApplication(table: Table, program: string, id: string): Promise<void> {
  const key = applicationKey(program, id);
  const item = await get(table, key);
  if (item) await deleteAddressItems(table, program, addressHash(required(item, 'email', text)));
  await deleteAll(table, [key]);
}
