import type { Payment } from '../../domain/ledger/payment.ts';
import { number, text, wholeSeconds } from '../../domain/parsers.ts';
import { type Item, optional, required, withoutNulls } from '../dynamodb/item.ts';
import { paymentKey, sortKey } from '../keys.ts';
import { parsePosition } from './entries.ts';

/** Builds the item of a payment. */
export function toPaymentItem(program: string, payment: Payment): Item {
  const { entry, voided } = payment;
  return {
    ...paymentKey(program, payment.paymentId),
    ...withoutNulls({
      id: payment.paymentId,
      entry: sortKey(entry.createdAt, entry.id),
      affiliate_slug: payment.advocateSlug,
      referral: payment.referralId,
      amount: payment.amount,
      currency: payment.currency,
      commission: payment.commission,
      rate: payment.commissionPercentage,
      paid_at: payment.paidAt,
      refunded: payment.refunded,
      voided: voided && sortKey(voided.createdAt, voided.id),
      version: payment.version,
    }),
  };
}

/** Parses the item of a payment. Throws `MalformedItem`. */
export function parsePayment(item: Item): Payment {
  const position = (value: unknown) => (typeof value === 'string' ? parsePosition(value) : undefined);
  return {
    paymentId: required(item, 'id', text),
    entry: required(item, 'entry', position),
    advocateSlug: required(item, 'affiliate_slug', text),
    referralId: required(item, 'referral', text),
    amount: required(item, 'amount', number),
    currency: required(item, 'currency', text),
    commission: required(item, 'commission', number),
    commissionPercentage: optional(item, 'rate', number),
    paidAt: required(item, 'paid_at', wholeSeconds),
    refunded: required(item, 'refunded', number),
    voided: optional(item, 'voided', position),
    version: required(item, 'version', number),
  };
}
