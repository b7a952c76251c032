import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seconds } from '../../../functions/kernel/time.ts';
import { newPayment, type Payment } from '../../../functions/ledger/rules/payment.ts';
import { newestFact, refundedOf, setFacts } from '../../../functions/ledger/rules/provider-refunds.ts';
import { mergeFacts, type ProviderFact } from '../../../functions/ledger/rules/provider-reports.ts';

const NOW = seconds(1_800_000_000);
const SMALL = 1_000_000;

/** A payment with the gross that Stripe has reported, or from elsewhere. */
const aPayment = (amount: number, gross: number | null, commission = Math.floor(amount / 3), refundedBefore = 0) => {
  const entry = { paymentId: 'in_1', amount, commission, currency: 'usd', paidAt: NOW, id: 'e', createdAt: NOW };
  const payment = newPayment({ ...entry, advocateSlug: 'jane', referralId: 'r' } as never);
  return { ...payment, refunded: refundedBefore, reports: { gross, refundedBefore, facts: [] } } satisfies Payment;
};
const aFact = (fact: Partial<ProviderFact>): ProviderFact => ({
  ...{ kind: 'charge', id: 'ch', source: 'pi', currency: 'usd', charged: 1190, returned: 0 },
  ...{ eventId: 'evt_1', createdAt: NOW, ...fact },
});

const fact = fc.record({
  kind: fc.constantFrom('charge' as const, 'dispute' as const),
  id: fc.constantFrom('a', 'b'),
  returned: fc.integer({ min: 0, max: 500 }),
  eventId: fc.uuid(),
  createdAt: fc.integer({ min: 1, max: 4 }).map((offset) => seconds(NOW + offset)),
});
const facts = fc.array(fact, { minLength: 1, maxLength: 8 }).map((given) => given.map(aFact));

/** Applies facts one event after the other, and returns the payment and the sums of the entries. */
function applied(first: Payment, events: readonly ProviderFact[]) {
  return events.reduce(
    ({ payment, amount, commission }, event) => {
      const merged = mergeFacts(payment.reports?.facts ?? [], [event]);
      const writing = { id: 'x', now: NOW, by: 'stripe' } as const;
      const change = setFacts(payment, merged, newestFact([event]), writing);
      return {
        payment: change.payment,
        amount: amount + (change.entry?.amount ?? 0),
        commission: commission + (change.entry?.commission ?? 0),
      };
    },
    { payment: first, amount: 0, commission: 0 },
  );
}

/** What is refunded, computed from all events together with another formula. */
function expectedRefund(amount: number, gross: number, events: readonly ProviderFact[]): number {
  let sum = 0;
  for (const id of ['a', 'b']) {
    const charges = events.filter((event) => event.kind === 'charge' && event.id === id);
    sum += Math.max(0, ...charges.map(({ returned }) => returned));
    const disputes = events.filter((event) => event.kind === 'dispute' && event.id === id);
    const newest = Math.max(...disputes.map(({ createdAt }) => createdAt));
    const last = disputes.filter(({ createdAt }) => createdAt === newest).map(({ returned }) => returned);
    if (last.length > 0) sum += Math.min(...last);
  }
  return Math.min(amount, Math.floor((amount * sum) / gross + 0.5));
}

test('the sums of the entries are the same in any order and repetition, and equal an oracle', () => {
  const amounts = fc.integer({ min: 1, max: SMALL });
  const property = (amount: number, tax: number, given: ProviderFact[], order: readonly number[]) => {
    const payment = aPayment(amount, amount + tax);
    const shuffled = order.flatMap((index) => given[index % given.length] ?? []);
    const one = applied(payment, [...shuffled, ...given]);
    const other = applied(payment, given);
    const refunded = expectedRefund(amount, amount + tax, given);
    expect([one.amount, other.amount]).toEqual([0 - refunded, 0 - refunded]);
    expect(one.commission).toBe(other.commission);
    const left = Math.floor((payment.commission * (amount - refunded)) / amount + 0.5);
    expect(payment.commission + one.commission).toBe(left);
  };
  const order = fc.array(fc.nat(), { maxLength: 20 });
  fc.assert(fc.property(amounts, fc.integer({ min: 0, max: 5000 }), facts, order, property), { numRuns: 500 });
});

test('a payment that is refunded in full, in any parts, ends at exactly 0', () => {
  const property = (amount: number, tax: number, parts: readonly number[]) => {
    const gross = amount + tax;
    const refunds = [...parts.map((part) => 1 + (part % gross)), gross];
    const payment = aPayment(amount, gross);
    const { payment: after, commission } = applied(
      payment,
      refunds.map((returned, index) => aFact({ returned, charged: gross, eventId: `evt_${index}` })),
    );
    expect([after.refunded, payment.commission + commission]).toEqual([amount, 0]);
  };
  const amounts = fc.integer({ min: 1, max: SMALL });
  fc.assert(fc.property(amounts, fc.integer({ min: 0, max: SMALL }), fc.array(fc.nat(), { maxLength: 5 }), property));
});

test('a dispute that is won gives back exactly what it took', () => {
  const withdrawn = aFact({ kind: 'dispute', returned: 777, eventId: 'evt_2' });
  const reinstated = aFact({ kind: 'dispute', returned: 0, eventId: 'evt_1' });
  expect(applied(aPayment(1000, 1190), [withdrawn])).toMatchObject({ amount: -653, commission: -217 });
  // Both within one second.
  for (const events of [
    [withdrawn, reinstated],
    [reinstated, withdrawn],
  ]) {
    expect(applied(aPayment(1000, 1190), events)).toMatchObject({ amount: 0, commission: 0 });
  }
});

test.each([
  [{ gross: null, returned: 1190, before: 0 }, 1000],
  [{ gross: null, returned: 119, before: 0 }, 100],
  [{ gross: null, returned: 119, before: 100 }, 100],
  [{ gross: null, returned: 119, before: 300 }, 300],
  [{ gross: 2380, returned: 1190, before: 0 }, 500],
  [{ gross: 500, returned: 1190, before: 0 }, 1000],
])('a charge with %j refunds %i of 1,000', ({ gross, returned, before }, refunded) => {
  const payment = aPayment(1000, gross, 0, before);
  const charge = aFact({ returned });
  expect(refundedOf({ ...payment, reports: { ...payment.reports, facts: [charge] } })).toBe(refunded);
});
