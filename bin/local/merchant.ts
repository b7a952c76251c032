import type { HttpResult } from '../../functions/http/call.ts';
import type { Demo } from './demo.ts';
import type { PageRequest, Pages } from './gateway.ts';

/** What the merchant asks of the tracking service: always with a token, so never from a page. */
interface ServiceCall {
  readonly path: string;
  readonly token: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: Readonly<Record<string, string>>;
}

/** Far more than the page's forms ever send, in bytes. */
const MAX_BODY = 4096;
const MAX_FIELD = 300;
/** Longest wait for the tracking service, in milliseconds: longer than the service itself takes to give up. */
const TIME_LIMIT = 15_000;

/** The customer is signed up, and the service has no referral of it. */
const UNREPORTED: HttpResult = { statusCode: 204 };

/** A request that the merchant does not take; the sentence is for the person at the page. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** What each request of the page becomes; `undefined`: there is nothing to report. */
const CALLS: Readonly<Record<string, (request: PageRequest, demo: Demo) => ServiceCall | undefined>> = {
  'POST /demo/sign-up': ({ body }, { programToken }) => {
    const form = formOf(body);
    const report = { email: required(form, 'email'), gr_id: field(form, 'gr_id') };
    // Without it nobody brought this customer.
    return report.gr_id === ''
      ? undefined
      : { path: '/v2/tracking/conversion', token: programToken, body: report };
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
      return call ? await ask(`http://127.0.0.1:${request.port}`, call) : UNREPORTED;
    } catch (error) {
      return error instanceof Refused
        ? json(error.status, JSON.stringify({ error: error.message }))
        : json(502, '{"error":"The tracking service does not answer: try again in a moment."}');
    }
  };
}

/**
 * False where a page of another site asks: it could, from a browser on this machine, and the tokens would answer it. A
 * host name that was made to lead here (DNS rebinding) is another site too.
 */
function isOwnPage({ headers }: PageRequest): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  const isHere = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host);
  return isHere && origin === `http://${host}` && (site === 'same-origin' || site === 'none');
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

async function ask(baseUrl: string, { path, token, body }: ServiceCall): Promise<HttpResult> {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIME_LIMIT),
  });
  // Anyone can write a slug into a link: a shop loses no customer over one that nobody has.
  if (response.headers.get('x-error-code') === 'invalid_affiliate_slug') return UNREPORTED;
  const link = response.headers.get('link');
  return json(response.status, await response.text(), link === null ? {} : { link });
}

function json(statusCode: number, body: string, more: Readonly<Record<string, string>> = {}): HttpResult {
  const headers = { ...more, 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { statusCode, headers, body };
}
