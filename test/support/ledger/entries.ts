import { BatchWriteCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { ledgerSumsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds, type Seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { PaymentTerms, Statement } from '../../../functions/ledger/rules/statement.ts';
import { entryWrites } from '../../../functions/ledger/table/entries.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { type StoredSums, toSumsItem } from '../../../functions/ledger/table/sums-item.ts';
import { newId } from '../program.ts';
import { atTime, inParallel, itemAt, type TestTable } from '../table.ts';

type InProgram = Pick<Program, 'id'>;

/** Records settlements of an advocate, old enough for a stored sum. */
export async function someSettlements(table: TestTable, { id: program }: InProgram, slug: string, count: number) {
  const before = atTime(table, () => milliseconds(table.clock() - 120_000));
  const ledger = { program, by: 'merchant' } as const;
  const money = { amount: 1, currency: 'usd', reference: null, settledAt: null };
  const ids = Array.from({ length: count }, () => newId());
  await inParallel(ids, (settlementId) => recordSettlement(before, ledger, { slug, settlementId, ...money }));
}

/** The entry of a settlement of 1 cent at a time, as long as most entries are. */
export const anEntry = (slug: string, createdAt: Seconds, changes: Partial<Entry> = {}): Entry => ({
  id: newId(createdAt),
  kind: 'settlement',
  advocateSlug: slug,
  referralId: null,
  paymentId: null,
  refundId: null,
  adjustmentId: null,
  settlementId: newId(),
  amount: null,
  currency: 'usd',
  commission: -1,
  commissionPercentage: null,
  commissionRulesId: null,
  rule: null,
  payingSeen: null,
  note: null,
  reference: null,
  occurredAt: createdAt,
  createdAt,
  by: 'merchant',
  paidAt: null,
  payoutVersion: null,
  isCounted: null,
  ...changes,
});

/** The entry of a payment of 100 dollars, at 20 percent. */
export const aPaymentEntry = (slug: string, createdAt: Seconds, changes: Partial<Entry> = {}): Entry =>
  anEntry(slug, createdAt, {
    kind: 'payment',
    referralId: newId(),
    paymentId: `in_${newId().replaceAll('-', '').slice(8)}`,
    settlementId: null,
    amount: 10_000,
    commission: 2000,
    commissionPercentage: 20,
    paidAt: createdAt,
    ...changes,
  });

/** Stores entries, without what else their requests write. */
export async function putEntries(table: TestTable, { id }: InProgram, entries: readonly Entry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += 25) {
    const Puts = entries
      .slice(start, start + 25)
      .flatMap((entry) => entryWrites(id, entry).flatMap(({ write }) => ('Put' in write ? [write.Put] : [])));
    const RequestItems = { [table.name]: Puts.map(({ Item }) => ({ PutRequest: { Item } })) };
    await table.client.send(new BatchWriteCommand({ RequestItems }));
  }
}

export const storedSums = (table: TestTable, { id }: InProgram, slug: string) => itemAt(table, ledgerSumsKey(id, slug));

export async function putSums(table: TestTable, { id }: InProgram, slug: string, sums: StoredSums): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: toSumsItem(id, slug, sums) }));
}

export async function deleteSums(table: TestTable, { id }: InProgram, slug: string): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: ledgerSumsKey(id, slug) }));
}

/** The statement of a month by its definition, from all entries of an advocate. */
export function statementByDefinition(
  entries: readonly Entry[],
  month: string,
  { today, payableAfterDays }: PaymentTerms,
): Statement {
  const monthOf = ({ createdAt }: Entry) => new Date(createdAt * 1000).toISOString().slice(0, 7);
  const total = (chosen: readonly Entry[], of: 'amount' | 'commission' = 'commission') =>
    chosen.reduce((sum, entry) => sum + BigInt(entry[of] ?? 0), 0n);
  const age = (second: number) => Math.floor(Date.parse(today) / 86_400_000) - Math.floor(second / 86_400);
  const currencies = [...new Set(entries.map(({ currency }) => currency))].sort().flatMap((currency) => {
    const own = entries.filter((entry) => entry.currency === currency);
    const inMonth = own.filter((entry) => monthOf(entry) === month);
    const ofKind = (...kinds: Entry['kind'][]) => inMonth.filter(({ kind }) => kinds.includes(kind));
    const opening = total(own.filter((entry) => monthOf(entry) < month));
    const closing = total(own.filter((entry) => monthOf(entry) <= month));
    if (inMonth.length === 0 && opening === 0n && closing === 0n) return [];
    const pending = own.filter(({ paidAt }) => paidAt !== null && age(paidAt) < payableAfterDays);
    return [
      {
        currency,
        payments: total(ofKind('payment'), 'amount'),
        refunds: total(ofKind('refund'), 'amount'),
        commissions: total(ofKind('payment', 'refund', 'void')),
        adjustments: total(ofKind('adjustment')),
        settlements: total(ofKind('settlement')),
        opening,
        closing,
        payable: total(own) - total(pending),
        settlementCount: own.filter(({ isCounted }) => isCounted).length,
      },
    ];
  });
  return { month, currencies };
}
