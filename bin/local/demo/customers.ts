import { z } from 'zod';
import type { HttpResult } from '../../../functions/http/context.ts';
import type { StripeEventType } from '../../../functions/tracking/stripe/event-types.ts';
import { type Call, field, parseForm } from './call.ts';
import { PLANS } from './data.ts';
import { CODE } from './service.ts';

const NOT_REFERRED: HttpResult = { statusCode: 204 };
/** The customer is signed up, but not reported. A real shop would log this and report the sign-up again later. */
const NOT_REPORTED: HttpResult = { statusCode: 202 };
/** Statuses of a conversion that concern the form. Every other status is a failure of tracking. */
const ABOUT_THE_FORM: readonly number[] = [201, 400, 409];

const CUSTOMER = z.object({ email: field(1) });
const SIGN_UP = CUSTOMER.extend({ gr_id: field(0).nullish(), attempt: field(0).nullish() });
const SUBSCRIPTION = CUSTOMER.extend({ plan: z.enum(['Explorer', 'House', 'Office'], 'must be a plan of the shop.') });

/** Reports the customer's conversion. A failure of tracking never costs the shop a customer. */
export async function signUp({ service, body }: Call): Promise<HttpResult> {
  const { email, gr_id, attempt } = parseForm(SIGN_UP, body);
  if (!gr_id) return NOT_REFERRED;
  const headers = attempt ? { 'idempotency-key': attempt } : undefined;
  const result = await service
    .call('POST', '/v2/tracking/conversion', { email, gr_id }, headers)
    .catch(() => undefined);
  // Anyone can put a slug into a link. An unknown one must not cost the shop a customer.
  if (result?.headers[CODE] === 'invalid_affiliate_slug') return NOT_REFERRED;
  // The plan starts with a trial. With this event, the service stores Stripe's customer.
  if (result?.statusCode === 201) {
    await service.sendStripeEvent('checkout.session.completed', email, 0).catch(() => undefined);
  }
  return result && ABOUT_THE_FORM.includes(result.statusCode) ? result : NOT_REPORTED;
}

/** Lets Stripe send an event about the customer's subscription. Returns the response that Stripe gets. */
export async function simulate({ body, service }: Call, type: StripeEventType): Promise<HttpResult> {
  const { email, plan } = parseForm(SUBSCRIPTION, body);
  return service.sendStripeEvent(type, email, PLANS[plan]);
}
