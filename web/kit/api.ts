import type { components, paths } from '../../client/src/openapi.ts';
import * as COMMON from '../words/common.ts';
import { ApiError } from './api-error.ts';
import { isOffline } from './readings.ts';
import { cursorOf, secondsUntilRetry } from './responses.ts';
import type { Session } from './session.ts';
import { Store } from './store.ts';

/** The body of a successful response, the cursor of the next page of a list, and the headers. */
interface Reply<Body> {
  readonly body: Body;
  readonly next: string | undefined;
  readonly headers: Headers;
}

interface Options<Path extends PathWith<M>, M extends Method> {
  readonly query?: Query<Path, M>;
  readonly params?: PathParameters<Path, M>;
  readonly body?: RequestBody<Path, M>;
  readonly signal?: AbortSignal;
  /** A token other than the session's, or `''` to send none. A 401 is then an error like any other. */
  readonly token?: string;
  /** `Idempotency-Key` of the request. Keep it over retries of the same request. */
  readonly idempotencyKey?: string;
  /** True if a POST may be repeated after a 503, although the service may have carried it out. */
  readonly isRepeatable?: boolean;
}

/** Says a sentence of the API in the words of the page. */
type InWords = (code: string, sentence: string) => string;

export interface Api {
  /** The seconds until a request is repeated that the service was too busy for; 0 if there is none. */
  readonly waiting: Store<number>;
  /** True while a request has lasted for more than 5 seconds. */
  readonly isSlow: Store<boolean>;
  /** Sends a request. Throws an `ApiError`, or the reason of the signal. */
  readonly send: <M extends Method, Path extends PathWith<M>>(
    method: M,
    path: Path,
    options?: Options<Path, M>,
  ) => Promise<Reply<ResponseBody<Path, M>>>;
}

/** The seconds to wait after a 429 or a 503 without `Retry-After`. */
const PAUSES = [1, 2, 4, 8];
/** The milliseconds after which a page says that it waits for an answer. */
const SLOW = 5000;

/**
 * Creates the API of a session. Its addresses are relative to the page, because the base URL may have a path. A 401 asks
 * for a new token and repeats the request with it. A success that is not the service's is an error: a network that asks
 * people to sign in, or a proxy, answers in its place.
 */
