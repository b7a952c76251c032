import type { Table } from '../../kernel/dynamodb/table.ts';
import { type EntryPage, type EntryPaging, readEntries } from '../../ledger/table/entry-pages.ts';
import { findReferral } from '../../referrals/table/customers.ts';

/** Reads the newest entries of a referral. */
export async function readReferralEntries(
  table: Table,
  program: string,
  { referralId }: { readonly referralId: string; readonly slug: undefined; readonly createdAt: undefined },
  paging: EntryPaging,
): Promise<EntryPage> {
  const referral = await findReferral(table, program, referralId);
  if (!referral) return { entries: [], next: undefined };
  const filters = { kind: undefined, currency: undefined, referralId, createdAt: undefined };
  return readEntries(table, { program, slug: referral.advocateSlug }, filters, { ...paging, size: 50 });
}
