import { roundedQuotient } from '../../kernel/fields/money.ts';
import type { Writing } from './entry.ts';
import type { Entry } from './entry-fields.ts';
import { type Payment, type Refund, setRefunded } from './payment.ts';
import type { ProviderFact, ProviderReports } from './provider-reports.ts';

/** The newest of several facts. There is at least one. */
export function newestFact(facts: readonly ProviderFact[]): Refund {
  const [newest] = facts.toSorted((one, other) => other.createdAt - one.createdAt || compare(other, one));
  if (!newest) throw new RangeError('There is no fact.');
  return { refundId: newest.eventId, refundedAt: newest.createdAt };
}

function compare(one: ProviderFact, other: ProviderFact): number {
  return one.eventId < other.eventId ? -1 : 1;
}

/** A payment after a report of Stripe, and the entry over the difference; `null` if there is none. */
export interface ReportedChange {
  readonly payment: Payment;
  readonly entry: Entry | null;
}

/** Sets what Stripe has reported of a payment. `refund` is what an entry over the difference is attributed to. */
export function setFacts(
  before: Payment,
  facts: readonly ProviderFact[],
  refund: Refund,
  writing: Writing,
): ReportedChange {
  const reported: Payment = { ...before, reports: { ...reportsOf(before), facts } };
  const refunded = refundedOf(reported);
  if (refunded === before.refunded) return { payment: { ...reported, version: before.version + 1 }, entry: null };
  return setRefunded(reported, refunded, refund, writing);
}

/** What Stripe has reported of a payment. Refunds over the API came before its first report. */
export function reportsOf({ reports, refunded }: Payment): ProviderReports {
  return reports ?? { gross: null, refundedBefore: refunded, facts: [] };
}

/**
 * What is refunded of a payment: its amount, which is without tax, times the returned part of what the customer paid in
 * all, rounded once. What the API reported before is contained in what Stripe refunded, and is never given back.
 */
export function refundedOf(payment: Payment): number {
  const { gross, refundedBefore, facts } = reportsOf(payment);
  const sum = (kind: ProviderFact['kind'], name: 'charged' | 'returned') =>
    facts.reduce((total, fact) => total + (fact.kind === kind ? BigInt(fact[name]) : 0n), 0n);
  const amount = BigInt(payment.amount);
  const charged = sum('charge', 'charged');
  const whole = gross === null ? charged || amount : BigInt(gross);
  const byCharges = sum('charge', 'returned') * amount;
  const before = BigInt(refundedBefore) * whole;
  const returned = (byCharges > before ? byCharges : before) + sum('dispute', 'returned') * amount;
  const refunded = roundedQuotient(returned, whole);
  return Number(refunded < amount ? refunded : amount);
}
