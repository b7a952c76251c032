import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { InvalidField, ReferralNotFound } from '../../../functions/kernel/errors.ts';
import { milliseconds, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import { EntryExists, VoidExists } from '../../../functions/ledger/rules/errors.ts';
import type { Recorded } from '../../../functions/ledger/table/entries.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import {
  type PaymentRequest,
  recordPayment,
  recordRefund,
  recordVoid,
} from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { readBrought } from '../../../functions/referrals/table/money.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { cancellation, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { entriesOf, ledgerOf, paymentOf, storedPayment, sumOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { atTime, type TestTable } from '../../support/table.ts';
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
// Sums, payments and the money of referrals follow from the entries, however these were repeated or raced.
afterEach(async () => expect((await verifyLedger(table, program.id)).differences).toEqual([]));

const pay = (changes: Partial<PaymentRequest> = {}, of = referral) =>
  recordPayment(table, ledgerOf(program), paymentOf(of, changes));
const stateNow = async () => (await storedReferral(table, program, referral.id))?.state;

test('a payment is recorded once, at the rate of the referral, and pays it', async () => {
  const first = await pay();
  expect(first).toMatchObject({ isNew: true, entry: { kind: 'payment', amount: 1000, commission: 333, note: null } });
  expect(await pay()).toEqual({ ...first, isNew: false });
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'paid', version: 2 });
  expect(await entriesOf(table, program)).toEqual([first.entry]);
});

test.each<[State, number | null, State]>([
  ['converted', null, 'paid'],
  ['churned', 0, 'paid'],
  ['churned', -1, 'churned'],
  ['rejected', null, 'rejected'],
])('a payment of a %s referral, %p seconds after its state was set, leaves it %3$s', async (state, after, expected) => {
  const stateSetAt = seconds(now() - 100);
  referral = await aReferral(table, program, jane, { state, stateSetAt });
  const paidAt = after === null ? null : seconds(stateSetAt + after);
  const { entry } = await pay({ paidAt });
  expect(entry).toMatchObject({
    note: state === 'rejected' ? 'rejected' : null,
    commission: state === 'rejected' ? 0 : 333,
  });
  expect(await stateNow()).toBe(expected);
});

describe('a repeated payment', () => {
  let paidAt: Seconds;
  beforeEach(async () => {
    paidAt = seconds(now() - 50);
    await pay({ paidAt });
  });

  test.each<[string, Partial<PaymentRequest>]>([
    ['another amount', { amount: 1001 }],
    ['another time', { paidAt: seconds(5) }],
  ])('a payment with %s is refused', async (_, changes) => {
    await expect(pay(changes)).rejects.toThrow(EntryExists);
    expect(await entriesOf(table, program)).toHaveLength(1);
  });

  test('a payment stays the same after a rejection, a move and an erasure of its referral', async () => {
    const other = await anAdvocate(table, program);
    const before = await entriesOf(table, program);
    await set(table, program, referral.id, 'rejected');
    await move(table, program, referral.id, other.slug);
    await eraseReferral(table, program.id, referral.id, 'merchant');
    expect(await pay()).toMatchObject({ isNew: false, entry: { advocateSlug: jane.slug, commission: 333 } });
    expect(await entriesOf(table, program)).toEqual(before);
  });
});

describe('a payment that races another request', () => {
  const byEmail = () => ({ reference: { id: null, email: referral.email, uid: null } });

  test('a payment of a referral that is moved meanwhile belongs to the new advocate', async () => {
    await set(table, program, referral.id, 'paid');
    const other = await anAdvocate(table, program, { commissionPercentage: 50 });
    beforeNext(table, 'TransactWriteItemsCommand', () => move(table, program, referral.id, other.slug));
    expect(await pay()).toMatchObject({ entry: { advocateSlug: other.slug, commission: 500 } });
  });

  test('a payment of a person who is erased before it is written is refused', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => eraseReferral(table, program.id, referral.id, 'merchant'));
    await expect(pay(byEmail())).rejects.toThrow(ReferralNotFound);
    expect(await entriesOf(table, program)).toEqual([]);
  });

  test('the first of two payments with one id wins, and an equal one returns it', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => pay({ amount: 5 }));
    await expect(pay()).rejects.toThrow(EntryExists);
    beforeNext(table, 'TransactWriteItemsCommand', () => pay({ paymentId: 'in_2' }));
    expect(await pay({ paymentId: 'in_2' })).toMatchObject({ isNew: false });
    expect((await entriesOf(table, program)).map(({ amount }) => amount).toSorted()).toEqual([1000, 5]);
  });
});

