import Stripe from 'stripe';
import type { SecretReader } from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import type { JsonObject } from '../../../functions/openapi/operation.ts';
import { parseStripeEvent } from '../../../functions/stripe/rules/parse-event.ts';
import type { Ignored, ProviderEvent } from '../../../functions/stripe/rules/provider-event.ts';
import type { ApiRequest } from '../drivers.ts';
import { now } from '../program.ts';

/** The signing secret of tests. */
export const SECRET = 'whsec_test_of_the_referral_service';

/** A store in which every owner has these secrets, newest first. */
export function withSecrets(values: readonly string[]): SecretReader {
  const secrets = values.map((value, index) => ({ value, createdAt: milliseconds(1_780_000_000_000 - index) }));
  return { read: async () => secrets };
}

/** Signs a body as Stripe does, with Stripe's own library. `at` is in Unix seconds. */
export function signatureOf(payload: string, { secret = SECRET, at = Number(now()) } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at });
}

/** The request with which Stripe sends an event, or any other body, to the endpoint of a program. */
export function signedRequest(
  program: string,
  event: unknown,
  options: { readonly secret?: string; readonly at?: number } = {},
): ApiRequest {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return {
    operation: 'receiveStripeEvent',
    program,
    body,
    headers: { 'stripe-signature': signatureOf(body, options) },
  };
}

/** What an event reports about a customer. */
export function customerEvent(...parameters: Parameters<typeof parseStripeEvent>): ProviderEvent | Ignored {
  const parsed = parseStripeEvent(...parameters);
  return typeof parsed === 'string' ? parsed : parsed.customer;
}

/** Fields of an event that tests choose. Absent ones are absent from the event. */
export interface EventFields {
  readonly id?: string;
  /** Unix seconds; by default the current time. */
  readonly created?: number;
  readonly customer?: string;
  readonly email?: string;
  readonly uid?: string;
  readonly grId?: string;
  readonly amount?: number;
  /** The id of the checkout session; by default a new one. */
  readonly session?: string;
  /** Stripe's ids of the promotion codes of a checkout, each of a discount. */
  readonly promotions?: readonly string[];
  /** The version of Stripe's API. */
  readonly version?: string;
}

let events = 0;

/** A completed checkout; paid unless the amount is 0. */
export function aCheckout({ amount = 2400, email, grId, session, promotions, ...fields }: EventFields): JsonObject {
  return anEvent('checkout.session.completed', fields, {
    id: session ?? `cs_${process.pid}_${events}`,
    mode: 'subscription',
    payment_status: amount > 0 ? 'paid' : 'no_payment_required',
    amount_total: amount,
    ...(email !== undefined && { customer_details: { email } }),
    ...(grId !== undefined && { client_reference_id: grId.replace('.', '_') }),
    ...(promotions && { discounts: promotions.map((promotion_code) => ({ coupon: null, promotion_code })) }),
  });
}

/** An invoice that was paid. */
export function anInvoice({ amount = 2400, email, grId, ...fields }: EventFields): JsonObject {
  const metadata = { ...(fields.uid !== undefined && { uid: fields.uid }), ...(grId !== undefined && { gr_id: grId }) };
  return anEvent('invoice.paid', fields, {
    amount_paid: amount,
    ...(email !== undefined && { customer_email: email }),
    metadata: null,
    parent: { subscription_details: { metadata } },
  });
}

/** A subscription that ended. */
export const aCancellation = (fields: EventFields): JsonObject => anEvent('customer.subscription.deleted', fields, {});

/** A charge that was refunded in full. */
export function aRefund({ email, ...fields }: EventFields): JsonObject {
  return anEvent('charge.refunded', fields, {
    refunded: true,
    ...(email !== undefined && { billing_details: { email } }),
  });
}

/** A promotion code that was created or changed, by default of an advocate, and no longer active at Stripe. */
export function aPromotion(
  type: 'created' | 'updated',
  { promotion, code, slug, ...fields }: EventFields & { promotion: string; code: string; slug?: string | undefined },
): JsonObject {
  const metadata = slug === undefined ? {} : { affiliate_slug: slug };
  return anEvent(`promotion_code.${type}`, fields, {
    ...{ id: promotion, object: 'promotion_code', code, active: false, metadata },
  });
}

function anEvent(type: string, fields: EventFields, object: JsonObject): JsonObject {
  const { id, created = now(), customer, uid, grId, version } = fields;
  events += 1;
  return {
    object: 'event',
    id: id ?? `evt_${process.pid}_${events}`,
    type,
    created,
    ...(version !== undefined && { api_version: version }),
    data: {
      object: {
        customer: customer ?? null,
        metadata: { ...(uid !== undefined && { uid }), ...(grId !== undefined && { gr_id: grId }) },
        ...object,
      },
    },
  };
}
