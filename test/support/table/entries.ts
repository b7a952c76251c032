import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { isEntryKey, keyOf } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { parseEntry } from '../../../functions/ledger/table/entries.ts';
import { itemsOf, type TestTable } from '../table.ts';

/** All entries of a program, in the order of their times. */
export async function entriesOf(table: TestTable, program: Pick<Program, 'id'>): Promise<Entry[]> {
  const items = await itemsOf(table, program);
  const entries = items.filter((item) => isEntryKey(keyOf(item))).map(parseEntry);
  return entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** The sums of the amounts and of the commissions of entries. */
export function sumsOf(entries: readonly Entry[]) {
  return {
    amount: entries.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    commission: entries.reduce((sum, { commission }) => sum + commission, 0),
  };
}
