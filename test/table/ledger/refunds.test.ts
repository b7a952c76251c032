import { beforeEach, describe, expect, test } from '@jest/globals';
import { InvalidField } from '../../../functions/domain/errors.ts';
import { EntryExists, PaymentNotFound, VoidExists } from '../../../functions/domain/ledger/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/table/ledger/payments.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { entriesOf, ledgerOf, paymentOf, storedPayment, sumOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let referral: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 33.333333 });
  referral = await aReferral(table, program, await anAdvocate(table, program));
  await recordPayment(table, ledgerOf(program), paymentOf(referral));
});

const refund = (refundId: string, amount: number, others: object = {}) =>
  recordRefund(table, ledgerOf(program), { paymentId: 'in_1', refundId, amount, refundedAt: null, ...others });
const voidIt = (note = 'Fraud', paymentId = 'in_1') => recordVoid(table, ledgerOf(program), { paymentId, note });

test('refunds of any parts take back all of the commission, and the state stays', async () => {
  for (const [id, amount] of [
    ['a', 333],
    ['b', 333],
    ['c', 334],
  ] as const)
    await refund(id, amount);
  const entries = await entriesOf(table, program);
  expect([entries.length, sumOf(entries)]).toEqual([4, 0]);
  expect(await storedPayment(table, program)).toMatchObject({ refunded: 1000, voided: null, version: 4 });
  await expect(refund('d', 1)).rejects.toThrow(InvalidField);
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'paid', version: 2 });
});

test('a repeated refund is the first one; with other fields it is refused, also when nothing is left', async () => {
  const first = await refund('a', 1000);
  expect(await refund('a', 1000)).toEqual({ ...first, isNew: false });
  expect(await refund('a', 1000, { refundedAt: first.entry.occurredAt })).toEqual({ ...first, isNew: false });
  await expect(refund('a', 999)).rejects.toThrow(EntryExists);
  await expect(refund('a', 1000, { refundedAt: seconds(5) })).rejects.toThrow(EntryExists);
  await recordPayment(table, ledgerOf(program), paymentOf(referral, { paymentId: 'in_2' }));
  await expect(refund('a', 1000, { paymentId: 'in_2' })).rejects.toThrow(EntryExists);
  expect(await entriesOf(table, program)).toHaveLength(3);
});

test('a void takes back what is left, and later refunds take back nothing', async () => {
  const refunded = await refund('a', 400);
  const voided = await voidIt();
  expect(voided.entry.commission).toBe(-333 - refunded.entry.commission);
  expect(await voidIt()).toEqual({ ...voided, isNew: false });
  await expect(voidIt('Mistake')).rejects.toThrow(VoidExists);
  expect(await refund('b', 600)).toMatchObject({ isNew: true, entry: { amount: -600, commission: 0 } });
  await expect(refund('c', 1)).rejects.toThrow(InvalidField);
});

test('a void of a payment of which nothing is left is recorded without a commission', async () => {
  await refund('a', 1000);
  expect(await voidIt()).toMatchObject({ isNew: true, entry: { kind: 'void', commission: 0, note: 'Fraud' } });
});

test('refunds and voids of an unknown payment are refused, also with a known refund', async () => {
  await refund('a', 1);
  await expect(refund('a', 1, { paymentId: 'in_9' })).rejects.toThrow(PaymentNotFound);
  await expect(voidIt('Fraud', 'in_9')).rejects.toThrow(PaymentNotFound);
});

describe('refunds that race each other', () => {
  const beforeWrite = (work: () => Promise<unknown>) => beforeNext(table, 'TransactWriteItemsCommand', work);

  test('the second of two refunds of more than the payment together is refused', async () => {
    beforeWrite(() => refund('b', 600));
    await expect(refund('a', 600)).rejects.toThrow(InvalidField);
    expect(await storedPayment(table, program)).toMatchObject({ refunded: 600 });
  });

  test('two refunds of the whole payment together take back all of the commission', async () => {
    beforeWrite(() => refund('b', 501));
    await refund('a', 499);
    expect(sumOf(await entriesOf(table, program))).toBe(0);
  });

  test('the first of two refunds with one id wins, and an equal one returns it', async () => {
    beforeWrite(() => refund('a', 5));
    expect(await refund('a', 5)).toMatchObject({ isNew: false, entry: { amount: -5 } });
    beforeWrite(() => refund('b', 5));
    await expect(refund('b', 6)).rejects.toThrow(EntryExists);
    expect(await storedPayment(table, program)).toMatchObject({ refunded: 10 });
  });

  test('a refund after a void of the same moment takes back nothing', async () => {
    beforeWrite(() => voidIt());
    expect(await refund('a', 1000)).toMatchObject({ entry: { commission: 0 } });
    expect(sumOf(await entriesOf(table, program))).toBe(0);
  });

  test('a void after a refund of the same moment takes back the rest', async () => {
    beforeWrite(() => refund('a', 500));
    await voidIt();
    expect(sumOf(await entriesOf(table, program))).toBe(0);
  });

  test('the first of two voids wins', async () => {
    beforeWrite(() => voidIt());
    expect(await voidIt()).toMatchObject({ isNew: false });
    program = await aProgram(table);
    referral = await aReferral(table, program, await anAdvocate(table, program));
    await recordPayment(table, ledgerOf(program), paymentOf(referral));
    beforeWrite(() => voidIt());
    await expect(voidIt('Mistake')).rejects.toThrow(VoidExists);
    expect(await entriesOf(table, program)).toHaveLength(2);
  });
});
