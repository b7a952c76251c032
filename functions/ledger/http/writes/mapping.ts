import { InvalidField } from '../../../kernel/errors.ts';
import { parseSlug, parseText } from '../../../kernel/fields/fields.ts';
import { MAX_AMOUNT, parseCurrency } from '../../../kernel/fields/money.ts';
import { parseWhole } from '../../../kernel/fields/numbers.ts';
import { validBody } from '../../../kernel/http/validation.ts';
import { isSeconds, type Seconds } from '../../../kernel/time.ts';
import { parseReference } from '../../../referrals/http/customer.ts';
import { type Adjustment, MAX_NOTE, MAX_SETTLEMENTS } from '../../rules/entry.ts';
import { parseEntryId } from '../../rules/entry-id.ts';
import type { PaymentRequest, RefundRequest } from '../../table/payments.ts';
import type { SettlementRequest } from '../../table/settlements.ts';
import { adjustmentBody, paymentBody, refundBody, settlementBody, voidBody } from './validators.js';

/*
 * Parses the bodies that write to the ledger. Each parser throws `InvalidField` for the first invalid or missing field.
 * `now` is the current second.
 */

/** How far a reported time may lie in the future, in seconds: clocks differ. */
const MAX_AHEAD = 300;

/** Parses a payment. */
export function parsePayment(json: unknown, now: Seconds): PaymentRequest {
  const body = validBody(json, paymentBody);
  return {
    reference: parseReference(body),
    paymentId: parseEntryId('payment_id', body.payment_id),
    ...parseMoney(body),
    paidAt: parseTime('paid_at', body.paid_at, now),
  };
}

/** Parses a refund. */
export function parseRefund(json: unknown, now: Seconds): RefundRequest {
  const body = validBody(json, refundBody);
  return {
    paymentId: parseEntryId('payment_id', body.payment_id),
    refundId: parseEntryId('refund_id', body.refund_id),
    amount: parseAmount(body.amount),
    refundedAt: parseTime('refunded_at', body.refunded_at, now),
  };
}

/** Parses a void. */
export function parseVoid(json: unknown) {
  const body = validBody(json, voidBody);
  return {
    paymentId: parseEntryId('payment_id', body.payment_id),
    note: parseText('note', body.note, MAX_NOTE),
  };
}

/** Parses an adjustment. */
export function parseAdjustment(json: unknown): Adjustment {
  const body = validBody(json, adjustmentBody);
  return {
    slug: parseSlug('affiliate_slug', body.affiliate_slug),
    adjustmentId: parseEntryId('adjustment_id', body.adjustment_id),
    commission: parseAdjusted(body.commission),
    currency: parseCurrency('currency', body.currency),
    note: parseText('note', body.note, MAX_NOTE),
  };
}

/** Parses a settlement. */
export function parseSettlement(json: unknown, now: Seconds): SettlementRequest {
  const body = validBody(json, settlementBody);
  const { settlement_count: count } = body;
  return {
    slug: parseSlug('affiliate_slug', body.affiliate_slug),
    settlementId: parseEntryId('settlement_id', body.settlement_id),
    ...parseMoney(body),
    reference: body.reference === undefined ? null : parseText('reference', body.reference, MAX_NOTE),
    settledAt: parseTime('settled_at', body.settled_at, now),
    settlementCount: count === undefined ? undefined : parseWhole('settlement_count', count, MAX_SETTLEMENTS, 0),
  };
}

const parseMoney = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => ({
  amount: parseAmount(amount),
  currency: parseCurrency('currency', currency),
});

/** Checks the commission of an adjustment. Throws `InvalidField`. */
export function parseAdjusted(commission: number): number {
  if (commission === 0) throw new InvalidField('commission', 'must not be 0');
  return parseWhole('commission', commission, MAX_AMOUNT, -MAX_AMOUNT);
}

/** Checks an amount. Throws `InvalidField`. */
export const parseAmount = (amount: number) => parseWhole('amount', amount, MAX_AMOUNT);

function parseTime(field: string, value: number | undefined, now: Seconds): Seconds | null {
  if (value === undefined) return null;
  if (!isSeconds(value) || value > now + MAX_AHEAD) {
    throw new InvalidField(field, `must be whole Unix seconds, at most ${MAX_AHEAD} in the future`);
  }
  return value;
}
