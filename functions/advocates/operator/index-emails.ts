import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { addressHash } from '../../kernel/address.ts';
import { unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { advocateEmailKey, advocateKey } from '../../kernel/dynamodb/keys.ts';
import type { Pages } from '../../kernel/dynamodb/prefetch.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { checkWrite } from '../../kernel/dynamodb/writes.ts';
import { bulkTransact } from '../../kernel/operator/bulk-writes.ts';
import { exportAdvocates } from '../../kernel/operator/lists.ts';
import { emailWrite } from '../table/advocates.ts';

/** How many advocates were read so far, and how many of them became findable by their email. */
export interface IndexedEmails {
  readonly read: number;
  readonly indexed: number;
}

/**
 * Makes all advocates of a program findable by their emails: an advocate from before the index of emails has no item in it.
 * Yields the numbers after each page. It can be interrupted and repeated. Throws `Unavailable`.
 */
export async function* indexEmails(table: Table, program: string): Pages<IndexedEmails> {
  let [read, indexed] = [0, 0];
  for await (const page of exportAdvocates(table, program)) {
    let pending: readonly Advocate[] = page;
    while (pending.length > 0) {
      const missing = await withoutIndex(table, program, pending);
      const groups = missing.map(({ advocate, email }) => [
        checkWrite('slug', advocateKey(program, advocate.slug), unchangedSince(advocate)),
        emailWrite(program, email, advocate.slug),
      ]);
      const failed = await bulkTransact(table, groups);
      // They changed since they were read, perhaps their emails.
      const changed = missing.filter((_, index) => failed[index]?.size !== 0);
      indexed += missing.length - changed.length;
      const items = await batchGet(
        table,
        changed.map(({ advocate }) => advocateKey(program, advocate.slug)),
      );
      pending = items.flatMap((item) => (item ? [parseAdvocate(item)] : []));
    }
    read += page.length;
    yield { read, indexed };
  }
}

/** Returns the advocates who have an email without an item in the index. */
async function withoutIndex(table: Table, program: string, advocates: readonly Advocate[]) {
  const people = advocates.flatMap((advocate) => {
    const { email } = advocate;
    return email === null ? [] : [{ advocate, email }];
  });
  const keys = people.map(({ advocate, email }) => advocateEmailKey(program, addressHash(email), advocate.slug));
  const items = await batchGet(table, keys);
  return people.filter((_, index) => items[index] === undefined);
}
