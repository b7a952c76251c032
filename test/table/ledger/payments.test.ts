import { beforeEach, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/table/ledger/payments.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let jane: Advocate;
let referral: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 33.333333 });
  jane = await anAdvocate(table, program);
  referral = await aReferral(table, program, jane);
});

const ledger = () => ({ program: program.id, by: 'merchant' }) as const;
const payment = () => ({
  reference: { id: referral.id, email: null, uid: null },
  paymentId: 'in_1',
  amount: 1000,
  currency: 'usd',
  paidAt: null,
});

test('a payment is recorded once, at the rate of the referral, and pays it', async () => {
  const first = await recordPayment(table, ledger(), payment());
  expect(first).toMatchObject({ isNew: true, entry: { kind: 'payment', amount: 1000, commission: 333, note: null } });
  expect(await recordPayment(table, ledger(), payment())).toEqual({ ...first, isNew: false });
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'paid', version: 2 });
});

test('a payment whose response is lost is recorded once', async () => {
  proxied.proxy.next('TransactWriteItems', 'lose');
  const first = await recordPayment(proxied.faulty, ledger(), payment());
  expect(await recordPayment(table, ledger(), payment())).toEqual({ ...first, isNew: false });
});

test('a payment of a paid referral checks that the referral is unchanged', async () => {
  await set(table, program, referral.id, 'paid');
  const other = await anAdvocate(table, program);
  await move(table, program, referral.id, other.slug);
  expect(await recordPayment(table, ledger(), payment())).toMatchObject({ entry: { advocateSlug: other.slug } });
});

test('refunds of any parts take back all of the commission', async () => {
  const { entry } = await recordPayment(table, ledger(), payment());
  let sum = entry.commission;
  for (const [refundId, amount] of [
    ['a', 333],
    ['b', 333],
    ['c', 334],
  ] as const) {
    const refunded = await recordRefund(table, ledger(), { paymentId: 'in_1', refundId, amount, refundedAt: null });
    sum += refunded.entry.commission;
  }
  expect(sum).toBe(0);
  const voided = await recordVoid(table, ledger(), { paymentId: 'in_1', note: 'Fraud' });
  expect(voided.entry.commission).toBe(0);
});
