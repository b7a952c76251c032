import { type GrId, MAX_UID, parseEmail, parseGrId, parseText } from '../fields.ts';
import { isSeconds } from '../time.ts';
import type { Ignored, PayingCustomer, PaymentEvent } from './payment.ts';

/** The events of Stripe that concern referrals (docs/contract.md, Payments from Stripe). */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.paid',
  'customer.subscription.deleted',
  'charge.refunded',
] as const;
export type StripeEventType = (typeof STRIPE_EVENTS)[number];

/** What a refund in full does: nothing, or it rejects the referral. */
export const REFUND_RULES = ['ignore', 'reject'] as const;
export type RefundRule = (typeof REFUND_RULES)[number];

/**
 * Parses an event of Stripe (https://docs.stripe.com/api/events/object), of any API version. Returns why it is ignored if
 * it does not concern a referral, names no customer or cannot be read. Never throws: every signed event gets a 200.
 */
export function parseStripeEvent(json: unknown, onRefund: RefundRule): PaymentEvent | Ignored {
  const type = text(json, 'type');
  if (type === undefined) return 'unreadable';
  const known = STRIPE_EVENTS.find((candidate) => candidate === type);
  if (!known) return 'nothing_to_do';
  const id = text(json, 'id');
  const createdAt = at(json, 'created');
  const object = at(json, 'data', 'object');
  if (id === undefined || typeof createdAt !== 'number' || !isSeconds(createdAt) || !isObject(object)) {
    return 'unreadable';
  }
  const state = stateOf(known, object, onRefund);
  if (!state) return 'nothing_to_do';
  const customer = customerOf(object);
  if (Object.values(customer).every((reference) => reference === null)) return 'no_identity';
  const isCheckout = known.startsWith('checkout.');
  return { id, createdAt, state, isCheckout, checkoutId: isCheckout ? (text(object, 'id') ?? null) : null, customer };
}

/** The state that an event leads to; `undefined` if it has no effect. Amounts are in the smallest unit of a currency. */
function stateOf(type: StripeEventType, object: unknown, onRefund: RefundRule): PaymentEvent['state'] | undefined {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      if (at(object, 'mode') === 'setup') return undefined;
      return at(object, 'payment_status') === 'paid' && isPositive(at(object, 'amount_total')) ? 'paid' : 'converted';
    }
    case 'invoice.paid':
      return isPositive(at(object, 'amount_paid')) ? 'paid' : undefined;
    case 'customer.subscription.deleted':
      return 'churned';
    case 'charge.refunded':
      // True only if the whole amount is refunded (https://docs.stripe.com/api/charges/object#charge_object-refunded).
      return onRefund === 'reject' && at(object, 'refunded') === true ? 'rejected' : undefined;
  }
}

/** Reads the references to the customer. A reference that is not valid counts as missing. */
function customerOf(object: unknown): PayingCustomer {
  const metadata = [
    at(object, 'metadata'),
    at(object, 'parent', 'subscription_details', 'metadata'),
    at(object, 'subscription_details', 'metadata'),
  ];
  const emails = [
    at(object, 'customer_details', 'email'),
    at(object, 'customer_email'),
    at(object, 'billing_details', 'email'),
    at(object, 'receipt_email'),
  ];
  const customer = at(object, 'customer');
  return {
    uid: first(
      metadata.map((data) => at(data, 'uid')),
      (uid) => parseText('uid', uid, MAX_UID),
    ),
    // Stripe sends an expanded customer itself instead of its id. With Accounts v2, an account can be the customer
    // (https://docs.stripe.com/connect/use-accounts-as-customers).
    providerId: first([customer, at(customer, 'id'), at(object, 'customer_account')], (id) =>
      parseText('customer', id, MAX_PROVIDER_ID),
    ),
    email: first(emails, (email) => parseEmail('email', email)),
    grId: first<GrId>([at(object, 'client_reference_id'), ...metadata.map((data) => at(data, 'gr_id'))], parseGrId),
  };
}

/** Maximum length of an id of Stripe in characters (https://docs.stripe.com/upgrades#what-changes-does-stripe-consider-to-be-backwards-compatible). */
const MAX_PROVIDER_ID = 255;

/** Returns the first value that is a string and can be parsed; `null` if there is none. */
function first<Value>(values: readonly unknown[], parse: (text: string) => Value): Value | null {
  for (const value of values) {
    if (typeof value !== 'string') continue;
    try {
      return parse(value);
    } catch {
      // Payment pages let customers and merchants enter anything.
    }
  }
  return null;
}

/** Reads a value at a path of own properties; `undefined` if there is none. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

function text(value: unknown, name: string): string | undefined {
  const found = at(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
