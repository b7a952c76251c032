import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseEmail } from '../../kernel/fields/fields.ts';
import { type Random, randomText } from '../../kernel/ids.ts';
import type { Seconds } from '../../kernel/time.ts';
import { stripePath } from '../http/connection.ts';
import type { StripeEventType } from '../rules/event-types.ts';

export interface SimulatedPayment {
  readonly type: StripeEventType;
  readonly email: string | null;
  /** The merchant's own id of the customer, as merchants put it into `metadata`. */
  readonly uid: string | null;
  readonly grId: string | null;
  /** Stripe's id of the customer, such as cus_4QE4bx4C5BVSrC. */
  readonly customer: string | null;
  /** What the customer pays, with tax. All amounts are in the currency's smallest unit. */
  readonly amount: number;
  readonly tax: number;
  readonly refunded: number;
  readonly currency: string;
  /** The end of the ids of invoice, payment intent, charge and dispute, which they share; `null` for new ids. */
  readonly payment: string | null;
  /** As in the program: an event of the other mode changes nothing. */
  readonly mode: Program['mode'];
}

/** Some fields of one of Stripe's objects. Real objects have up to 70; the service reads a few. */
type Parts<Value> = Value extends object ? { readonly [Name in keyof Value]?: Parts<Value[Name]> } : Value;

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 24;
const OF_PAYMENT: readonly string[] = ['in', 'pi', 'ch', 'du'];

/** Builds the body of an event as Stripe sends it (https://docs.stripe.com/api/events/object), with new ids. */
export function simulatedEvent(payment: SimulatedPayment, created: Seconds, random: Random): string {
  const livemode = payment.mode === 'live';
  const newId = (prefix: string) => `${prefix}_${randomText(LETTERS_AND_DIGITS, ID_LENGTH, random)}`;
  const idOf = (prefix: string) =>
    payment.payment !== null && OF_PAYMENT.includes(prefix) ? `${prefix}_${payment.payment}` : newId(prefix);
  return JSON.stringify({
    id: newId('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created,
    data: { object: { ...objectOf(payment, idOf), created, livemode } },
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: payment.type,
  } satisfies Parts<Omit<Stripe.EventBase, 'data'>> & { readonly type: string; readonly data: object });
}

function objectOf(payment: SimulatedPayment, idOf: (prefix: string) => string) {
  const { type, email, customer, amount, tax, currency, mode } = payment;
  const metadata = metadataOf(payment);
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return {
        id: idOf(`cs_${mode}`),
        object: 'checkout.session',
        amount_subtotal: amount - tax,
        amount_total: amount,
        client_reference_id: payment.grId === null ? null : referenceOf(payment.grId),
        currency,
        customer,
        customer_details: { email },
        customer_email: null,
        invoice: amount > 0 ? idOf('in') : null,
        metadata,
        mode: 'subscription',
        payment_status: amount > 0 ? 'paid' : 'no_payment_required',
        status: 'complete',
        subscription: idOf('sub'),
        total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
      } satisfies Parts<Stripe.Checkout.Session>;
    case 'invoice.paid':
      return {
        id: idOf('in'),
        object: 'invoice',
        amount_due: amount,
        amount_paid: amount,
        amount_shipping: 0,
        billing_reason: 'subscription_cycle',
        currency,
        ...(customer !== null && { customer }),
        customer_email: email,
        metadata: {},
        parent: { type: 'subscription_details', subscription_details: { metadata, subscription: idOf('sub') } },
        status: 'paid',
        total: amount,
        total_excluding_tax: amount - tax,
      } satisfies Parts<Stripe.Invoice>;
    case 'invoice_payment.paid':
      return {
        id: idOf('inpay'),
        object: 'invoice_payment',
        amount_paid: amount,
        amount_requested: amount,
        currency,
        invoice: idOf('in'),
        is_default: true,
        payment: { type: 'payment_intent', payment_intent: idOf('pi') },
        status: 'paid',
      } satisfies Parts<Stripe.InvoicePayment>;
    case 'customer.subscription.deleted':
      return {
        id: idOf('sub'),
        object: 'subscription',
        currency,
        ...(customer !== null && { customer }),
        metadata,
        status: 'canceled',
      } satisfies Parts<Stripe.Subscription>;
    case 'charge.refunded':
      return {
        id: idOf('ch'),
        object: 'charge',
        amount,
        amount_refunded: payment.refunded,
        billing_details: { email },
        currency,
        customer,
        metadata,
        paid: true,
        payment_intent: idOf('pi'),
        receipt_email: email,
        refunded: payment.refunded >= amount,
        status: 'succeeded',
      } satisfies Parts<Stripe.Charge>;
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return {
        id: idOf('du'),
        object: 'dispute',
        amount,
        charge: idOf('ch'),
        currency,
        payment_intent: idOf('pi'),
        reason: 'fraudulent',
        status: type === 'charge.dispute.funds_withdrawn' ? 'needs_response' : 'won',
      } satisfies Parts<Stripe.Dispute>;
  }
}

function metadataOf({ uid, grId }: SimulatedPayment): Readonly<Record<string, string>> {
  return { ...(uid !== null && { uid }), ...(grId !== null && { gr_id: grId }) };
}

/** Returns Stripe's id of a simulated customer. It is derived from the email, so that all events of a customer share it. */
export function simulatedCustomer(email: string): string {
  return `cus_${createHash('sha256').update(normalized(email)).digest('hex').slice(0, 24)}`;
}

function normalized(email: string): string {
  try {
    return parseEmail('email', email);
  } catch {
    return email;
  }
}

/** Stripe accepts only letters, digits, hyphens and underscores in `client_reference_id`. */
function referenceOf(grId: string): string {
  return grId.replace('.', '_');
}

export function stripeUrl(baseUrl: string, program: string): string {
  return baseUrl + stripePath(program);
}

interface SignedEvent {
  readonly payload: string;
  readonly secret: string;
  readonly timestamp: Seconds;
}

/** Signs an event as Stripe does, and sends it. Throws the errors of `fetch`. `timeLimit` is in milliseconds. */
export async function sendStripeEvent(url: string, event: SignedEvent, timeLimit: number) {
  // Loading the package takes some 50 ms, which no other command should wait for.
  const { default: stripe } = await import('stripe');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': stripe.webhooks.generateTestHeaderString(event),
    },
    body: event.payload,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimit),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
