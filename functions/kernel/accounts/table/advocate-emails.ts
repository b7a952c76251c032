import { addressHash } from '../../address.ts';
import { required } from '../../dynamodb/item.ts';
import { advocateEmails, advocateKey } from '../../dynamodb/keys.ts';
import { SORT_KEY } from '../../dynamodb/schema.ts';
import { batchGet, queryPages, type Table, wholePartition } from '../../dynamodb/table.ts';
import { text } from '../../fields/parsers.ts';
import type { Advocate } from '../rules/advocate.ts';
import { parseAdvocate } from './advocate-items.ts';

/**
 * Reads all advocates with an address, by its hash (`addressHash`). With a `limit` of at most 100, it takes one query and one
 * batch, both consistent, and reads no more advocates, the first ones by their slugs.
 */
export async function advocatesWithEmail(
  table: Table,
  program: string,
  address: string,
  { limit }: { readonly limit?: number } = {},
): Promise<Advocate[]> {
  const consistent = limit !== undefined;
  const slugs: string[] = [];
  const query = { ...wholePartition(advocateEmails(program, address)), ConsistentRead: consistent };
  for await (const { items } of queryPages(table, query, limit === undefined ? undefined : () => limit)) {
    slugs.push(...items.map((item) => required(item, SORT_KEY, text)));
    if (limit !== undefined) break;
  }
  const keys = slugs.map((slug) => advocateKey(program, slug));
  const items = await batchGet(table, keys, { consistent });
  // An address may have changed between the two reads.
  return items
    .flatMap((item) => (item ? [parseAdvocate(item)] : []))
    .filter(({ email }) => email !== null && addressHash(email) === address);
}
