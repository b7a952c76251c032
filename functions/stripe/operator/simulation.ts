import { hash } from 'node:crypto';
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
  /** Stripe's id of the promotion code: of a checkout, or to create; `null` for a new id, or a checkout without one. */
  readonly promotionCode: string | null;
  /** The text of a promotion code to create, and in its metadata the slug of its advocate. */
  readonly code: string | null;
  readonly affiliateSlug: string | null;
  /** As in the program: an event of the other mode changes nothing. */
  readonly mode: Program['mode'];
}

/** Some fields of one of Stripe's objects. Real objects have up to 70: these are the fields that the service reads. */
type Parts<Value> = Value extends object ? { readonly [Name in keyof Value]?: Parts<Value[Name]> } : Value;

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 24;
const OF_PAYMENT: readonly string[] = ['in', 'pi', 'ch', 'du'];

/** Builds the body of an event as Stripe sends it (https://docs.stripe.com/api/events/object), with new ids. */
export function simulatedEvent(payment: SimulatedPayment, created: Seconds, random: Random): string {
  const newId = (prefix: string) => `${prefix}_${randomText(LETTERS_AND_DIGITS, ID_LENGTH, random)}`;
  const idOf = (prefix: string) =>
    payment.payment !== null && OF_PAYMENT.includes(prefix) ? `${prefix}_${payment.payment}` : newId(prefix);
  return JSON.stringify({
    id: newId('evt'),
    object: 'event',
    created,
    data: { object: { ...objectOf(payment, idOf), currency: payment.currency } },
    livemode: payment.mode === 'live',
    type: payment.type,
  } satisfies Parts<Omit<Stripe.EventBase, 'data'>> & { readonly type: string; readonly data: object });
}

function objectOf({ type, email, amount, tax, mode, ...payment }: SimulatedPayment, idOf: (prefix: string) => string) {
  const { uid, grId, refunded, promotionCode, code, affiliateSlug } = payment;
  const metadata = { ...(uid !== null && { uid }), ...(grId !== null && { gr_id: grId }) };
  const customer = payment.customer === null ? {} : { customer: payment.customer };
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return {
        id: idOf(`cs_${mode}`),
        ...customer,
        amount_total: amount,
        // Stripe accepts only letters, digits, hyphens and underscores.
        client_reference_id: grId?.replace('.', '_') ?? null,
        customer_details: { email },
        invoice: amount > 0 ? idOf('in') : null,
        metadata,
        discounts: promotionCode === null ? [] : [{ coupon: null, promotion_code: promotionCode }],
        payment_status: amount > 0 ? 'paid' : 'no_payment_required',
        total_details: { amount_tax: tax },
      } satisfies Parts<Stripe.Checkout.Session>;
    case 'invoice.paid':
      return {
        id: idOf('in'),
        ...customer,
        amount_paid: amount,
        customer_email: email,
        parent: { subscription_details: { metadata } },
        total: amount,
        total_excluding_tax: amount - tax,
      } satisfies Parts<Stripe.Invoice>;
    case 'invoice_payment.paid':
      return { invoice: idOf('in'), payment: { payment_intent: idOf('pi') } } satisfies Parts<Stripe.InvoicePayment>;
    case 'customer.subscription.deleted':
      return { ...customer, metadata } satisfies Parts<Stripe.Subscription>;
    case 'charge.refunded':
      return {
        id: idOf('ch'),
        ...customer,
        amount,
        amount_refunded: refunded,
        billing_details: { email },
        metadata,
        payment_intent: idOf('pi'),
        refunded: refunded >= amount,
      } satisfies Parts<Stripe.Charge>;
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return { id: idOf('du'), amount, payment_intent: idOf('pi') } satisfies Parts<Stripe.Dispute>;
    case 'promotion_code.created':
    case 'promotion_code.updated':
      return {
        id: promotionCode ?? idOf('promo'),
        active: true,
        code: code ?? '',
        metadata: affiliateSlug === null ? {} : { affiliate_slug: affiliateSlug },
      } satisfies Parts<Stripe.PromotionCode>;
  }
}

/** Returns Stripe's id of a simulated customer. It is derived from the email, so that all events of a customer share it. */
export function simulatedCustomer(email: string): string {
  return `cus_${hash('sha256', normalized(email)).slice(0, 24)}`;
}

function normalized(email: string): string {
  try {
    return parseEmail('email', email);
  } catch {
    return email;
  }
}

export function stripeUrl(baseUrl: string, program: string): string {
  return baseUrl + stripePath(program);
}

/** Signs an event as Stripe does, and sends it. Throws the errors of `fetch`. `timeLimit` is in milliseconds. */
export async function sendStripeEvent(
  url: string,
  event: { readonly payload: string; readonly secret: string; readonly timestamp: Seconds },
  timeLimit: number,
) {
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
