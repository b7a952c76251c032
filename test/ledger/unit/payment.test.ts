import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_AMOUNT } from '../../../functions/kernel/fields/money.ts';
import { milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { toEntry } from '../../../functions/ledger/http/entry.ts';
import { type PaymentEntry, paymentEntry, settlementEntry } from '../../../functions/ledger/rules/entry.ts';
import { entryEventBody, eventOfEntry } from '../../../functions/ledger/rules/entry-event.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { RefundTooLarge } from '../../../functions/ledger/rules/errors.ts';
import { newPayment, refund, setRefunded, voidPayment } from '../../../functions/ledger/rules/payment.ts';
import { newReferral, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { isEntryEvent } from '../../../functions/webhooks/rules/event.ts';
import { messageBody, parseMessage } from '../../../functions/webhooks/stream/messages.ts';
import { attributed, conversionOf } from '../../support/conversion.ts';
import { expectedCommission, expectedLeft } from '../../support/ledger/money-oracle.ts';
import { affiliate, aMessage, program, REFERRAL_ID } from '../../support/samples.ts';

const NOW = seconds(1_800_000_000);
const END = seconds(1_900_000_000);
const writing = { id: '019b7c01-1f00-7a4d-8b3f-2c6d9e105a80', now: NOW, by: 'merchant' } as const;
const referral: Referral = {
  ...newReferral(REFERRAL_ID, {
    ...attributed(program, affiliate),
    ...conversionOf({ email: 'ann@shop.example' }),
    now: NOW,
  }),
  commissionPercentage: 12.5,
  commissionEndDate: END,
};
const reported = { paymentId: 'in_1', amount: 1004, currency: 'usd', paidAt: NOW };
const entryOf = (changes: Partial<Referral> = {}, paidAt = NOW) =>
  paymentEntry({ ...referral, ...changes }, { ...reported, paidAt }, writing, null);

describe('the entry of a payment', () => {
  test('the entry has the advocate and the rate of the referral, and its rounded commission', () => {
    expect(entryOf()).toEqual({
      id: writing.id,
      kind: 'payment',
      advocateSlug: affiliate.slug,
      referralId: referral.id,
      paymentId: 'in_1',
      refundId: null,
      adjustmentId: null,
      settlementId: null,
      amount: 1004,
      currency: 'usd',
      commission: 126,
      commissionPercentage: 12.5,
      commissionRulesId: null,
      rule: null,
      payingSeen: null,
      note: null,
      reference: null,
      occurredAt: NOW,
      createdAt: NOW,
      by: 'merchant',
      paidAt: NOW,
      payoutVersion: null,
      isCounted: null,
    });
  });

  test.each<[string, Partial<Referral>, number, string | null]>([
    ['a rejected referral', { state: 'rejected' }, NOW, 'rejected'],
    ['the second of the end', {}, END, 'ended'],
    ['the second before the end', {}, END - 1, null],
    ['the end without a rate', { commissionPercentage: null }, END, 'ended'],
    ['no rate', { commissionPercentage: null }, NOW, 'no_rate'],
    ['a rate of 0', { commissionPercentage: 0 }, NOW, null],
    ['a churned referral', { state: 'churned' }, NOW, null],
  ])('%s has the first note that holds', (_, changes, paidAt, note) => {
    const entry = entryOf(changes, seconds(paidAt));
    const rate = changes.commissionPercentage === 0 ? 0 : 12.5;
    expect(entry.note).toBe(note);
    expect(entry.commission).toBe(note === null ? expectedCommission(1004, rate) : 0);
    expect(entry.commissionPercentage).toBe({ ...referral, ...changes }.commissionPercentage);
  });
});

/** Refunds in parts, in any order, of a payment with any commission, perhaps with a void between them. */
const plans = fc
  .record({
    amount: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: MAX_AMOUNT })),
    rate: fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => millionths / 1e6),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
    voidAfter: fc.option(fc.nat(9)),
  })
  .map(({ amount, cuts, ...others }) => {
    const marks = [...new Set([0, ...cuts.map((cut) => Math.floor(cut * amount)), amount])].toSorted((a, b) => a - b);
    return { amount, ...others, parts: marks.slice(1).map((mark, index) => mark - (marks[index] ?? 0)) };
  });

const paid = (amount: number, rate: number): PaymentEntry =>
  paymentEntry({ ...referral, commissionPercentage: rate }, { ...reported, amount }, writing, null);
const part = (refundId: string) => ({ refundId, refundedAt: NOW });

