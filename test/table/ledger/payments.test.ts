import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { AmbiguousCustomer, NotConverted, ReferralNotFound } from '../../../functions/domain/errors.ts';
import { EntryExists } from '../../../functions/domain/ledger/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import type { State } from '../../../functions/domain/referral/state.ts';
import { milliseconds, type Seconds, seconds } from '../../../functions/domain/time.ts';
import { type PaymentRequest, recordPayment } from '../../../functions/table/ledger/payments.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { entriesOf, ledgerOf, paymentOf, storedPayment } from '../../support/ledger/ledger.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
let referral: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 33.333333 });
  jane = await anAdvocate(table, program);
  referral = await aReferral(table, program, jane);
});

const pay = (changes: Partial<PaymentRequest> = {}, of = referral, at = table) =>
  recordPayment(at, ledgerOf(program), paymentOf(of, changes));
const stateNow = async () => (await storedReferral(table, program, referral.id))?.state;

test('a payment is recorded once, at the rate of the referral, and pays it', async () => {
  const first = await pay();
  expect(first).toMatchObject({ isNew: true, entry: { kind: 'payment', amount: 1000, commission: 333, note: null } });
  expect(await pay()).toEqual({ ...first, isNew: false });
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'paid', version: 2 });
  expect(await entriesOf(table, program)).toEqual([first.entry]);
});

test('several payments of a referral are recorded, each with its own id', async () => {
  await pay();
  await pay({ paymentId: 'in_2' });
  expect(await entriesOf(table, program)).toHaveLength(2);
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'paid', version: 2 });
});

describe('the state of a referral after a payment', () => {
  test.each<[State, number | null, State]>([
    ['converted', null, 'paid'],
    ['converted', -1000, 'paid'],
    ['paid', null, 'paid'],
    ['churned', null, 'paid'],
    ['churned', 0, 'paid'],
    ['churned', 1, 'paid'],
    ['churned', -1, 'churned'],
    ['rejected', null, 'rejected'],
  ])(
    'a payment of a %s referral, %p seconds after its state was set, leaves it %3$s',
    async (state, after, expected) => {
      const stateSetAt = seconds(now() - 100);
      referral = await aReferral(table, program, jane, { state, stateSetAt });
      const paidAt = after === null ? null : seconds(stateSetAt + after);
      const { entry } = await pay({ paidAt });
      expect(entry).toMatchObject({
        note: state === 'rejected' ? 'rejected' : null,
        commission: state === 'rejected' ? 0 : 333,
      });
      expect(await stateNow()).toBe(expected);
    },
  );

  test('a payment now pays a referral that churned by a faster clock', async () => {
    const fast = atTime(table, () => milliseconds(Date.now() + 60_000));
    await set(fast, program, referral.id, 'churned');
    await pay();
    expect(await stateNow()).toBe('paid');
  });
});

describe('a repeated payment', () => {
  let paidAt: Seconds;
  beforeEach(async () => {
    paidAt = seconds(now() - 50);
    await pay({ paidAt });
  });

  test.each<[string, Partial<PaymentRequest>]>([
    ['another amount', { amount: 1001 }],
    ['another currency', { currency: 'eur' }],
    ['another time', { paidAt: seconds(5) }],
  ])('a payment with %s is refused', async (_, changes) => {
    await expect(pay(changes)).rejects.toThrow(EntryExists);
    expect(await entriesOf(table, program)).toHaveLength(1);
  });

  test('a payment of another customer is refused', async () => {
    await expect(pay({}, await aReferral(table, program, jane))).rejects.toThrow(EntryExists);
  });

  test('a payment that identifies the same customer by email, or has no time, is the first one', async () => {
    const { email } = referral;
    for (const changes of [{ reference: { id: null, email, uid: null } }, { paidAt }, {}]) {
      expect(await pay(changes)).toMatchObject({ isNew: false, entry: { occurredAt: paidAt } });
    }
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

test('unknown customers, clicks and contradicting identifiers are refused', async () => {
  const click = await aClick(table, program, jane);
  const other = await aReferral(table, program, jane);
  const contradiction = { reference: { id: other.id, email: referral.email, uid: null } };
  await expect(pay({}, { ...referral, id: newId() })).rejects.toThrow(ReferralNotFound);
  await expect(pay({}, click)).rejects.toThrow(NotConverted);
  await set(table, program, click.id, 'rejected');
  await expect(pay({}, click)).rejects.toThrow(NotConverted);
  await expect(pay(contradiction)).rejects.toThrow(AmbiguousCustomer);
  expect(await entriesOf(table, program)).toEqual([]);
  expect(await storedPayment(table, program)).toBeUndefined();
});

describe('a payment that races another request', () => {
  const byEmail = () => ({ reference: { id: null, email: referral.email, uid: null } });

  test('a payment of a referral that is moved meanwhile belongs to the new advocate', async () => {
    await set(table, program, referral.id, 'paid');
    const other = await anAdvocate(table, program, { commissionPercentage: 50 });
    beforeNext(table, 'TransactWriteItemsCommand', () => move(table, program, referral.id, other.slug));
    expect(await pay()).toMatchObject({ entry: { advocateSlug: other.slug, commission: 500 } });
  });

  test('a payment of a referral that is rejected meanwhile earns no commission', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, referral.id, 'rejected'));
    expect(await pay()).toMatchObject({ entry: { note: 'rejected', commission: 0 } });
    expect(await stateNow()).toBe('rejected');
  });

  test('a payment of a referral that churns meanwhile pays it', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, referral.id, 'churned'));
    await pay();
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'paid', version: 3 });
  });

  test('a payment of a person who is erased after the claim was read is refused', async () => {
    beforeNext(table, 'GetItemCommand', () => eraseReferral(table, program.id, referral.id, 'merchant'));
    await expect(pay(byEmail())).rejects.toThrow(ReferralNotFound);
    expect(await entriesOf(table, program)).toEqual([]);
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

  test('an attempt after a conflict has its own time', async () => {
    let moment = milliseconds(Date.now());
    const at = atTime(table, () => moment);
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await set(table, program, referral.id, 'churned');
      moment = milliseconds(moment + 5000);
    });
    const { entry } = await pay({}, referral, at);
    expect(entry.createdAt).toBe(Math.floor(moment / 1000));
  });
});

test('a payment of a customer with an email in other letters finds the same referral', async () => {
  const customer = await aReferral(table, program, jane, { email: anEmail() });
  const reference = { id: customer.id, email: customer.email, uid: null };
  expect(await pay({ reference })).toMatchObject({ isNew: true, entry: { referralId: customer.id } });
});
