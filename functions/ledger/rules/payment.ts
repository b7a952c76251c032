import { shareOf } from '../../kernel/fields/money.ts';
import type { Seconds } from '../../kernel/time.ts';
import { type PaymentEntry, type Writing, writtenBy } from './entry.ts';
import type { Entry } from './entry-fields.ts';
import { PaymentAtStripe, RefundTooLarge } from './errors.ts';
import type { ProviderReports } from './provider-reports.ts';

/** The position of an entry among the entries of its advocate. */
export type EntryPosition = Pick<Entry, 'createdAt' | 'id'>;

/** A payment, and what was taken back of it. Its entries have the payment's advocate, referral, and rate or rule. */
export interface Payment
  extends Pick<
    PaymentEntry,
    | 'paymentId'
    | 'advocateSlug'
    | 'referralId'
    | 'amount'
    | 'currency'
    | 'commission'
    | 'commissionPercentage'
    | 'commissionRulesId'
    | 'rule'
    | 'payingSeen'
    | 'paidAt'
  > {
  readonly entry: EntryPosition;
  /** What was refunded, from 0 to the amount. */
  readonly refunded: number;
  /** The entry of its void; `null` if it is not voided. */
  readonly voided: EntryPosition | null;
  /** What Stripe has reported of it; `null` if nothing. Then the API reports its refunds. */
  readonly reports: ProviderReports | null;
  /** The payment intents and charges whose reports waited for it, and are still to be applied. */
  readonly links: readonly string[];
  /** Number of writes, for optimistic locking. */
  readonly version: number;
}

/** A payment after a change, and the entry of the change. */
export interface PaymentChange {
  readonly payment: Payment;
  readonly entry: Entry;
}

/** The payment that an entry records. */
export function newPayment(entry: PaymentEntry): Payment {
  const { paymentId, advocateSlug, referralId, amount, currency, commission, commissionPercentage, paidAt } = entry;
  const { commissionRulesId, rule, payingSeen } = entry;
  return {
    ...{ paymentId, advocateSlug, referralId, amount, currency, commission, commissionPercentage, paidAt },
    ...{ commissionRulesId, rule, payingSeen },
    entry: { id: entry.id, createdAt: entry.createdAt },
    refunded: 0,
    voided: null,
    reports: null,
    links: [],
    version: 1,
  };
}

/** A refund as it is reported. */
export interface Refund {
  readonly refundId: string;
  readonly refundedAt: Seconds;
}

/** Refunds a part of a payment. Throws `RefundTooLarge` if less is left, or `PaymentAtStripe`. */
export function refund(payment: Payment, amount: number, reported: Refund, writing: Writing): PaymentChange {
  if (amount > payment.amount - payment.refunded) throw new RefundTooLarge();
  if (payment.reports) throw new PaymentAtStripe();
  return setRefunded(payment, payment.refunded + amount, reported, writing);
}

/** Sets what is refunded of a payment in all: more, or less after a dispute that was won. */
export function setRefunded(
  payment: Payment,
  refunded: number,
  { refundId, refundedAt }: Refund,
  writing: Writing,
): PaymentChange {
  const after = { ...payment, refunded, version: payment.version + 1 };
  const amount = payment.refunded - refunded;
  return {
    payment: after,
    entry: { ...changeOf(payment, after, writing), kind: 'refund', refundId, amount, occurredAt: refundedAt },
  };
}

/** Takes back what is left of the commission of a payment. Later refunds take back nothing. */
export function voidPayment(payment: Payment, note: string, writing: Writing): PaymentChange {
  const voided = { id: writing.id, createdAt: writing.now };
  const after = { ...payment, voided, version: payment.version + 1 };
  return {
    payment: after,
    entry: { ...changeOf(payment, after, writing), kind: 'void', note, occurredAt: writing.now },
  };
}

/** The fields of the entry that takes back, or gives back, the difference of what is left. */
function changeOf(before: Payment, after: Payment, writing: Writing) {
  const { advocateSlug, referralId, paymentId, currency, commissionPercentage, paidAt } = before;
  const { commissionRulesId, rule, payingSeen } = before;
  const commission = commissionLeft(after) - commissionLeft(before);
  return {
    ...writtenBy(writing),
    ...{ advocateSlug, referralId, paymentId, currency, commissionPercentage, paidAt, commission },
    ...{ commissionRulesId, rule, payingSeen },
  };
}

/** What is left of the commission of a payment. A payment that is refunded in any parts ends at exactly 0. */
export function commissionLeft({
  amount,
  refunded,
  commission,
  voided,
}: Pick<Payment, 'amount' | 'refunded' | 'commission' | 'voided'>): number {
  return voided ? 0 : shareOf(commission, amount - refunded, amount);
}
