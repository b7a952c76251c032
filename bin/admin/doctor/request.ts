import { partialDeepStrictEqual } from 'node:assert';
import { type OperationId, ROUTES, type Route, routeKey } from '../../../functions/routes.ts';

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
export class UnexpectedContent extends StepFailure {
  constructor(route: Route, part: string) {
    super(`The response to ${routeKey(route)} has an unexpected ${part}.`, OTHER_SERVICE);
  }
}

const OTHER_SERVICE =
  'The address belongs to another service, or to another version of this one. Deploy this version, or correct --base-url.';
/** Node's error codes if no server listens or if the server ends during a request. */
const DOWN = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
/** A request id of the service or of API Gateway. Any other text is not printed. */
const REQUEST_ID = /^[\w=-]{1,64}$/;
/** Milliseconds. API Gateway responds within 30 seconds, with an error if the function hangs. */
export const TIME_LIMIT = 35_000;

/** Returns a function that sends requests to the service at a base URL, which may have a path. */
export function sender(baseUrl: string, timeLimit = TIME_LIMIT): Send {
  return async (request, expected) => {
    const route: Route = ROUTES[request.operation];
    const { response, text } = await fetchText(baseUrl, route, request, timeLimit).catch((error: unknown) => {
      throw noResponse(error, baseUrl);
    });
    const { status, headers } = response;
    if (status !== expected.status) {
      const why = `The response to ${routeKey(route)} has the status ${status} instead of ${expected.status}.`;
      throw new StepFailure(why, adviceOn(status, headers));
    }
    for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
      if (!pattern.test(headers.get(name) ?? '')) throw new UnexpectedContent(route, `header ${name}`);
    }
    try {
      if (expected.json) partialDeepStrictEqual(JSON.parse(text), expected.json);
    } catch {
      throw new UnexpectedContent(route, 'body');
    }
    return headers;
  };
}

async function fetchText(baseUrl: string, { method, path }: Route, request: Request, timeLimit: number) {
  const { token, query, headers, body } = request;
  const response = await fetch(`${baseUrl}${path}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
    // A redirect means that the base URL is wrong; following it would turn a POST into a GET.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimit),
  });
  return { response, text: await response.text() };
}

/** Explains a request without a response. */
export function noResponse(cause: unknown, baseUrl: string): StepFailure {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    const advice = 'Check whether the service hangs or a firewall drops the request.';
    return new StepFailure(`${baseUrl} did not respond in time.`, advice, { cause });
  }
  // `fetch` wraps network errors.
  const reason = cause instanceof Error ? cause.cause : undefined;
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : 'no request was sent';
  const advice = DOWN.includes(code)
    ? 'Start the service with npm start, or correct --base-url.'
    : 'Correct --base-url, or check the network and the certificate.';
  return new StepFailure(`The connection to ${baseUrl} failed (${code}).`, advice, { cause });
}

/** Says what to do about an unexpected status. */
export function adviceOn(status: number, headers: Headers): string {
  if (status >= 500) {
    const id = headers.get('x-request-id') ?? headers.get('apigw-requestid') ?? '';
    const request = REQUEST_ID.test(id) ? ` for the request ${id}` : '';
    return `Check the log of the service${request}. 503 means that its table is busy or does not respond.`;
  }
  // The service adds this header to its errors: the path exists.
  if (status === 404 && headers.has('x-error-code')) return OTHER_SERVICE;
  switch (status) {
    case 401:
      return 'The service probably uses another table than this command. TABLE_NAME and --base-url must belong to the same stack. If they do, compare the clocks of this machine and of the service.';
    case 403:
      return 'Something in front of the service rejects the request, for example a firewall or a proxy. Let the request pass, or correct --base-url.';
    case 404:
      return 'Correct --base-url. It is the part of the address before /v1 and /v2, including the path prefix if there is one.';
    case 429:
      return 'The route is throttled. Run doctor again in a minute, or raise the throttle of the route.';
    default:
      return OTHER_SERVICE;
  }
}
