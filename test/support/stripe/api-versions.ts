import type { Stripe } from 'stripe';
import type { JsonObject } from '../../../functions/openapi/operation.ts';

// The events of one payment of 11.90 with 1.90 tax as Stripe sends them in three API versions: a refund of 2.38, and a
// dispute over 9.52 that is won. The fields were compared with the types of the package `stripe` and with Stripe's
// changelog: https://docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices

const CREATED = 1_790_000_000;
const CUSTOMER = { customer: 'cus_1', customer_email: 'ben@shop.example' };
const AMOUNTS = { amount_due: 1190, amount_paid: 1190, amount_remaining: 0, currency: 'usd', total: 1190 };
const CHARGE = {
  ...{ id: 'ch_1', object: 'charge', amount: 1190, amount_captured: 1190, amount_refunded: 238, captured: true },
  ...{ currency: 'usd', customer: 'cus_1', metadata: {}, paid: true, refunded: false, status: 'succeeded' },
  ...{ description: 'Subscription update', disputed: false, livemode: true, receipt_email: null },
} as const satisfies Partial<Stripe.Charge>;
const DISPUTE = {
  ...{ id: 'du_1', object: 'dispute', amount: 952, charge: 'ch_1', currency: 'usd', is_charge_refundable: false },
  ...{ livemode: true, metadata: {}, reason: 'fraudulent', status: 'needs_response' },
} as const satisfies Partial<Stripe.Dispute>;
const INVOICE = {
  ...{ id: 'in_1', object: 'invoice', ...CUSTOMER, ...AMOUNTS, attempted: true, billing_reason: 'subscription_cycle' },
  ...{ collection_method: 'charge_automatically', livemode: true, metadata: {}, status: 'paid', subtotal: 1000 },
} as const satisfies Partial<Stripe.Invoice>;

/** Before payment intents were everywhere: the invoice and the dispute contain the charge, and no net total exists. */
const OF_2019 = {
  'invoice.paid': {
    ...{ ...INVOICE, charge: 'ch_1', paid: true, payment_intent: null, subscription: 'sub_1', tax: 190 },
    ...{ tax_percent: 19, application_fee_amount: null, discount: null, starting_balance: 0 },
  },
  'charge.refunded': { ...CHARGE, invoice: 'in_1', payment_intent: null, source: { id: 'card_1', object: 'card' } },
  'charge.dispute.funds_withdrawn': { ...DISPUTE, balance_transaction: 'txn_1' },
};

/** The last kind of API version in which invoices and charges contain each other. */
const OF_2024 = {
  'invoice.paid': {
    ...{ ...INVOICE, charge: 'ch_1', paid: true, paid_out_of_band: false, payment_intent: 'pi_1', tax: 190 },
    ...{ amount_shipping: 0, subtotal_excluding_tax: 1000, total_excluding_tax: 1000, subscription: 'sub_1' },
    subscription_details: { metadata: { uid: '1001' } },
  },
  'charge.refunded': { ...CHARGE, invoice: 'in_1', payment_intent: 'pi_1' },
  'charge.dispute.funds_withdrawn': { ...DISPUTE, payment_intent: 'pi_1' },
};

/** Since 2025-03-31, only `invoice_payment.paid` leads from an invoice to its payment intent. */
const OF_2026 = {
  'invoice.paid': {
    ...{ ...INVOICE, amount_overpaid: 0, amount_shipping: 0, subtotal_excluding_tax: 1000, total_excluding_tax: 1000 },
    parent: {
      ...{ type: 'subscription_details', quote_details: null },
      subscription_details: { metadata: { uid: '1001' }, subscription: 'sub_1' },
    },
  } satisfies Partial<Stripe.Invoice>,
  'invoice_payment.paid': {
    ...{ id: 'inpay_1', object: 'invoice_payment', amount_paid: 1190, amount_requested: 1190, currency: 'usd' },
    ...{ created: CREATED, invoice: 'in_1', is_default: true, livemode: true, status: 'paid' },
    payment: { type: 'payment_intent', payment_intent: 'pi_1' },
    status_transitions: { canceled_at: null, paid_at: CREATED },
  } satisfies Stripe.InvoicePayment,
  'charge.refunded': { ...CHARGE, payment_intent: 'pi_1' } satisfies Partial<Stripe.Charge>,
  'charge.dispute.funds_withdrawn': { ...DISPUTE, payment_intent: 'pi_1' } satisfies Partial<Stripe.Dispute>,
};

/** The events of the payment by API version, in the order of their times. */
export const VERSIONS: Readonly<Record<string, readonly JsonObject[]>> = {
  '2019-03-14': eventsOf('2019-03-14', OF_2019),
  '2024-06-20': eventsOf('2024-06-20', OF_2024),
  '2026-10-28.endive': eventsOf('2026-10-28.endive', OF_2026),
};

/** The events of a version. The reinstatement has the fields of the dispute. */
function eventsOf(
  version: string,
  objects: Readonly<Record<string, JsonObject>> & { readonly 'charge.dispute.funds_withdrawn': JsonObject },
): JsonObject[] {
  const won = { ...objects['charge.dispute.funds_withdrawn'], status: 'won' };
  const all = Object.entries({ ...objects, 'charge.dispute.funds_reinstated': won });
  return all.map(([type, object], index) => ({
    ...{ id: `evt_${index}`, object: 'event', api_version: version, created: CREATED + index, livemode: true },
    ...{ pending_webhooks: 1, request: { id: null, idempotency_key: null }, type, data: { object } },
  }));
}
