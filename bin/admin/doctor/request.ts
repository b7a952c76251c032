import { partialDeepStrictEqual } from 'node:assert';
import { type Route, routeKey } from '../../../functions/kernel/http/route.ts';
import { type OperationId, ROUTES } from '../../../functions/routes.ts';
import { BROWSER } from '../../service/environment.ts';

export interface Request {
  readonly operation: OperationId;
  readonly token?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The expected response. The actual one may have more headers and more fields. */
export interface Expected {
  readonly status: number;
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly json?: object;
}

/** Sends a request and returns the headers of the response. Throws `StepFailure` unless the response is as expected. */
export type Send = (request: Request, expected: Expected) => Promise<Headers>;

/** `message` says why a step failed, `advice` how to fix it. Neither contains a token, email, body or header. */
export class StepFailure extends Error {
  readonly advice: string;

  constructor(why: string, advice: string, options?: ErrorOptions) {
    super(why, options);
    this.advice = advice;
  }
}

/** The response has the expected status, but not the expected headers or body. */
export class UnexpectedContent extends StepFailure {}

const OTHER_SERVICE =
  'The address belongs to another service, or to another version of this one. Deploy this version, or correct --base-url.';
/** Node's error codes if no server listens or if the server ends during a request. */
const DOWN = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
/** A request id of the service or of API Gateway. Any other text is not printed. */
const REQUEST_ID = /^[\w=-]{1,64}$/;
const ADVICE: Readonly<Record<number, string>> = {
  401: 'The service probably uses another table than this command. TABLE_NAME and --base-url must belong to the same stack. If they do, compare the clocks of this machine and of the service.',
  403: 'Something in front of the service rejects the request, for example a firewall or a proxy. Let the request pass, or correct --base-url.',
  404: 'Correct --base-url. It is the part of the address before /v1 and /v2, including the path prefix if there is one.',
  429: 'The route is throttled. Run doctor again in a minute, or raise the throttle of the route.',
};
/** Milliseconds. API Gateway responds within 30 seconds, with an error if the function hangs. */
export const TIME_LIMIT = 35_000;

/** Returns a function that sends requests to the service at a base URL, which may have a path. */
export function sender(baseUrl: string): Send {
  return async (request, expected) => {
    const route: Route = ROUTES[request.operation];
    const url = `${baseUrl}${route.path}${request.query ? `?${request.query}` : ''}`;
    const { response, text } = await exchange(url, initOf(route, request), TIME_LIMIT).catch((error: unknown) => {
      throw noResponse(error, baseUrl);
    });
    const { status, headers } = response;
    const why = `The response to ${routeKey(route)} has`;
    if (status !== expected.status) {
      throw new StepFailure(`${why} the status ${status} instead of ${expected.status}.`, adviceOn(status, headers));
    }
    for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
      if (pattern.test(headers.get(name) ?? '')) continue;
      throw new UnexpectedContent(`${why} an unexpected header ${name}.`, OTHER_SERVICE);
    }
    try {
      if (expected.json) partialDeepStrictEqual(JSON.parse(text), expected.json);
    } catch {
      throw new UnexpectedContent(`${why} an unexpected body.`, OTHER_SERVICE);
    }
    return headers;
  };
}

function initOf({ method }: Route, { token, headers, body }: Request): RequestInit {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
  const all = { ...contentType, ...authorization, ...headers };
  // A redirect means that the base URL is wrong; following it would turn a POST into a GET.
  return { method, headers: all, body: body ? JSON.stringify(body) : null, redirect: 'manual' };
}

/** Sends a request. Returns the response and its body. */
async function exchange(url: string | URL, init: RequestInit, timeLimit: number) {
  // The signal also ends a response that never does.
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeLimit) });
  return { response, text: await response.text() };
}

/** Returns Node's reason why `fetch` failed; `undefined` if the response did not arrive in time. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Error && error.name === 'TimeoutError') return undefined;
  // `fetch` wraps network errors.
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return 'no request was sent';
  return 'code' in cause ? String(cause.code) : cause.message;
}

export function noResponse(cause: unknown, baseUrl: string): StepFailure {
  const reason = reasonOf(cause);
  if (reason === undefined) {
    const advice = 'Check whether the service hangs or a firewall drops the request.';
    return new StepFailure(`${baseUrl} did not respond in time.`, advice, { cause });
  }
  const advice = DOWN.includes(reason)
    ? 'Start the service with npm start, or correct --base-url.'
    : 'Correct --base-url, or check the network and the certificate.';
  return new StepFailure(`The connection to ${baseUrl} failed (${reason}).`, advice, { cause });
}

export function adviceOn(status: number, headers: Headers): string {
  if (status >= 500) {
    const id = headers.get('x-request-id') ?? headers.get('apigw-requestid') ?? '';
    const request = REQUEST_ID.test(id) ? ` for the request ${id}` : '';
    return `Check the log of the service${request}. 503 means that its table is busy or does not respond.`;
  }
  // The service adds this header to its errors: the path exists.
  if (headers.has('x-error-code') && status === 404) return OTHER_SERVICE;
  return ADVICE[status] ?? OTHER_SERVICE;
}

const PAGE_TIME_LIMIT = 20_000;
// Reading a large page takes seconds, in which a server closes a connection that waits for another request.
const HEADERS = { 'user-agent': BROWSER, accept: 'text/html,*/*;q=0.8', connection: 'close' };

const SIGN_IN = 'doctor needs an address that visitors can open without signing in, and that no bot protection blocks.';
const CORRECT = 'Correct the address.';
const PAGE_ADVICE: Readonly<Record<number, string>> = { 401: SIGN_IN, 403: SIGN_IN, 404: CORRECT, 410: CORRECT };

/** Loads a text as UTF-8. `what` names it in errors. Throws `StepFailure` unless status and type are right. */
export async function load(url: URL, what: string, type: RegExp) {
  const { response, text } = await request(url, what, {});
  const { status, headers } = response;
  const at = `${what} at ${shown(new URL(response.url))}`;
  if (status !== 200) {
    const advice = PAGE_ADVICE[status] ?? 'Check the server of that address, then run doctor again.';
    throw new StepFailure(`${at} has the status ${status}.`, advice);
  }
  if (!type.test(headers.get('content-type') ?? '')) {
    const advice = 'Correct the address, or the configuration of its server.';
    throw new StepFailure(`${at} has an unexpected content type.`, advice);
  }
  return { url: new URL(response.url), text, headers };
}

/** An address without its query, which may contain personal data. */
export function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

type Init = RequestInit & { readonly headers?: Readonly<Record<string, string>> };

/** Sends a request as a browser does. Returns the response and its body. */
export async function request(url: URL, what: string, init: Init) {
  try {
    return await exchange(url, { ...init, headers: { ...HEADERS, ...init.headers } }, PAGE_TIME_LIMIT);
  } catch (cause) {
    const reason = reasonOf(cause);
    const why = reason === undefined ? 'did not arrive in time' : `cannot be loaded (${reason})`;
    const advice = `Correct the address, or check ${what.toLowerCase()} in a browser.`;
    throw new StepFailure(`${what} ${why}.`, advice, { cause });
  }
}
