import { deleteAll } from '../../kernel/dynamodb/delete-items.ts';
import { keyOf, ledgerSumsKey, moneyKey, settlementCountKey } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { parseEntry } from '../table/entries.ts';
import { leadsTo } from '../table/entry-claims.ts';
import { entryPages } from '../table/sums.ts';

/** Deletes the sums, the count of settlements and the entries of an advocate, each entry after what leads to it and what it added to. */
export async function deleteLedger(table: Table, program: string, slug: string): Promise<void> {
  await deleteAll(table, [ledgerSumsKey(program, slug), settlementCountKey(program, slug)]);
  for await (const { items } of entryPages(table, { program, slug }, '')) {
    for (const item of items) {
      const entry = parseEntry(item);
      const leads = leadsTo(program, entry).map(({ key }) => key);
      // A refund may have added to it after its referral was deleted.
      const money = entry.referralId === null ? [] : [moneyKey(program, entry.referralId)];
      await deleteAll(table, [...leads, ...money, keyOf(item)]);
    }
  }
}
