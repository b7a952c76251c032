import type { HttpResult } from '../../functions/http/context.ts';
import type { Demo } from './demo.ts';
import type { PageRequest, Pages } from './gateway.ts';
import { isThisMachine } from './page.ts';

/** A request to the tracking service. It carries a token, so it never comes from a page. */
interface ServiceCall {
  readonly path: string;
  readonly token: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the merchant's own work succeeds whatever becomes of the call. */
  readonly isOptional?: boolean;
}

/** Far more than the page's forms ever send, in bytes. */
const MAX_BODY = 4096;
const MAX_FIELD = 300;
/** Longest wait for the tracking service, in milliseconds: longer than the service itself takes to give up. */
const TIME_LIMIT = 15_000;

/** The customer is signed up. Nobody referred it, so the service has no referral. */
const NOT_REFERRED: HttpResult = { statusCode: 204 };
/** The customer is signed up. A real shop would log the failure and report the sign-up again later. */
const NOT_REPORTED: HttpResult = { statusCode: 202 };
/** Statuses of a conversion that say something about the form. Any other is a failure of tracking. */
const ABOUT_THE_FORM = [201, 204, 400, 409];

/** A request that the merchant does not take; the sentence is for the person at the page. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** The call that each request of the page leads to; `undefined` if there is nothing to report. */
const CALLS: Readonly<Record<string, (request: PageRequest, demo: Demo) => ServiceCall | undefined>> = {
  'POST /demo/sign-up': ({ body }, { programToken }) => {
    const form = formOf(body);
    const report = { email: required(form, 'email'), gr_id: field(form, 'gr_id') };
    const key = field(form, 'attempt');
    // Without a gr_id nobody referred this customer.
    return report.gr_id === ''
      ? undefined
      : {
          path: '/v2/tracking/conversion',
          token: programToken,
          body: report,
          headers: key === '' ? {} : { 'idempotency-key': key },
          isOptional: true,
        };
  },
  'POST /demo/payment': (request, demo) => stateCall(request, demo, 'paid'),
  'POST /demo/cancellation': (request, demo) => stateCall(request, demo, 'churned'),
  'GET /demo/referrals': ({ search }, { affiliateToken }) => ({
    path: `/v1/affiliate/referrals${search}`,
    token: affiliateToken,
  }),
};

/**
 * The backend of the demo's merchant. It has the tokens, which never belong in a page, calls the service over HTTP as any
 * merchant's server would, and passes its answers on. It keeps nothing.
 */
export function merchant(demo: Demo): Pages {
  return async (request) => {
    const callOf = CALLS[`${request.method} ${request.path}`];
    if (!callOf) return undefined;
    try {
      if (!isOwnPage(request)) throw new Refused(403, 'Only the demo page of this service may ask.');
      const call = callOf(request, demo);
      if (!call) return NOT_REFERRED;
      const baseUrl = `http://127.0.0.1:${request.port}`;
      return await (call.isOptional ? sendOptional(baseUrl, call) : send(baseUrl, call));
    } catch (error) {
      return error instanceof Refused
        ? json(error.status, JSON.stringify({ error: error.message }))
        : json(502, '{"error":"The tracking service does not respond. Try again in a moment."}');
    }
  };
}

/**
 * False where a page of another site asks: it could, from a browser on this machine, and the tokens would answer it. A
 * host name that was made to lead here (DNS rebinding) is another site too.
 */
function isOwnPage({ headers }: PageRequest): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  return isThisMachine(host) && origin === `http://${host}` && (site === 'same-origin' || site === 'none');
}

function stateCall({ body }: PageRequest, { programToken }: Demo, state: string): ServiceCall {
  const email = required(formOf(body), 'email');
  return { path: '/v2/tracking/state', token: programToken, body: { email, state } };
}

function formOf(body: Buffer): ReadonlyMap<string, unknown> {
  if (body.length > MAX_BODY) throw new Refused(413, `The form must be at most ${MAX_BODY} bytes.`);
  try {
    return new Map(Object.entries(JSON.parse(String(body))));
  } catch {
    throw new Refused(400, 'The form must be a JSON object.');
  }
}

function required(form: ReadonlyMap<string, unknown>, name: string): string {
  const text = field(form, name);
  if (text === '') throw new Refused(400, `${name} is required.`);
  return text;
}

/** A field of a form, empty where it is missing. What it may hold is the service's to say. */
function field(form: ReadonlyMap<string, unknown>, name: string): string {
  const value = form.get(name) ?? '';
  if (typeof value === 'string' && value.length <= MAX_FIELD) return value;
  throw new Refused(400, `${name} must be a text of at most ${MAX_FIELD} characters.`);
}

/** Sends a call whose failure must not cost the shop a customer. */
async function sendOptional(baseUrl: string, call: ServiceCall): Promise<HttpResult> {
  try {
    const result = await send(baseUrl, call);
    return ABOUT_THE_FORM.includes(result.statusCode ?? 0) ? result : NOT_REPORTED;
  } catch {
    return NOT_REPORTED;
  }
}

async function send(baseUrl: string, { path, token, body, headers }: ServiceCall): Promise<HttpResult> {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIME_LIMIT),
  });
  // Anyone can write a slug into a link, and an unknown one must not cost the shop a customer.
  if (response.headers.get('x-error-code') === 'invalid_affiliate_slug') return NOT_REFERRED;
  const link = response.headers.get('link');
  return json(response.status, await response.text(), link === null ? {} : { link });
}

function json(statusCode: number, body: string, more: Readonly<Record<string, string>> = {}): HttpResult {
  const headers = { ...more, 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { statusCode, headers, body };
}
