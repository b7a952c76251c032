import { partialDeepStrictEqual } from 'node:assert';
import { type OperationId, ROUTES, type Route } from '../../../functions/routes.ts';
import { noAnswer, OtherContent, otherStatus } from './failure.ts';

export interface Request {
  readonly operation: OperationId;
  readonly token?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** What the interface says of the answer: more headers and more fields are no fault. */
export interface Expected {
  readonly status: number;
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly json?: object;
}

/** Asks the service. Returns the answer's headers. Throws `StepFailure` where none comes or where it is another one. */
export type Ask = (request: Request, expected: Expected) => Promise<Headers>;

/** Milliseconds. API Gateway responds within 30 seconds at the latest, with an error if the function hangs. */
const TIME_LIMIT = 35_000;

/** Makes the way to the service at a base URL, which may have a path. */
export function asking(baseUrl: string, timeLimit = TIME_LIMIT): Ask {
  return async (request, expected) => {
    const { operation, query } = request;
    const route: Route = ROUTES[operation];
    const address = `${baseUrl}${route.path}${query ? `?${query}` : ''}`;
    const { response, text } = await send(address, route, request, timeLimit).catch((error: unknown) => {
      throw noAnswer(error, baseUrl);
    });
    if (response.status !== expected.status) throw otherStatus(route, expected.status, response);
    for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
      if (!pattern.test(response.headers.get(name) ?? '')) {
        throw new OtherContent(route, `its header ${name}`);
      }
    }
    if (expected.json && !holds(text, expected.json)) throw new OtherContent(route, 'its body');
    return response.headers;
  };
}

async function send(address: string, { method }: Route, request: Request, timeLimit: number) {
  const { token, headers, body } = request;
  const response = await fetch(address, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
    // To follow would turn a POST into a GET: the base URL is wrong then.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimit),
  });
  return { response, text: await response.text() };
}

/** True where a text is JSON that has at least what is expected. */
function holds(text: string, expected: object): boolean {
  try {
    partialDeepStrictEqual(JSON.parse(text), expected);
    return true;
  } catch {
    return false;
  }
}
