import { isCurrency, MAX_AMOUNT, shareOf } from '../../kernel/fields/money.ts';
import { valueAt } from '../../kernel/json.ts';
import type { ProviderFact, ProviderReport } from '../../ledger/rules/provider-reports.ts';
import { idAt, type StripeObject, textAt } from './event-object.ts';
import type { StripeEventType } from './event-types.ts';
import type { ProviderPayment } from './provider-event.ts';

/** Reads the payment of a paid invoice or checkout (docs/contract/stripe.md); `null` if there is none. */
export function parsePayment(type: StripeEventType, object: unknown): ProviderPayment | null {
  if (type === 'invoice.paid') {
    const id = idAt(object, 'id');
    const gross = amountAt(object, 'amount_paid');
    return id === undefined || gross === undefined ? null : paymentOf(object, id, gross, netOfInvoice(object, gross));
  }
  if (!type.startsWith('checkout.') || valueAt(object, 'payment_status') !== 'paid') return null;
  const id = idAt(object, 'invoice') ?? paymentIntentOf(object);
  const gross = amountAt(object, 'amount_total');
  if (id === undefined || gross === undefined) return null;
  const net = gross - partAt(object, 'amount_tax') - partAt(object, 'amount_shipping');
  return paymentOf(object, id, gross, net);
}

/** A payment of an amount above 0, in a currency that is known. */
function paymentOf(object: unknown, id: string, gross: number, amount: number): ProviderPayment | null {
  const currency = currencyOf(object);
  return currency === undefined || amount <= 0 ? null : { id, amount, currency, gross };
}

/** What was paid of an invoice without tax and shipping: the same part of both as of the whole. */
function netOfInvoice(invoice: unknown, paid: number): number {
  const net = wholeAt(invoice, 'total_excluding_tax');
  const total = amountAt(invoice, 'total');
  if (net === undefined || total === undefined) return paid;
  return shareOf(paid, net - (wholeAt(invoice, 'amount_shipping') ?? 0), total);
}

/** A part of the total of a checkout. */
function partAt(checkout: unknown, name: 'amount_tax' | 'amount_shipping'): number {
  return wholeAt(valueAt(checkout, 'total_details'), name) ?? 0;
}

/** The payment intent of a checkout without an invoice, unless an invoice follows. */
function paymentIntentOf(checkout: unknown): string | undefined {
  return valueAt(checkout, 'invoice_creation', 'enabled') === true ? undefined : idAt(checkout, 'payment_intent');
}

/** Reads what an event reports about a payment intent, or about a charge without one; `null` if nothing. */
export function parseReport(type: StripeEventType, event: StripeObject): ProviderReport | null {
  const { object } = event;
  switch (type) {
    // Up to the API version 2025-02-24, an invoice contains its payment intent or charge
    // (https://docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices).
    case 'invoice.paid':
      return linkOf(event, sourceOf(object), idAt(object, 'id'));
    case 'invoice_payment.paid':
      return linkOf(event, sourceOf(valueAt(object, 'payment')), idAt(object, 'invoice'));
    case 'charge.refunded':
      return chargeOf(event);
    case 'charge.dispute.funds_withdrawn':
      return disputeOf(event, amountAt(object, 'amount'));
    case 'charge.dispute.funds_reinstated':
      // Of a dispute that is lost, Stripe reinstates what was refunded before.
      return valueAt(object, 'status') === 'lost' ? null : disputeOf(event, 0);
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'customer.subscription.deleted':
    case 'promotion_code.created':
    case 'promotion_code.updated':
      return null;
  }
}

function linkOf({ id, createdAt }: StripeObject, source = '', invoice = ''): ProviderReport | null {
  return source === '' || invoice === '' ? null : { eventId: id, createdAt, source, invoice, fact: null };
}

function chargeOf(event: StripeObject): ProviderReport | null {
  const { object } = event;
  const id = idAt(object, 'id');
  const charged = amountAt(object, 'amount');
  return factOf(event, idAt(object, 'payment_intent') ?? id, {
    ...{ kind: 'charge', id, charged, returned: amountAt(object, 'amount_refunded') },
  });
}

function disputeOf(event: StripeObject, returned: number | undefined): ProviderReport | null {
  return factOf(event, sourceOf(event.object), { kind: 'dispute', id: idAt(event.object, 'id'), charged: 0, returned });
}

/** What a fact consists of, as far as it can be read. */
type Parts = { readonly [Name in 'kind' | 'id' | 'charged' | 'returned']: ProviderFact[Name] | undefined };

function factOf(event: StripeObject, source: string | undefined, parts: Parts): ProviderReport | null {
  const { kind, id, charged, returned } = parts;
  const currency = idAt(event.object, 'currency')?.slice(0, MAX_CURRENCY);
  if (!(kind && id && source && currency) || charged === undefined || returned === undefined) return null;
  const { id: eventId, createdAt } = event;
  const fact = { kind, id, source, currency, charged, returned, eventId, createdAt };
  return { eventId, createdAt, source, invoice: idAt(event.object, 'invoice') ?? null, fact };
}

/** The payment intent of an object; without one, its charge. */
function sourceOf(object: unknown): string | undefined {
  return idAt(object, 'payment_intent') ?? idAt(object, 'charge');
}

/** Longer than the code of any currency. */
const MAX_CURRENCY = 10;
/** Reads an amount above 0, in the smallest unit of its currency. */
function amountAt(object: unknown, name: string): number | undefined {
  const amount = wholeAt(object, name);
  return amount !== undefined && amount > 0 && amount <= MAX_AMOUNT ? amount : undefined;
}

function wholeAt(object: unknown, name: string): number | undefined {
  const value = valueAt(object, name);
  return Number.isSafeInteger(value) ? Number(value) : undefined;
}

function currencyOf(object: unknown): string | undefined {
  const currency = textAt(object, 'currency');
  return currency !== undefined && isCurrency(currency) ? currency : undefined;
}
