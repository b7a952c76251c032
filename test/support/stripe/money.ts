import type { JsonObject } from '../../../functions/openapi/operation.ts';
import { now } from '../program.ts';

// The events of Stripe about money, with the fields that the service reads. All belong to one payment: `n` is the end of
// its ids.

/** The fields that tests choose. */
export interface MoneyFields {
  readonly n: string | number;
  /** By default a new one. */
  readonly id?: string;
  /** Unix seconds; by default the current time. */
  readonly created?: number;
  readonly currency?: string;
}

let events = 0;

/** A paid invoice of a customer, without tax. */
export function aBill(fields: MoneyFields & { readonly uid: string; readonly amount: number }, more: JsonObject = {}) {
  const { n, uid, amount } = fields;
  const sums = { amount_paid: amount, total: amount, total_excluding_tax: amount, amount_shipping: 0 };
  const parent = { subscription_details: { metadata: { uid } } };
  return eventOf('invoice.paid', fields, { id: `in_${n}`, ...sums, metadata: {}, parent, ...more });
}

/** The payment intent of an invoice, by default of the invoice with the same end. */
export function aLink(fields: MoneyFields & { readonly invoice?: string }) {
  const { n, invoice = `in_${n}` } = fields;
  return eventOf('invoice_payment.paid', fields, {
    ...{ id: `inpay_${n}`, invoice, payment: { type: 'payment_intent', payment_intent: `pi_${n}` } },
  });
}

/** A charge of which an amount was refunded in all. */
export function aRefunded(
  fields: MoneyFields & { readonly amount: number; readonly refunded: number },
  more: JsonObject = {},
) {
  const { n, amount, refunded } = fields;
  return eventOf('charge.refunded', fields, {
    ...{ id: `ch_${n}`, amount, amount_refunded: refunded, refunded: refunded === amount },
    ...{ payment_intent: `pi_${n}`, customer: null, metadata: {}, ...more },
  });
}

/** A dispute whose funds were withdrawn, or reinstated if it is won. */
export function aDispute(
  fields: MoneyFields & { readonly amount: number; readonly isWon?: boolean },
  more: JsonObject = {},
) {
  const { n, amount, isWon = false } = fields;
  return eventOf(`charge.dispute.funds_${isWon ? 'reinstated' : 'withdrawn'}`, fields, {
    ...{
      id: `du_${n}`,
      amount,
      charge: `ch_${n}`,
      payment_intent: `pi_${n}`,
      status: isWon ? 'won' : 'needs_response',
    },
    ...more,
  });
}

/** A paid checkout of a customer whose payment has no invoice. */
export function aSale(fields: MoneyFields & { readonly uid: string; readonly amount: number }, more: JsonObject = {}) {
  const { n, uid, amount } = fields;
  return eventOf('checkout.session.completed', fields, {
    ...{ id: `cs_${n}`, mode: 'payment', payment_status: 'paid', amount_total: amount, metadata: { uid } },
    ...{ invoice: null, payment_intent: `pi_${n}`, total_details: null, ...more },
  });
}

function eventOf(type: string, { id, created = now(), currency = 'usd' }: MoneyFields, object: JsonObject): JsonObject {
  events += 1;
  return {
    ...{ object: 'event', id: id ?? `evt_${process.pid}_m${events}`, type, created },
    data: { object: { currency, ...object } },
  };
}
