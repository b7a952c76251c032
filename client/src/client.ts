import createClient, { type FetchResponse, type ParamsOption, type RequestBodyOption } from 'openapi-fetch';
import type { paths } from './openapi.ts';
import { type Options, type PathsWith, ReferralTrackingError, sender } from './send.ts';

export type { components, paths } from './openapi.ts';
export { type CookieOptions, type RequestHeaders, renewCookie } from './renew-cookie.ts';
export { type Options, ReferralTrackingError } from './send.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Operation<Path extends PathsWith<M>, M extends Method> = Extract<paths[Path][M], object>;
/** Not `Extract`, which would remove everything without `exactOptionalPropertyTypes`. */
type NoError<Result> = Result extends { error: object } ? never : Result;
type Success<Op extends object> = NoError<FetchResponse<Op, object, 'application/json'>>;

/** The second argument of a method, which may be missing if nothing in it is required. */
type Init<Fields> = object extends Fields ? [init?: Fields & Common] : [init: Fields & Common];
interface Common {
  headers?: Record<string, string>;
  signal?: AbortSignal | null;
}

/** Sends a request. Throws a `ReferralTrackingError`, or the reason of the `signal` if it aborts the request. */
type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...init: Init<ParamsOption<Operation<Path, M>> & RequestBodyOption<Operation<Path, M>>>
) => Promise<Success<Operation<Path, M>>>;

type List<Path extends PathsWith<'get'>> = Success<Operation<Path, 'get'>>['data'];
export type ListPath = {
  [Path in PathsWith<'get'>]: List<Path> extends { meta: { pagination: object } } ? Path : never;
}[PathsWith<'get'>];
export type Row<Path extends ListPath> = List<Path> extends { data: (infer Each)[] } ? Each : never;

/** openapi-fetch's client for the API. Its methods return successes only. */
export interface ReferralTracking {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /** All rows of a list in its order. Each page is requested when the iteration reaches it. */
  readonly pages: <Path extends ListPath>(
    path: Path,
    ...init: Init<Operation<Path, 'get'>['parameters']>
  ) => AsyncGenerator<Row<Path>, void, undefined>;
}

/** Creates a client for one token. Throws a `TypeError` if an option is not valid. */
export function referralTracking(options: Options): ReferralTracking;
// The types above describe openapi-fetch's methods without its result for errors, which `send` throws.
export function referralTracking({ baseUrl, ...options }: Options): Record<keyof ReferralTracking, unknown> {
  if (!/^https?:\/\/./.test(baseUrl))
    throw new TypeError('baseUrl must start with https:// and contain the address of the service.');
  const send = sender(options);
  const headers = { authorization: options.token && `Bearer ${options.token}` };
  const { GET, POST, PUT, PATCH, DELETE, use } = createClient<Record<string, { get: AnyList }>>({ baseUrl, headers });
  use({ onRequest: ({ request, schemaPath }) => send(request, schemaPath) });

  async function* pages(path: string, { query = {}, ...init }: AnyList['parameters'] & Common = {}) {
    const { page: _, ...filters } = query;
    let cursor: string | undefined;
    do {
      const next = cursor === undefined ? query : { ...filters, cursor: decodeURIComponent(cursor) };
      const { data, response } = await GET(path, { ...init, params: { query: next } });
      yield* data?.data ?? [];
      // Only the cursor of the URL is used (RFC 8288): no other host ever gets the token.
      [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; *rel="?next/.exec(response.headers.get('link') ?? '') ?? [];
    } while (cursor !== undefined);
  }
  return { GET, POST, PUT, PATCH, DELETE, pages };
}

/**
 * Reports a customer who signed up, with the value of the cookie `gr_id`. Without one, it sends nothing. It never
 * throws: it logs failures to the console. A customer who is already known or was not referred is no failure. It gives
 * up after 2 seconds, unless the options have another `timeout`.
 */
export async function reportSignUp(
  { id, email }: { readonly id: string | number; readonly email: string },
  grId: string | null | undefined,
  options: Options,
): Promise<void> {
  // A visitor can make a framework parse a cookie as a list.
  if (typeof grId !== 'string' || grId === '') return;
  const headers = { 'idempotency-key': `sign-up-${id}` };
  const body = { email, uid: String(id), gr_id: grId };
  await report(`The referral of customer ${id}`, options, ['referral_exists', 'invalid_affiliate_slug'], (client) =>
    client.POST('/v2/tracking/conversion', { headers, body }),
  );
}

/** A payment of a customer, in the form of the API. */
export interface Payment {
  /** Your id of the payment, such as the number of its invoice. Never an email or a name. */
  readonly payment_id: string;
  /** What the customer paid, without tax, in the currency's smallest unit, such as cents. */
  readonly amount: number;
  /** The code of ISO 4217 in lower case. */
  readonly currency: string;
  /** Unix seconds, by default now. */
  readonly paid_at?: number | null;
}

/**
 * Reports what a customer paid. If the amount is 0, it sends nothing. It never throws: it logs failures to the console.
 * A customer whom nobody referred is no failure. It gives up after 2 seconds, unless the options have another `timeout`.
 */
export async function reportPayment(
  { id }: { readonly id: string | number },
  { payment_id, amount, currency, paid_at = null }: Payment,
  options: Options,
): Promise<void> {
  if (amount === 0) return;
  const body = { uid: String(id), payment_id, amount, currency, paid_at };
  await report(`The payment ${payment_id} of customer ${id}`, options, ['referral_not_found'], (client) =>
    client.POST('/v2/payments', { body }),
  );
}

/** Sends a request. Logs a failure, unless it has one of the expected error codes. */
async function report(
  what: string,
  options: Options,
  expected: readonly string[],
  send: (client: ReferralTracking) => Promise<unknown>,
): Promise<void> {
  try {
    await send(referralTracking({ timeout: 2000, ...options }));
  } catch (error) {
    if (error instanceof ReferralTrackingError && expected.includes(error.code ?? '')) return;
    console.error(`${what} was not reported:`, error);
  }
}

type AnyContent = { 'application/json': { data: unknown[] } };
type AnyList = { parameters: { query?: Record<string, unknown> }; responses: { 200: { content: AnyContent } } };
