import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { isEntryKey, keyOf, paymentKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { parseEntry } from '../../../functions/ledger/table/entries.ts';
import { parsePayment } from '../../../functions/ledger/table/payment-item.ts';
import type { PaymentRequest } from '../../../functions/ledger/table/payments.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { itemAt, itemsOf, type TestTable } from '../table.ts';

/** Who writes entries in tests. */
export const ledgerOf = ({ id }: Program) => ({ program: id, by: 'merchant' }) as const;

/** The request for a payment of a referral: 10 dollars, with the id `in_1`. */
export const paymentOf = ({ id }: Pick<Referral, 'id'>, changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
  reference: { id, email: null, uid: null },
  paymentId: 'in_1',
  amount: 1000,
  currency: 'usd',
  paidAt: null,
  ...changes,
});

/** All entries of a program, by advocate and time. */
export async function entriesOf(table: TestTable, program: Program): Promise<Entry[]> {
  return (await itemsOf(table, program)).filter((item) => isEntryKey(keyOf(item))).map(parseEntry);
}

/** The payment with an id, as it is stored. */
export async function storedPayment(table: TestTable, { id }: Program, paymentId = 'in_1') {
  const item = await itemAt(table, paymentKey(id, paymentId));
  return item && parsePayment(item);
}

/** The sum of the commissions of some entries. */
export const sumOf = (entries: readonly Pick<Entry, 'commission'>[]): number =>
  entries.reduce((sum, { commission }) => sum + commission, 0);