export function createApi(session: Session, inWords: InWords = (_, sentence) => sentence): Api {
  const waiting = new Store(0);
  const isSlow = new Store(false);
  let lostAt = 0;
  addEventListener('online', () => isOffline.set(false));
  addEventListener('offline', () => {
    lostAt = performance.now();
    isOffline.set(true);
  });

  const slow = new Set<object>();
  async function timed<Value>(promise: Promise<Value>): Promise<Value> {
    const timer = setTimeout(() => isSlow.set(slow.add(promise).size > 0), SLOW);
    return promise.finally(() => {
      clearTimeout(timer);
      slow.delete(promise);
      isSlow.set(slow.size > 0);
    });
  }

  const pauses = new Set<{ readonly end: number }>();
  function showWaiting(): void {
    const latest = Math.max(0, ...[...pauses].map(({ end }) => end));
    waiting.set(Math.max(0, Math.ceil((latest - performance.now()) / 1000)));
  }

  async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
    const own = { end: performance.now() + seconds * 1000 };
    pauses.add(own);
    showWaiting();
    while (performance.now() < own.end && !signal?.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      showWaiting();
    }
    pauses.delete(own);
    showWaiting();
    signal?.throwIfAborted();
  }

  async function attempt(url: string, init: RequestInit, token: string): Promise<Response> {
    const sentAt = performance.now();
    try {
      const headers = { ...init.headers, ...(token !== '' && { authorization: `Bearer ${token}` }) };
      // Redirects would send the token elsewhere.
      const response = await timed(fetch(url, { ...init, headers, redirect: 'error', cache: 'no-store' }));
      // A response to an earlier request does not say that the connection has returned.
      if (isOffline.value && sentAt > lostAt) isOffline.set(false);
      return response;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      isOffline.set(true);
      throw new ApiError(COMMON.noConnectionAdvice, 0);
    }
  }

  async function patiently(url: string, init: RequestInit, token: string, isRepeatable: boolean): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const response = await attempt(url, init, token);
      // A 429 with a code is no moment's rush: the service refuses the request for longer than anybody waits.
      const isRushed = response.status === 429 && !response.headers.has('x-error-code');
      const isBusy = isRushed || (response.status === 503 && isRepeatable);
      const fallback = PAUSES[tries];
      if (!isBusy || fallback === undefined) return response;
      await pause(secondsUntilRetry(response.headers.get('retry-after')) ?? fallback, init.signal ?? undefined);
    }
  }

  async function authorized(url: string, init: RequestInit, isRepeatable: boolean): Promise<Response> {
    for (;;) {
      const token = session.token;
      const response = await patiently(url, init, token, isRepeatable);
      if (response.status !== 401) return response;
      // Another request, or another tab of the dashboard, may have replaced the token.
      if (session.token === token) await session.renewed(init.signal ?? undefined);
    }
  }

  return {
    waiting,
    isSlow,
    send: async (method, path, { query, params, body, signal, token, idempotencyKey, ...options } = {}) => {
      const { isRepeatable = method !== 'post' || idempotencyKey !== undefined } = options;
      const init: RequestInit = {
        method: method.toUpperCase(),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      };
      const url = urlOf(path, params, query);
      const response = await (token === undefined
        ? authorized(url, init, isRepeatable)
        : patiently(url, init, token, isRepeatable));
      const text = await timed(response.text()).catch(() => {
        throw new ApiError(COMMON.noConnectionAdvice, 0);
      });
      if (!response.ok) throw errorOf(response, text, path, inWords);
      const json = parse(text);
      if (!isOfService<ResponseBody<typeof path, typeof method>>(json, response)) {
        throw new ApiError(COMMON.notTheService, response.status);
      }
      const { headers } = response;
      return { body: json, next: cursorOf(headers.get('link')), headers };
    },
  };
}

function urlOf(path: string, params: unknown, query: unknown): string {
  const fields: Record<string, unknown> = Object(params);
  const filled = path.slice(1).replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(fields[name])));
  const pairs = Object.entries<unknown>(Object(query)).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${filled}?${search}` : filled;
}

/** True for the body of a success of the service, which has a request id and JSON, or no content. */
function isOfService<Body>(json: unknown, { status, headers }: Response): json is Body {
  return headers.has('x-request-id') && (status === 204 || Object(json) === json);
}

/** Parses JSON. Anything else returns `undefined`. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the error of the API in the words of the page, or one of the page if the response has no sentence. */
function errorOf({ status, headers }: Response, text: string, path: string, inWords: InWords): ApiError {
  const { error }: Record<string, unknown> = Object(parse(text));
  const code = headers.get('x-error-code') ?? '';
  if (typeof error !== 'string' || error === '')
    return new ApiError(COMMON.withoutSentence(status, path), status, code);
  return new ApiError(inWords(code, error), status, code, error);
}

export type Schemas = components['schemas'];

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

type Operation<Path extends PathWith<M>, M extends Method> = Extract<paths[Path][M], object>;
type Parameters<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { parameters: infer All } ? All : never;

/** The parameters in the query of an operation. An `undefined` parameter is not sent. */
export type Query<Path extends PathWith<M>, M extends Method> =
  Parameters<Path, M> extends { query?: infer Fields }
    ? { readonly [Name in keyof Fields]: Fields[Name] | undefined } | undefined
    : undefined;

type PathParameters<Path extends PathWith<M>, M extends Method> =
  Parameters<Path, M> extends { path: infer Fields } ? Fields : undefined;

export type RequestBody<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { requestBody?: { content: { 'application/json': infer Json } } } ? Json : undefined;

type Successes<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { responses: infer All } ? All[Extract<keyof All, 200 | 201 | 202>] : never;

/** The JSON of a successful response; `undefined` if it has no body. */
export type ResponseBody<Path extends PathWith<M>, M extends Method> =
  Successes<Path, M> extends { content: { 'application/json': infer Json } } ? Json : undefined;
