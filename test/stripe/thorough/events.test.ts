import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/ledger/table/payments.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { dyingAt } from '../../support/dying.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { aBill, aDispute, aLink, aRefunded } from '../../support/stripe/money.ts';
import { aCancellation, aCheckout } from '../../support/stripe/stripe.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { entriesOf, sumsOf } from '../../support/table/entries.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { itemAt, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const uid = '1001';
let program: Program;
let jane: Advocate;
let referral: Referral;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 33.333333 });
  jane = await anAdvocate(table, program);
  referral = await aReferral(table, program, jane, { customerUid: uid });
});

const send = (event: unknown) => applyStripeEvent(table, program, event);
const entries = () => entriesOf(table, program);
const sums = async () => sumsOf(await entries());
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const ledger = () => ({ program: program.id, by: 'merchant' }) as const;
const reference = () => ({ id: referral.id, email: null, uid: null });
const n = 'A';

describe('payments', () => {
  test('an invoice is recorded once, in one transaction with the state, at the rate of the referral', async () => {
    const created = now() - 60;
    const event = aBill({ n, uid, amount: 1190, created }, { total: 1190, total_excluding_tax: 1000 });
    const first = await send(event);
    expect(first).toEqual({ applied: 'paid', entry: ID });
    expect(await send(event)).toEqual({ ignored: 'duplicate', entry: first.entry });
    const fields = { kind: 'payment', paymentId: 'in_A', amount: 1000, currency: 'usd', commission: 333, by: 'stripe' };
    expect(await entries()).toEqual([
      expect.objectContaining({ ...fields, id: first.entry, referralId: referral.id, occurredAt: created }),
    ]);
    expectConsistent(await itemsOf(table, program), program);
  });

  test('events whose state is ignored record their payments', async () => {
    await send(aCancellation({ uid, created: now() }));
    const stale = aBill({ n: 1, uid, amount: 300, created: now() - 60 });
    expect(await send(stale)).toEqual({ ignored: 'stale', entry: ID });
    expect(await send(stale)).toEqual({ ignored: 'stale', entry: ID });
    await set(table, program, referral.id, 'rejected');
    const refused = await send(aBill({ n: 2, uid, amount: 300, created: now() + 1 }));
    expect(refused).toEqual({ ignored: 'refused_transition', entry: ID });
    expect(await entries()).toMatchObject([
      { paymentId: 'in_1', commission: 100, note: null },
      { paymentId: 'in_2', commission: 0, note: 'rejected' },
    ]);
  });

  test('an invoice in another currency does not say what a refund of a payment of the API is a part of', async () => {
    const payment = { reference: reference(), paymentId: 'in_A', amount: 1000, currency: 'usd', paidAt: null };
    await recordPayment(table, ledger(), payment);
    await send(aBill({ n, uid, amount: 4000, currency: 'eur' }));
    await send(aLink({ n }));
    await send(aRefunded({ n, amount: 1000, refunded: 500 }));
    expect(await sums()).toMatchObject({ amount: 500, commission: 333 - 166 });
  });

  test('a payment of the API is not recorded again, and Stripe then reports its refunds', async () => {
    const paid = { reference: reference(), paymentId: 'in_A', amount: 1000, currency: 'usd', paidAt: null };
    const { entry } = await recordPayment(table, ledger(), paid);
    const refund = { paymentId: 'in_A', refundId: 'r1', amount: 100, refundedAt: null };
    await recordRefund(table, ledger(), refund);
    expect(await send(aBill({ n, uid: 'nobody', amount: 1000 }))).toEqual({
      ...{ ignored: 'unknown_customer', entry: entry.id },
    });
    expect(await recordRefund(table, ledger(), refund)).toMatchObject({ isNew: false });
    const another = recordRefund(table, ledger(), { ...refund, refundId: 'r2' });
    await expect(another).rejects.toMatchObject({ code: 'payment_at_stripe' });
    const tooMuch = recordRefund(table, ledger(), { ...refund, refundId: 'r2', amount: 901 });
    await expect(tooMuch).rejects.toMatchObject({ code: 'invalid_field' });
    await recordVoid(table, ledger(), { paymentId: 'in_A', note: 'Fraud' });
    expect((await sums()).commission).toBe(0);
  });
});

