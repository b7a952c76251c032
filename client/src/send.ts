import type { paths } from './openapi.ts';

export interface Options {
  /** The service's URL. For a deployment, it is the output `BaseUrl` of the stack. */
  readonly baseUrl: string;
  /** A program token or an affiliate token. Routes that anyone may call need none. */
  readonly token?: string | undefined;
  /** Limit of a request with all its retries, in milliseconds. By default 30,000. */
  readonly timeout?: number;
  /** Sends a request. By default the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits before a retry, and rejects if `signal` is aborted. By default with `setTimeout`. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** A request that failed. The message is the service's sentence. It never contains the token. */
export class ReferralTrackingError extends Error {
  override readonly name = 'ReferralTrackingError';
  /** Status of the response, or 0 if no complete response arrived. */
  readonly status: number;
  /** `x-error-code` of the response, for programs to read. */
  readonly code: string | null;
  readonly requestId: string | null;
  /** Seconds after which the service accepts a retry. */
  readonly retryAfter: number | null;

  constructor(message: string, response?: Response) {
    super(message);
    const header = (name: string) => response?.headers.get(name) ?? null;
    this.status = response?.status ?? 0;
    this.code = header('x-error-code');
    this.requestId = header('x-request-id');
    this.retryAfter = /^\d+$/.test(header('retry-after') ?? '') ? Number(header('retry-after')) : null;
  }
}

/** The paths of the API, without pages and pictures, which only browsers load. */
type ApiPath = Exclude<Extract<keyof paths, `/v${string}` | '/mcp'>, '/v2/unsubscribe/{value}' | '/v2/logo/{pk}'>;

/** The paths that have a method. */
export type PathsWith<Method extends 'get' | 'post' | 'put' | 'patch' | 'delete'> = {
  [Path in ApiPath]: paths[Path] extends Record<Method, object> ? Path : never;
}[ApiPath];

/** Whether to repeat a POST that the service may have carried out: with one idempotency key, as it is, or never. */
const REPETITION = {
  '/v1/tracking/conversion': 'keyed',
  '/v2/tracking/conversion': 'keyed',
  '/v2/tracking/state': 'plain', // The state is already set.
  '/v2/tracking/click': 'plain', // The click is already known.
  '/v2/tracking/reassign': 'plain', // The referral is already the advocate's.
  '/v2/referrals/lookup': 'plain', // It only reads.
  '/v2/referrals/search': 'plain',
  '/v2/referrals/explain': 'plain',
  '/v2/advocates': 'never', // It would create a second advocate, or find its own uid taken.
  '/v2/advocates/{slug}/erase': 'plain', // The advocate is already erased.
  '/v2/advocates/{slug}/tokens': 'never', // It would create a second token.
  '/v2/sign-in': 'never', // It would send a second email.
  '/v2/session': 'never', // The code is spent.
  '/v2/payout-account/undo': 'never', // The code is spent.
  '/v2/members': 'plain', // The member with the same fields exists.
  '/v2/program/people/preview': 'plain', // It only reads.
  '/v2/people/erase': 'plain', // The codes are already deleted.
  '/mcp': 'plain', // It only reads.
  '/v2/applications': 'never', // Another email would be sent.
  '/v2/applications/lookup': 'plain', // It only reads.
  '/v2/applications/confirm': 'plain', // The application is already confirmed.
  '/v2/applications/{application}/approve': 'plain', // The advocate exists.
  '/v2/applications/{application}/reject': 'plain', // It is already rejected.
  '/v2/advocates/{slug}/invite': 'plain', // One email a day is sent.
  '/v2/tokens': 'never', // It would create a second token.
  '/v2/webhooks': 'never', // It would create a second webhook.
  '/v2/webhooks/{id}/rotate': 'never', // It would end a secret that still signs.
  '/v2/webhooks/{id}/test': 'plain', // It only sends another test.
  '/v2/webhooks/{id}/resend': 'plain', // Receivers recognize a repeated event by its id.
  '/v2/webhooks/{id}/replay': 'plain', // Likewise.
  '/v2/payments': 'plain',
  '/v2/refunds': 'plain',
  '/v2/payments/void': 'plain',
  '/v2/adjustments': 'plain',
  '/v2/settlements': 'plain',
  '/v2/payout-runs': 'plain',
  '/v2/tracking/erase': 'never', // It would not find the email or uid that it has erased.
} satisfies Record<PathsWith<'post'>, 'keyed' | 'plain' | 'never'>;
const repetitions = new Map<string, string>(Object.entries(REPETITION));

const MAX_RETRIES = 3;
/** Upper bound of the first pause in milliseconds. It doubles with each retry. */
const FIRST_PAUSE = 250;

/** Returns a function that sends a request of a route, and repeats it if it fails and may be repeated. */
export function sender({ token, timeout = 30_000, fetch = globalThis.fetch, pause = wait }: Omit<Options, 'baseUrl'>) {
  // `setTimeout` calls back immediately after any other delay.
  if (!(timeout > 0 && timeout < 2 ** 31)) throw new TypeError('timeout must be above 0 and below 2^31 milliseconds.');
  // `Headers` would repeat the token in its error.
  if (token !== undefined && !/^[!-~]+$/.test(token)) throw new TypeError('token is not valid. Set it to a token.');
  const failure = (sentence: string, response?: Response) =>
    new ReferralTrackingError(token ? sentence.replaceAll(token, '[token]') : sentence, response);

  async function attempt(request: Request): Promise<Response | ReferralTrackingError> {
    try {
      const response = await fetch(request);
      const { ok, status } = response;
      const json = parse(await response.clone().text());
      if (status === 204 || (ok && json !== undefined)) return response;
      const { error, message }: Record<string, unknown> = Object(json);
      const sentence = [error, message].find((value) => typeof value === 'string');
      return failure(sentence ?? `The response with status ${status} is not the service's. Check baseUrl.`, response);
    } catch (error) {
      const { message = error, cause }: Record<string, unknown> = Object(error);
      const { code, message: detail = '' }: Record<string, unknown> = Object(cause);
      return failure(`No complete response arrived. ${message} ${code ?? detail}`.trim());
    }
  }

  return async (request: Request, path: string): Promise<Response> => {
    const { headers, signal } = request;
    const lacksKey = repetitions.get(path) === 'keyed' && !headers.has('idempotency-key');
    if (lacksKey) headers.set('idempotency-key', crypto.randomUUID());
    signal.throwIfAborted();
    // Node 20 collects the signals of `AbortSignal.any` and `AbortSignal.timeout` as garbage before they abort.
    const limit = new AbortController();
    const abort = () => limit.abort(signal.reason);
    signal.addEventListener('abort', abort);
    const timer = setTimeout(() => limit.abort(new Error(`The request timed out after ${timeout} ms.`)), timeout);
    const end = performance.now() + timeout;
    try {
      for (let retries = 0; ; retries += 1) {
        // Without `headers`, Node 20.9 would drop them.
        const result = await attempt(new Request(request.clone(), { headers, signal: limit.signal }));
        if (!(result instanceof ReferralTrackingError)) return result;
        signal.throwIfAborted();
        const delay = (result.retryAfter ?? 0) * 1000 + Math.random() * FIRST_PAUSE * 2 ** retries;
        const isLast = retries === MAX_RETRIES || performance.now() + delay > end;
        if (isLast || !isRepeatable(request, path, result)) throw result;
        await pause(delay, signal);
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
}

function isRepeatable({ method }: Request, path: string, { status }: ReferralTrackingError): boolean {
  // API Gateway responds with 429 before the service sees the request.
  if (status === 429) return true;
  const repetition = method === 'POST' ? (repetitions.get(path) ?? 'never') : 'plain';
  return repetition !== 'never' && (status === 0 || status === 503);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
