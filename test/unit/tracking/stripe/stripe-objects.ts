import type { Stripe } from 'stripe';
import type { RefundRule } from '../../../../functions/domain/program-fields.ts';
import { customerEvent } from '../../../support/stripe/stripe.ts';
import { CLICK_ID, NOW } from '../../samples.ts';

// Objects of Stripe with the fields that the service reads and some that it does not, of Stripe's own types.

const DETAILS = {
  ...{ address: null, business_name: null, individual_name: null, name: 'Ben', phone: null },
  ...{ tax_exempt: 'none', tax_ids: [], email: 'Ben@Shop.example' },
} as const satisfies Stripe.Checkout.Session.CustomerDetails;
/** A checkout that was paid. */
export const SESSION = {
  ...{ id: 'cs_test_1', object: 'checkout.session', livemode: false, mode: 'subscription', status: 'complete' },
  ...{ amount_total: 2400, currency: 'usd', payment_status: 'paid', customer: 'cus_1', customer_email: null },
  ...{ customer_details: DETAILS, client_reference_id: `Jane-Doe_${CLICK_ID}`, metadata: { uid: '1001' } },
} as const satisfies Partial<Stripe.Checkout.Session>;
/** The parent of an invoice of a subscription. */
export const LINES = {
  ...{ type: 'subscription_details', quote_details: null },
  subscription_details: { metadata: { uid: '1001', gr_id: `jane.${CLICK_ID}` }, subscription: 'sub_1' },
} as const satisfies Stripe.Invoice.Parent;
/** An invoice that was paid. */
export const BILL = {
  ...{ id: 'in_1', object: 'invoice', amount_paid: 2400, amount_due: 2400, currency: 'usd', status: 'paid' },
  ...{ customer: 'cus_1', customer_email: 'ben@shop.example', metadata: {}, parent: LINES },
} as const satisfies Partial<Stripe.Invoice>;
/** A subscription that ended. */
export const SUBSCRIPTION = {
  ...{ id: 'sub_1', object: 'subscription', status: 'canceled', customer: 'cus_1', metadata: {}, ended_at: NOW },
} as const satisfies Partial<Stripe.Subscription>;
const BILLING = {
  ...{ address: null, name: null, phone: null, tax_id: null, email: 'ben@shop.example' },
} as const satisfies Stripe.Charge.BillingDetails;
/** A charge of a guest that was refunded in full. */
export const CHARGE = {
  ...{ id: 'ch_1', object: 'charge', amount: 2400, amount_refunded: 2400, refunded: true, customer: null },
  ...{ billing_details: BILLING, receipt_email: null, metadata: {} },
} as const satisfies Partial<Stripe.Charge>;
/** A customer that was deleted at Stripe. */
export const DELETED_CUSTOMER = {
  id: 'cus_1',
  object: 'customer',
  deleted: true,
} as const satisfies Stripe.DeletedCustomer;
/** A customer that is expanded in an object. */
export const CUSTOMER = {
  ...{ id: 'cus_2', object: 'customer', email: 'other@shop.example', metadata: { uid: 'of the customer' } },
} as const satisfies Partial<Stripe.Customer>;
/** The customer of an object in an account that uses Stripe's Accounts v2. */
export const ACCOUNT = { customer: null, customer_account: 'acct_1' } as const satisfies Partial<Stripe.Invoice>;

/** The envelope of an event. */
export const ENVELOPE = {
  ...{ id: 'evt_1', object: 'event', api_version: '2026-10-29.dahlia', created: NOW, livemode: true },
  ...{ pending_webhooks: 1, request: { id: null, idempotency_key: null } },
} as const;

/** Parses an event of a type with an object. */
export const parse = (type: string, object: unknown, onRefund: RefundRule = 'ignore') =>
  customerEvent({ ...ENVELOPE, type, data: { object } }, { mode: 'live', onRefund });
