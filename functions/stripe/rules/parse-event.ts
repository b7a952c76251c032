import { codeOf } from '../../kernel/accounts/rules/code.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import type { RefundRule } from '../../kernel/accounts/rules/program-fields.ts';
import { type GrId, MAX_UID, parseEmail, parseGrId, parseText } from '../../kernel/fields/fields.ts';
import { list, validOrNull } from '../../kernel/fields/parsers.ts';
import { isObject, valueAt } from '../../kernel/json.ts';
import { isSeconds } from '../../kernel/time.ts';
import type { ProviderReport } from '../../ledger/rules/provider-reports.ts';
import { MAX_PROVIDER_ID } from '../../referrals/rules/provider-changes.ts';
import { idAt, type StripeObject, textAt } from './event-object.ts';
import { STRIPE_EVENTS, type StripeEventType } from './event-types.ts';
import { parsePayment, parseReport } from './parse-money.ts';
import type { Ignored, ProviderCustomer, ProviderEvent, ProviderPromotion } from './provider-event.ts';

/** What an event of Stripe reports. Either may be missing, or both. */
export interface StripeEvent {
  /** What it reports about a customer; why nothing if it does not. */
  readonly customer: ProviderEvent | Ignored;
  /** What it reports about a payment intent, whoever the customer is; `null` if nothing. */
  readonly report: ProviderReport | null;
  /** The promotion code that it reports; `null` if none. */
  readonly promotion: ProviderPromotion | null;
}

/**
 * Parses an event of Stripe (https://docs.stripe.com/api/events/object), of any API version. Returns why it is ignored
 * if it is of the other mode or cannot be read. Never throws: every signed event returns 200.
 */
export function parseStripeEvent(
  json: unknown,
  { mode, onRefund }: Pick<Program, 'mode' | 'onRefund'>,
): StripeEvent | Ignored {
  const type = textAt(json, 'type');
  if (type === undefined) return 'unreadable';
  const known = STRIPE_EVENTS.find((candidate) => candidate === type);
  const isLive = valueAt(json, 'livemode');
  const isWrongMode = typeof isLive === 'boolean' && isLive !== (mode === 'live');
  if (!known) return isWrongMode ? 'wrong_mode' : 'nothing_to_do';
  const id = idAt(json, 'id');
  const createdAt = valueAt(json, 'created');
  const object = valueAt(json, 'data', 'object');
  if (id === undefined || typeof createdAt !== 'number' || !isSeconds(createdAt) || !isObject(object)) {
    return 'unreadable';
  }
  if (isWrongMode) return 'wrong_mode';
  const event = { id, createdAt, object, apiVersion: versionOf(json) };
  return {
    customer: customerEvent(known, event, onRefund),
    report: parseReport(known, event),
    promotion: known.startsWith('promotion_code.') ? parsePromotion(object) : null,
  };
}

function customerEvent(
  type: StripeEventType,
  { id, createdAt, object, apiVersion: version }: StripeObject,
  onRefund: RefundRule,
): ProviderEvent | Ignored {
  const state = stateOf(type, object, onRefund);
  if (!state) return 'nothing_to_do';
  const customer = customerOf(object);
  if (Object.values(customer).every((reference) => reference === null)) return 'no_identity';
  const isCheckout = type.startsWith('checkout.');
  const checkoutId = isCheckout ? (textAt(object, 'id') ?? null) : null;
  const promotions = isCheckout ? promotionsOf(object) : [];
  const apiVersion = isCheckout ? version : null;
  const payment = parsePayment(type, object);
  return { id, createdAt, state, isCheckout, checkoutId, payment, customer, apiVersion, promotions };
}

/**
 * The state that an event leads to; `undefined` if it has no effect. Amounts are in the smallest unit of a currency.
 */
function stateOf(type: StripeEventType, object: unknown, onRefund: RefundRule): ProviderEvent['state'] | undefined {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      if (valueAt(object, 'mode') === 'setup') return undefined;
      return valueAt(object, 'payment_status') === 'paid' && isPositive(valueAt(object, 'amount_total'))
        ? 'paid'
        : 'converted';
    }
    case 'invoice.paid':
      return isPositive(valueAt(object, 'amount_paid')) ? 'paid' : undefined;
    case 'customer.subscription.deleted':
      return 'churned';
    case 'charge.refunded':
      // True only if the whole amount is refunded (https://docs.stripe.com/api/charges/object#charge_object-refunded).
      return onRefund === 'reject' && valueAt(object, 'refunded') === true ? 'rejected' : undefined;
    case 'invoice_payment.paid':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'promotion_code.created':
    case 'promotion_code.updated':
      return undefined;
  }
}

const API_VERSION = /^\d{4}-\d{2}-\d{2}[\w.-]{0,40}$/;

function versionOf(json: unknown): string | null {
  const version = textAt(json, 'api_version');
  return version !== undefined && API_VERSION.test(version) ? version : null;
}

/** The most discounts of a checkout that are read. */
const MAX_DISCOUNTS = 20;

/**
 * Reads the promotion codes of a checkout, which its event contains since Stripe's API 2025-01-27
 * (https://docs.stripe.com/api/checkout/sessions/object#checkout_session_object-discounts).
 */
export function promotionsOf(checkout: unknown): readonly string[] {
  const discounts = list(valueAt(checkout, 'discounts')) ?? [];
  return [...new Set(discounts.slice(0, MAX_DISCOUNTS).flatMap((discount) => idAt(discount, 'promotion_code') ?? []))];
}

/** Reads a promotion code whose metadata contains the slug of an advocate; `null` for others. */
function parsePromotion(object: unknown): ProviderPromotion | null {
  const id = idAt(object, 'id');
  const code = codeOf(textAt(object, 'code') ?? '');
  const slug = textAt(valueAt(object, 'metadata'), 'affiliate_slug')?.trim().toLowerCase();
  return id === undefined || code === null || slug === undefined ? null : { id, code, slug };
}

/** Reads the references to the customer. A reference that is not valid counts as missing. */
export function customerOf(object: unknown): ProviderCustomer {
  const metadata = [
    valueAt(object, 'metadata'),
    valueAt(object, 'parent', 'subscription_details', 'metadata'),
    valueAt(object, 'subscription_details', 'metadata'),
  ];
  const emails = [
    valueAt(object, 'customer_details', 'email'),
    valueAt(object, 'customer_email'),
    valueAt(object, 'billing_details', 'email'),
    valueAt(object, 'receipt_email'),
  ];
  const customer = valueAt(object, 'customer');
  return {
    uid: first(
      metadata.map((data) => valueAt(data, 'uid')),
      (uid) => parseText('uid', uid, MAX_UID),
    ),
    // Stripe sends an expanded customer itself instead of its id. With Accounts v2, an account can be the customer
    // (https://docs.stripe.com/connect/use-accounts-as-customers).
    providerId: first([customer, valueAt(customer, 'id'), valueAt(object, 'customer_account')], (id) =>
      parseText('customer', id, MAX_PROVIDER_ID),
    ),
    email: first(emails, (email) => parseEmail('email', email)),
    grId: first<GrId>(
      [valueAt(object, 'client_reference_id'), ...metadata.map((data) => valueAt(data, 'gr_id'))],
      parseGrId,
    ),
  };
}

/** Returns the first value that is a string and can be parsed; `null` if there is none. */
function first<Value>(values: readonly unknown[], parse: (text: string) => Value): Value | null {
  for (const value of values) {
    // Payment pages let customers and merchants enter anything.
    const parsed = validOrNull(value, parse);
    if (parsed !== null) return parsed;
  }
  return null;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