describe('the refunds of a payment', () => {
  test('refunds in any parts take back what long division says, and end at exactly 0', () => {
    const property = ({
      amount,
      rate,
      parts,
      voidAfter,
    }: typeof plans extends fc.Arbitrary<infer Plan> ? Plan : never) => {
      const first = paid(amount, rate);
      let payment = newPayment(first);
      let left = first.commission;
      let isVoided = false;
      for (const [index, size] of parts.entries()) {
        if (voidAfter === index) {
          const voided = voidPayment(payment, 'Fraud', writing);
          expect(voided.entry.commission).toBe(0 - left);
          [payment, left, isVoided] = [voided.payment, 0, true];
        }
        const change = refund(payment, size, part(`re_${index}`), writing);
        const after = isVoided ? 0 : expectedLeft(first.commission, amount, payment.refunded + size);
        expect(change.entry).toMatchObject({ kind: 'refund', amount: -size, commission: after - left });
        [payment, left] = [change.payment, after];
      }
      expect([left, payment.refunded]).toEqual([0, amount]);
      expect(() => refund(payment, 1, part('more'), writing)).toThrow(RefundTooLarge);
    };
    fc.assert(fc.property(plans, property), { numRuns: 200 });
  });

  test('a dispute that was won gives back the same part, with a positive amount', () => {
    const payment = newPayment(paid(333, 33.333333));
    const lost = setRefunded(payment, 200, part('a'), writing);
    const won = setRefunded(lost.payment, 0, part('b'), writing);
    expect(won.entry).toMatchObject({ kind: 'refund', amount: 200, commission: 0 - lost.entry.commission });
    expect(won.payment).toEqual({ ...payment, version: 3 });
  });

  test('the entries of a payment keep its advocate, rate, referral and time', () => {
    const first = entryOf();
    const { advocateSlug, commissionPercentage, referralId, paymentId, paidAt, currency } = first;
    const kept = { advocateSlug, commissionPercentage, referralId, paymentId, paidAt, currency };
    const later = { ...writing, id: '019b7c01-1f00-7a4d-8b3f-2c6d9e105a81', now: seconds(NOW + 100) };
    const entries: Entry[] = [
      refund(newPayment(first), 4, part('a'), later).entry,
      voidPayment(newPayment(first), 'Fraud', later).entry,
    ];
    for (const entry of entries) expect(entry).toMatchObject({ ...kept, id: later.id, createdAt: later.now });
    expect(entries[0]).toMatchObject({ refundId: 'a', note: null, occurredAt: NOW });
    expect(entries[1]).toMatchObject({ refundId: null, note: 'Fraud', amount: null, occurredAt: later.now });
  });
});

test.each([
  [null, NOW],
  [seconds(5), 5],
])('a settlement at %p takes its amount from the balance at %p', (settledAt, occurredAt) => {
  const settlement = { slug: 'jane', settlementId: 's', amount: 700, currency: 'usd', reference: null, settledAt };
  const entry = settlementEntry(settlement, writing);
  expect(entry).toMatchObject({ kind: 'settlement', amount: null, commission: -700, occurredAt, createdAt: NOW });
});

const money = { amount: 500, currency: 'usd' };
const settled = settlementEntry(
  { ...money, slug: 'jane', settlementId: 's', reference: null, settledAt: null },
  writing,
);
const payment: Entry = {
  ...settled,
  ...money,
  kind: 'payment',
  settlementId: null,
  paymentId: 'in_1',
  referralId: REFERRAL_ID,
  commission: 100,
  commissionPercentage: 20,
  paidAt: NOW,
};

test('the body of an event has the id and exactly the attributes of the API', () => {
  const event = eventOfEntry(payment);
  if (!event) throw new Error('A payment has an event.');
  expect(event.id).toBe(`${payment.id}.1`);
  const { id, attributes } = toEntry(payment);
  const timestamp = new Date(NOW * 1000).toISOString().replace('.000', '');
  expect(entryEventBody(event)).toEqual({ type: 'payment.recorded', timestamp, data: { id, ...attributes } });
  expect(isEntryEvent(event)).toBe(true);
});

test.each<[string, Partial<Entry>, string | undefined]>([
  ['a payment', {}, 'payment.recorded'],
  ['a refund', { kind: 'refund', refundId: 're_1' }, 'payment.refunded'],
  ['an imported payment', { by: 'import' }, undefined],
])('%s has the type %3$s', (_, changes, type) => {
  expect(eventOfEntry({ ...payment, ...changes })?.type).toBe(type);
});

test('a message with an entry is parsed from what was written, and lacks no field', () => {
  const { program, webhook } = aMessage();
  const event = eventOfEntry(payment);
  if (!event) throw new Error('A payment has an event.');
  const message = { program, webhook, event, advocateId: null, attempt: 2, due: milliseconds(NOW * 1000) };
  expect(parseMessage(messageBody(message))).toEqual(message);
  const written = JSON.parse(messageBody(message));
  for (const name of ['id', 'type', 'setAt', 'entry']) {
    const broken = { ...written, event: { ...written.event, [name]: {} } };
    expect(() => parseMessage(JSON.stringify(broken))).toThrow();
  }
});
