import { Webhook } from 'standardwebhooks';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { PROGRAM } from '../../../functions/openapi/records.ts';
import type { StripeEventType } from '../../../functions/stripe/rules/event-types.ts';
import { isThisMachine, type PageRequest, type Pages } from '../gateway.ts';
import { page } from '../pages/html.ts';
import { join, shownAdvocate, signOut } from './advocates.ts';
import { openDashboard } from './dashboard.ts';
import { DASHBOARD_PATH, type Demo, RECEIVER_PATH } from './demo.ts';
import { PLANS } from './history.ts';
import { type Call, CODE, type Field, field, InvalidForm, jsonResult, parseForm, Service } from './service.ts';

/** Largest form and largest event that the shop accepts, in bytes. */
const [MAX_FORM, MAX_EVENT] = [4096, 256 * 1024];

const ACTIONS: Readonly<Record<string, (call: Call) => Promise<HttpResult>>> = {
  [`GET ${DASHBOARD_PATH}`]: openDashboard,
  'POST /demo/sign-up': signUp,
  'POST /demo/payment': (call) => simulate(call, 'invoice.paid'),
  'POST /demo/cancellation': (call) => simulate(call, 'customer.subscription.deleted'),
  'POST /demo/join': join,
  'POST /demo/sign-out': signOut,
  'POST /demo/signature': signEvent,
};

/** The page of the demo shop and its backend, which calls the service over HTTP, as every merchant's server does. */
export function demoShop(demo: Demo): Pages {
  let service: Service | undefined;
  return async (request) => {
    const { method, path, body, headers, port } = request;
    service ??= new Service(port, demo);
    const call = { body, cookies: headers.cookie, demo, service };
    if (/^(?:GET|HEAD) \/demo\/?$/.test(`${method} ${path}`)) return demoPage(call);
    // The service calls this address, not a page: its signature counts.
    if (method === 'POST' && path === RECEIVER_PATH) return receive(request, demo.webhookSecret);
    const action = ACTIONS[`${method} ${path}`];
    if (!action) return undefined;
    if (!isOwnPage(request)) return refusal(403, 'Only the page of the demo shop may call this address.');
    const limit = action === signEvent ? MAX_EVENT : MAX_FORM;
    if (body.length > limit) return refusal(413, `The body must be at most ${limit} bytes.`);
    return action(call).catch((error: unknown) =>
      error instanceof InvalidForm
        ? refusal(400, error.message)
        : refusal(502, 'The tracking service does not respond. Try again in a moment.'),
    );
  };
}

async function demoPage(call: Call): Promise<HttpResult> {
  const { slug, first_name, last_name, is_own, token } = await shownAdvocate(call);
  const values = {
    public_key: call.demo.publicKey,
    program_token: call.demo.programToken,
    advocate_token: token,
    advocate_slug: slug,
    advocate_first_name: first_name,
    advocate_last_name: last_name,
    advocate_is_own: String(is_own),
    commission: String(PROGRAM.commissionPercentage),
  };
  return page('web/demo/index.html', values, { 'frame-src': "'self'" });
}

/** False for requests from other sites, also if their host name resolves to this machine (DNS rebinding). */
function isOwnPage({ headers }: PageRequest): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  return isThisMachine(host) && origin === `http://${host}` && (site === 'same-origin' || site === 'none');
}

/** Signs an event that the API reference is about to send. The page gets the signature, never the secret. */
async function signEvent({ body, demo }: Call): Promise<HttpResult> {
  const { default: stripe } = await import('stripe');
  const signature = stripe.webhooks.generateTestHeaderString({ payload: String(body), secret: demo.stripeSecret });
  return jsonResult(200, { signature });
}

function refusal(statusCode: number, error: string): HttpResult {
  return jsonResult(statusCode, { error });
}

export function receive({ headers, body }: PageRequest, secret: string): HttpResult {
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(secret).verify(body, signed);
    return { statusCode: 204 };
  } catch {
    return { statusCode: 400 };
  }
}

const NOT_REFERRED: HttpResult = { statusCode: 204 };
/** The customer is signed up, but not reported. A real shop would log this and report the sign-up again later. */
const NOT_REPORTED: HttpResult = { statusCode: 202 };
const ABOUT_THE_FORM: readonly number[] = [201, 400, 409];

const { isValid, error } = field(0);
const OPTIONAL: Field<string | null | undefined> = {
  isValid: (value): value is string | null | undefined => value === null || value === undefined || isValid(value),
  error,
};
const SIGN_UP = { email: field(1), gr_id: OPTIONAL, code: OPTIONAL, attempt: OPTIONAL };
const PLAN: Field<keyof typeof PLANS> = {
  isValid: (value): value is keyof typeof PLANS => Object.keys(PLANS).some((name) => name === value),
  error: 'must be a plan of the shop.',
};

/** Reports the customer's conversion. A failure of tracking never costs the shop a customer. */
export async function signUp({ service, body }: Call): Promise<HttpResult> {
  const { email, gr_id, code, attempt } = parseForm(SIGN_UP, body);
  if (!gr_id && !code) return NOT_REFERRED;
  const headers = attempt ? { 'idempotency-key': attempt } : undefined;
  const result = await service
    .call('POST', '/v2/tracking/conversion', { email, ...(gr_id && { gr_id }), ...(code && { code }) }, headers)
    .catch(() => undefined);
  // Anyone can put a slug into a link. An unknown one must not cost the shop a customer.
  if (result?.headers[CODE] === 'invalid_affiliate_slug') return NOT_REFERRED;
  // The plan starts with a trial. With this event, the service stores Stripe's customer.
  if (result?.statusCode === 201) {
    await service.sendStripeEvent('checkout.session.completed', email, 0).catch(() => undefined);
  }
  return result && ABOUT_THE_FORM.includes(result.statusCode) ? result : NOT_REPORTED;
}

export async function simulate({ body, service }: Call, type: StripeEventType): Promise<HttpResult> {
  const { email, plan } = parseForm({ email: field(1), plan: PLAN }, body);
  return service.sendStripeEvent(type, email, PLANS[plan]);
}
