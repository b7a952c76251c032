import { z } from 'zod';
import type { HttpResult } from '../../../functions/http/context.ts';
import { field, parseForm } from './forms.ts';
import type { Call } from './service.ts';

/** The customer is signed up, but has no referral. */
const NOT_REFERRED: HttpResult = { statusCode: 204 };
/** The customer is signed up, but not reported. A real shop would log this and report the sign-up again later. */
const NOT_REPORTED: HttpResult = { statusCode: 202 };
/** Statuses of a conversion that concern the form. Every other status is a failure of tracking. */
const ABOUT_THE_FORM: readonly number[] = [201, 400, 409];

const CUSTOMER = z.object({ email: field(1) });
const SIGN_UP = CUSTOMER.extend({ gr_id: field(0).nullish(), attempt: field(0).nullish() });
const MOVE = CUSTOMER.extend({ affiliate_slug: field(1) });

/** Reports the customer's conversion. A failure of tracking never costs the shop a customer. */
export async function signUp({ service, body }: Call): Promise<HttpResult> {
  const { email, gr_id, attempt } = parseForm(SIGN_UP, body);
  if (!gr_id) return NOT_REFERRED;
  const headers = attempt ? { 'idempotency-key': attempt } : undefined;
  const result = await service.post('/v2/tracking/conversion', { email, gr_id }, headers).catch(() => undefined);
  // Anyone can put a slug into a link. An unknown one must not cost the shop a customer.
  if (result?.headers['x-error-code'] === 'invalid_affiliate_slug') return NOT_REFERRED;
  return result && ABOUT_THE_FORM.includes(result.statusCode) ? result : NOT_REPORTED;
}

/** Reports what happened to the customer's subscription. */
export function reportState({ service, body }: Call, state: 'paid' | 'churned'): Promise<HttpResult> {
  return service.post('/v2/tracking/state', { ...parseForm(CUSTOMER, body), state });
}

/** Looks up who referred a customer. A real shop allows this and the next two only to its staff. */
export function lookUp({ service, body }: Call): Promise<HttpResult> {
  return service.post('/v2/referrals/lookup', parseForm(CUSTOMER, body));
}

/** Moves a customer's referral to another advocate. */
export function reassign({ service, body }: Call): Promise<HttpResult> {
  return service.post('/v2/tracking/reassign', parseForm(MOVE, body));
}

/** Lists the newest advocates, to choose one from. */
export function listAdvocates({ service }: Call): Promise<HttpResult> {
  return service.get('/v2/advocates?per_page=50');
}