describe('refunds and disputes', () => {
  const refunded = (amount: number, created: number = now()) =>
    aRefunded({ n, amount: 1190, refunded: amount, created });
  const bill = () => aBill({ n, uid, amount: 1190 }, { total: 1190, total_excluding_tax: 1000 });

  test('a refund takes back its part, once', async () => {
    await send(bill());
    expect(await send(aLink({ n }))).toEqual({ applied: 'paid' });
    expect(await send(aLink({ n }))).toEqual({ ignored: 'nothing_to_do' });
    const event = refunded(119, now() - 5);
    const first = await send(event);
    expect(first).toEqual({ applied: 'paid', entry: ID });
    expect(await send(event)).toEqual(first);
    const { id: refundId, created: occurredAt } = event;
    expect((await entries()).at(-1)).toMatchObject({
      ...{ kind: 'refund', refundId, occurredAt, amount: -100, commission: -33, paymentId: 'in_A' },
    });
    await send(refunded(1190));
    expect(await sums()).toEqual({ amount: 0, commission: 0 });
    expect(await send(refunded(500))).toEqual({ ignored: 'nothing_to_do' });
  });

  test('refunds and disputes wait for their payment, whichever event completes the chain', async () => {
    const [early, late] = [now() - 20, now() - 10];
    expect(await send(refunded(119, early))).toEqual({ ignored: 'unknown_payment' });
    const dispute = aDispute({ n, amount: 238, created: late });
    expect(await send(dispute)).toEqual({ ignored: 'unknown_payment' });
    expect(await send(aLink({ n }))).toEqual({ ignored: 'unknown_payment' });
    expect(await send(bill())).toEqual({ applied: 'paid', entry: ID });
    expect(await entries()).toMatchObject([
      { kind: 'payment', commission: 333 },
      { kind: 'refund', refundId: dispute['id'], occurredAt: late, amount: -300, commission: -100 },
    ]);
    expect(await send(dispute)).toEqual({ applied: 'paid', entry: (await entries())[1]?.id });
    const stored = (await itemsOf(table, program)).filter((item) => 'pays' in item || 'paid_by' in item);
    // Nothing waits any more, so the link is kept.
    expect(stored).toEqual([expect.not.objectContaining({ expires_at: expect.anything(), facts: expect.anything() })]);
  });

  test('a refund in another currency counts for nothing, even if it waited', async () => {
    const other = aRefunded({ n, amount: 1190, refunded: 1190, currency: 'eur' });
    await send(other);
    await send(aLink({ n }));
    await send(bill());
    expect(await send(other)).toEqual({ ignored: 'other_currency' });
    expect(await sums()).toEqual({ amount: 1000, commission: 333 });
  });

  test('a payment intent of several invoices counts for none of them, whichever event comes first', async () => {
    await send(bill());
    await send(aLink({ n }));
    await send(refunded(119));
    expect(await send(aLink({ n, invoice: 'in_B' }))).toEqual({ ignored: 'several_invoices' });
    expect(await sums()).toEqual({ amount: 1000, commission: 333 });
    expect(await send(refunded(238))).toEqual({ ignored: 'several_invoices' });
    await send(aBill({ n: 'B', uid, amount: 500 }));
    expect(await sums()).toEqual({ amount: 1500, commission: 500 });
  });

  test.each([0, 1])(
    'a second invoice that arrives after its link died at write %i does not keep the refunds of the first',
    async (write) => {
      await send(bill());
      await send(aLink({ n }));
      await send(refunded(119));
      const link = aLink({ n, invoice: 'in_B' });
      const dying = () => send(link).catch(() => undefined);
      expect(await dyingAt(table, { write, isExecuted: true }, dying)).toBe(true);
      await send(aBill({ n: 'B', uid, amount: 500 }));
      await send(link);
      expect(await sums()).toEqual({ amount: 1500, commission: 500 });
    },
  );

  test('a refund that rejects the referral also takes back the commission', async () => {
    const strict = { ...program, onRefund: 'reject' } as const;
    await send(bill());
    await send(aLink({ n }));
    const event = aRefunded({ n, amount: 1190, refunded: 1190 }, { metadata: { uid } });
    expect(await applyStripeEvent(table, strict, event)).toEqual({ applied: 'rejected', entry: ID });
    expect(await applyStripeEvent(table, strict, event)).toEqual({ ignored: 'duplicate', entry: ID });
    const anonymous = aRefunded({ n: 'B', amount: 1190, refunded: 1190 });
    expect(await applyStripeEvent(table, strict, anonymous)).toEqual({ ignored: 'unknown_payment' });
    expect(await sums()).toEqual({ amount: 0, commission: 0 });
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ state: 'rejected' });
  });

  test('a refund renews the link of its invoice, so that both wait for 30 days', async () => {
    const inDays = (days: number) => table.but({ clock: () => (now() + days * 86_400) * 1000 } as never);
    await send(aLink({ n }));
    await applyStripeEvent(inDays(29), program, refunded(119));
    await applyStripeEvent(inDays(58), program, bill());
    expect(await sums()).toEqual({ amount: 900, commission: 300 });
  });

  test('a refund that waited for more than 30 days counts for nothing', async () => {
    await send(refunded(1190));
    await send(aLink({ n }));
    const later = table.but({ clock: () => (now() + 30 * 86_400) * 1000 } as never);
    await applyStripeEvent(later, program, bill());
    expect(await sums()).toEqual({ amount: 1000, commission: 333 });
  });
});

// A checkout created a referral, whose person was erased before the checkout was paid.
describe('erased people', () => {
  const email = 'ben@shop.example';
  let erased: string;
  let paid: () => object;
  beforeEach(async () => {
    const { slug } = jane;
    const checkout = { email, grId: `${slug}.${newId()}`, session: newId() };
    await applyStripeEvent(table, program, aCheckout({ ...checkout, amount: 0 }));
    erased = String((await itemAt(table, emailKey(program.id, email)))?.['referral']);
    await eraseReferral(table, program.id, erased, 'operator');
    paid = () => {
      const event = aCheckout({ ...checkout, amount: 1000 });
      Object.assign((event['data'] as { object: object }).object, { currency: 'usd', invoice: 'in_A' });
      return { ...event, type: 'checkout.session.async_payment_succeeded' };
    };
  });

  const expectRecorded = async (sent: unknown) => {
    const recorded = await entries();
    expect(recorded).toMatchObject([{ referralId: erased, paymentId: 'in_A', amount: 1000, commission: 333 }]);
    expect(sent).toEqual({ ignored: 'erased', entry: recorded[0]?.id });
  };

  test('the payment of a checkout is recorded, after the person whom it created was erased', async () => {
    await expectRecorded(await applyStripeEvent(table, program, paid()));
    await expectRecorded(await applyStripeEvent(table, program, paid()));
    expect(await storedReferral(table, program, erased)).toMatchObject({ state: 'converted', email: null });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('the payment of the checkout of an erased person is recorded once if two events arrive together', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      expect(await applyStripeEvent(table, program, paid())).toEqual({ ignored: 'erased', entry: ID });
    });
    await expectRecorded(await applyStripeEvent(table, program, paid()));
  });
});