test('what a referral brought stays with each advocate, and all its payments are counted, whoever reports them', async () => {
  const other = await anAdvocate(table, program, { commissionPercentage: 50 });
  await pay();
  await move(table, program, referral.id, other.slug);
  await pay({ paymentId: 'in_2', amount: 500 });
  await pay({ paymentId: 'in_3', amount: 7, currency: 'eur' });
  await recordRefund(table, ledgerOf(program), { paymentId: 'in_1', refundId: 'a', amount: 400, refundedAt: null });
  await eraseReferral(table, program.id, referral.id, 'merchant');
  const { id } = referral;
  const owners = [jane.slug, other.slug, 'nobody'].map((advocateSlug) => ({
    id,
    advocateSlug,
    state: 'paid' as const,
  }));
  const rows = await Promise.all(owners.map((owner) => readBrought(table, program.id, [owner])));
  expect(rows.flat().map(({ brought }) => brought)).toEqual([
    { payments: 3, money: [{ currency: 'usd', revenue: 600n, commission: 200n }] },
    {
      payments: 3,
      money: [
        { currency: 'eur', revenue: 7n, commission: 4n },
        { currency: 'usd', revenue: 500n, commission: 250n },
      ],
    },
    { payments: 3, money: [] },
  ]);
});

describe('refunds and voids', () => {
  beforeEach(() => pay());

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

  describe('refunds that race each other', () => {
    const beforeWrite = (work: () => Promise<unknown>) => beforeNext(table, 'TransactWriteItemsCommand', work);

    test('the second of two refunds of more than the payment together is refused', async () => {
      beforeWrite(() => refund('b', 600));
      await expect(refund('a', 600)).rejects.toThrow(InvalidField);
      expect(await storedPayment(table, program)).toMatchObject({ refunded: 600 });
    });

    test('the first of two refunds with one id wins, and an equal one returns it', async () => {
      beforeWrite(() => refund('a', 5));
      expect(await refund('a', 5)).toMatchObject({ isNew: false, entry: { amount: -5 } });
      beforeWrite(() => refund('b', 5));
      await expect(refund('b', 6)).rejects.toThrow(EntryExists);
      expect(await storedPayment(table, program)).toMatchObject({ refunded: 10 });
    });

    test('the first of two voids wins', async () => {
      beforeWrite(() => voidIt());
      expect(await voidIt()).toMatchObject({ isNew: false });
      expect(await entriesOf(table, program)).toHaveLength(2);
    });
  });
});

describe('lost responses', () => {
  beforeEach(() => pay({ paymentId: 'in_0' }));

  type Write = (at: TestTable) => Promise<Recorded>;
  const WRITES: Readonly<Record<string, Write>> = {
    payment: (at) => recordPayment(at, ledgerOf(program), paymentOf(referral)),
    refund: (at) =>
      recordRefund(at, ledgerOf(program), { paymentId: 'in_0', refundId: 're_1', amount: 300, refundedAt: null }),
    void: (at) => recordVoid(at, ledgerOf(program), { paymentId: 'in_0', note: 'Fraud' }),
    adjustment: (at) =>
      recordAdjustment(at, ledgerOf(program), {
        ...{ slug: jane.slug, adjustmentId: 'a', commission: 5, currency: 'usd', note: 'Bonus' },
      }),
    settlement: (at) =>
      recordSettlement(at, ledgerOf(program), {
        ...{ slug: jane.slug, settlementId: 's', amount: 5, currency: 'usd', reference: null, settledAt: null },
      }),
    'settlement of a balance': (at) =>
      recordSettlement(at, ledgerOf(program), {
        ...{ slug: jane.slug, settlementId: 's', amount: 5, currency: 'usd', reference: null, settledAt: null },
        settlementCount: 0,
      }),
  };

  describe.each(Object.entries(WRITES))('a %s', (_, write) => {
    test('an entry whose response is lost once is written once, and is new', async () => {
      proxied.proxy.next('TransactWriteItems', 'lose');
      const first = await write(proxied.faulty);
      expect(first.isNew).toBe(true);
      expect(await write(table)).toEqual({ ...first, isNew: false });
      expect(await entriesOf(table, program)).toHaveLength(2);
    });

    test('an entry whose response is lost before a conflict is written once, and is new', async () => {
      proxied.proxy.next('TransactWriteItems', 'lose', cancellation('TransactionConflict', 'None'));
      expect(await write(proxied.faulty)).toMatchObject({ isNew: true });
      expect(await entriesOf(table, program)).toHaveLength(2);
    });

    test('an attempt after the conflict of another transaction takes the time anew', async () => {
      let moment = milliseconds(Date.now());
      const pause = async () => {
        moment = milliseconds(moment + 5000);
      };
      proxied.proxy.next('TransactWriteItems', cancellation('TransactionConflict', 'None'));
      const { entry } = await write(atTime(proxied.faulty, () => moment).but({ pause }));
      expect(entry.createdAt).toBe(Math.floor(moment / 1000));
      expect(entry.id.replaceAll('-', '').slice(0, 12)).toBe(moment.toString(16).padStart(12, '0'));
    });
  });
});
