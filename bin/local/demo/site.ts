import { z } from 'zod';
import type { HttpResult } from '../../../functions/http/context.ts';
import { isThisMachine, type PageRequest, type Pages } from '../gateway.ts';
import { page } from '../pages/files.ts';
import { NO_DEMO } from '../pages/home.ts';
import type { Demo } from './demo.ts';

/** Largest form that the shop accepts, in bytes: far more than its page ever sends. */
const MAX_BODY = 4096;
const MAX_FIELD = 300;
/** Longest wait for the tracking service, in milliseconds. The service itself gives up earlier. */
const TIME_LIMIT = 15_000;

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
/** The customer is signed up, but has no referral. */
const NOT_REFERRED: HttpResult = { statusCode: 204 };
/** The customer is signed up, but not reported. A real shop would log this and report the sign-up again later. */
const NOT_REPORTED: HttpResult = { statusCode: 202 };
/** Statuses of a conversion that concern the form. Every other status is a failure of tracking. */
const ABOUT_THE_FORM: readonly (number | undefined)[] = [201, 204, 400, 409];

/** The fields of the page's forms. The service validates their contents. */
const FORM = z.object({
  email: z.string().min(1).max(MAX_FIELD),
  gr_id: z.string().max(MAX_FIELD).nullish(),
  attempt: z.string().max(MAX_FIELD).nullish(),
});

class InvalidForm extends Error {}

/** The actions of the shop's page, by method and path. */
const ACTIONS: Readonly<Record<string, (request: PageRequest, demo: Demo) => Promise<HttpResult>>> = {
  'POST /demo/sign-up': signUp,
  'POST /demo/payment': (request, demo) => setState(request, demo, 'paid'),
  'POST /demo/cancellation': (request, demo) => setState(request, demo, 'churned'),
  'GET /demo/referrals': ({ port, search }, { affiliateToken }) =>
    callService(port, `/v1/affiliate/referrals${search}`, affiliateToken),
};

/** Returns the page of the demo site, or without a demo a page that explains how to start one. */
export async function demoPage(demo: Demo | undefined): Promise<HttpResult> {
  if (!demo) return { ...(await page('web/local/no-demo.html', { reason: NO_DEMO })), statusCode: 404 };
  const names = demo.advocateName.split(' ');
  return page('web/demo/index.html', {
    public_key: demo.publicKey,
    advocate_slug: demo.advocateSlug,
    advocate_name: demo.advocateName,
    advocate_first_name: names[0] ?? '',
    advocate_initials: names.map((name) => name.slice(0, 1)).join(''),
  });
}

/**
 * The backend of the demo shop. Like every merchant's server, it keeps the tokens out of its pages and calls the
 * service over HTTP. It passes the responses on and stores nothing.
 */
export function demoShop(demo: Demo): Pages {
  return async (request) => {
    const action = ACTIONS[`${request.method} ${request.path}`];
    if (!action) return undefined;
    if (!isOwnPage(request)) return errorResponse(403, 'Only the page of the demo shop may call this address.');
    if (request.body.length > MAX_BODY) return errorResponse(413, `The form must be at most ${MAX_BODY} bytes.`);
    try {
      return await action(request, demo);
    } catch (error) {
      if (error instanceof InvalidForm) return errorResponse(400, error.message);
      return errorResponse(502, 'The tracking service does not respond. Try again in a moment.');
    }
  };
}

/**
 * Returns false for requests from pages of other sites, which could otherwise use the tokens through a browser on this
 * machine. That includes sites whose host name resolves to this machine (DNS rebinding).
 */
function isOwnPage({ headers }: PageRequest): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  return isThisMachine(host) && origin === `http://${host}` && (site === 'same-origin' || site === 'none');
}

/** Reports the customer's conversion. A failure of tracking never costs the shop a customer. */
async function signUp({ body, port }: PageRequest, { programToken }: Demo): Promise<HttpResult> {
  const { email, gr_id, attempt } = parseForm(body);
  if (!gr_id) return NOT_REFERRED;
  const result = await callService(port, '/v2/tracking/conversion', programToken, { email, gr_id }, attempt).catch(
    () => NOT_REPORTED,
  );
  return ABOUT_THE_FORM.includes(result.statusCode) ? result : NOT_REPORTED;
}

async function setState({ body, port }: PageRequest, { programToken }: Demo, state: string): Promise<HttpResult> {
  const { email } = parseForm(body);
  return callService(port, '/v2/tracking/state', programToken, { email, state });
}

/** Parses a form. Throws `InvalidForm` with a sentence that names the field. */
function parseForm(body: Buffer): z.infer<typeof FORM> {
  const { success, data, error } = FORM.safeParse(parseJson(body));
  if (success) return data;
  const field = error.issues[0]?.path[0];
  if (field === undefined) throw new InvalidForm('The form must be a JSON object.');
  throw new InvalidForm(
    `${String(field)} must be a string of ${field === 'email' ? 1 : 0} to ${MAX_FIELD} characters.`,
  );
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

/** Sends a GET request to the tracking service, or with `body` a POST request. */
async function callService(
  port: number,
  path: string,
  token: string,
  body?: Readonly<Record<string, string>>,
  idempotencyKey?: string | null,
): Promise<HttpResult> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIME_LIMIT),
  });
  // Anyone can put a slug into a link. An unknown one must not cost the shop a customer.
  if (response.headers.get('x-error-code') === 'invalid_affiliate_slug') return NOT_REFERRED;
  const link = response.headers.get('link');
  const headers = { ...JSON_HEADERS, ...(link !== null && { link }) };
  return { statusCode: response.status, headers, body: await response.text() };
}

function errorResponse(statusCode: number, error: string): HttpResult {
  return { statusCode, headers: JSON_HEADERS, body: JSON.stringify({ error }) };
}
