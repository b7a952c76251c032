import type { ErrorCode } from '../kernel/errors.ts';
import { STATUS } from '../kernel/http/errors.ts';
import type { QueryEvent } from '../kernel/http/validation.ts';
import { exactNumbers } from '../kernel/json.ts';
import { ENTRY_WARNINGS } from '../ledger/rules/entry.ts';
import { type OperationId, ROUTES } from '../routes.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** The documentation of an operation. `bin/generate` adds method, path, access and limits from the routes. */
export interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly requestHeaders?: readonly (keyof typeof REQUEST_HEADERS)[];
  /** The schema has one property per parameter. */
  readonly query?: {
    readonly schema: {
      readonly required?: readonly string[];
      readonly properties: Readonly<Record<string, JsonObject>>;
    };
    readonly parse: (event: QueryEvent) => unknown;
    /** Values of optional parameters of which the operation needs one. */
    readonly example?: Readonly<Record<string, string>>;
  };
  readonly body?: {
    readonly schema: JsonObject & { readonly properties: JsonObject };
    readonly parse: (body: unknown) => unknown;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: JsonObject }>>;
  };
  /** The body of a request that its sender signs. The service accepts any bytes with a valid signature. */
  readonly signedBody?: {
    readonly description: string;
    readonly schema: JsonObject;
    readonly examples: Examples;
  };
  /** The other form that bodies of 400 can have. */
  readonly errorSchema?: JsonObject;
  /** By status. */
  readonly successes: Readonly<Record<number, Success>>;
  /** Error codes that do not follow from access and input. */
  readonly errors?: readonly ErrorCode[];
}

/** A successful response. Without a schema, it has no body. */
export interface Success {
  readonly description: string;
  readonly headers?: readonly (keyof typeof RESPONSE_HEADERS)[];
  /** The content type, or each one that it can have; JSON by default. */
  readonly type?: string | readonly string[];
  readonly schema?: JsonObject;
  readonly examples?: Examples;
  /** Operations to call next. */
  readonly links?: Readonly<Record<string, Link>>;
}

/** An operation to call next. Its parameters and the fields of its body are OpenAPI's runtime expressions, or constants. */
type Link = { readonly operationId: OperationId; readonly description: string } & (
  | { readonly requestBody: JsonObject }
  | { readonly parameters: JsonObject }
);

/** The documentation of the operations of some routes. */
export type Operations<Routes> = Readonly<Record<keyof Routes, Operation>>;

/** A value with sums of any size as clients receive it. */
export const asReceived = (value: unknown): Json => JSON.parse(JSON.stringify(exactNumbers(value)));

export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;

export const example = <Value extends Json>(summary: string, value: Value) => ({ summary, value });

/** An example of a first page with one row, which more rows follow. */
export const firstRow = (query: string, row: Json) => example(`With \`${query}\``, listPage([row], 1, 1));

export const PAST_THE_END = example('With `page=99`: past the end', listPage([], 99, 25));

function listPage(data: readonly Json[], page: number, per_page: number) {
  return { data, meta: { pagination: { page, per_page, has_more: data.length > 0 } } };
}

/** Documents a header; `keywords` are added to its schema. */
const header = (name: string, description: string, keywords: JsonObject = {}) =>
  ({ name, description, schema: { type: 'string', ...keywords } }) as const;

/** Request headers by their names in the document. `Authorization` is a security scheme instead. */
export const REQUEST_HEADERS = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes a request safe to repeat. Choose one key per conversion, such as `conversion-of-customer-4711`. The same key with the same fields (compared after normalization) ' +
      'returns the first 201 again, byte for byte, with `Idempotent-Replayed: true`. With other fields, it returns 422 and writes nothing. Keys are scoped to program and ' +
      'operation, so that a retry survives a token change. Only successes are kept, for 7 days. Without the header, a repeated request returns 409.',
    { minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  ),
  IfNoneMatch: header('If-None-Match', 'The `ETag` of the copy that the client already has.'),
  Origin: header('Origin', "Set by the browser. `pk` replaces a token only from the program's allowed origins."),
  UserAgent: {
    ...header('User-Agent', 'Set by the browser; never stored. Known bots and empty values are ignored.'),
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  },
} as const;

/** Response headers by their names in the document. `Link` and `Cache-Control` have two meanings each. */
export const RESPONSE_HEADERS = {
  Allow: header('Allow', 'The method that the address takes.', { const: 'POST' }),
  CacheControl: header('Cache-Control', 'Caches must not store the response.', { const: 'no-store' }),
  CachedForADay: header(
    'Cache-Control',
    'Caches may use the script for a day, and for another week while they revalidate it in the background.',
    { const: 'public, max-age=86400, stale-while-revalidate=604800' },
  ),
  CachedForAnHour: header('Cache-Control', 'Caches may use the picture for an hour.', {
    const: 'public, max-age=3600',
  }),
  ClickOutcome: header(
    'x-click',
    '`recorded`: the click is stored. `known`: a click with this id was stored before, converted or not. `ignored`: no person clicked (a known bot, a prefetch or an empty user agent), and nothing is stored.',
    { enum: ['recorded', 'known', 'ignored'] },
  ),
  Deprecation: header('Deprecation', 'When the operation was deprecated: an `@` and Unix seconds (RFC 9745).', {
    pattern: '^@\\d+$',
    examples: [`@${ROUTES.trackConversionV1.deprecated.since}`],
  }),
  Revalidated: header('Cache-Control', 'Caches ask for a newer page each time: it must not be older than its API.', {
    const: 'no-cache, stale-if-error=0',
  }),
  ErrorCode: header(
    'x-error-code',
    'A machine-readable code. The sentence in the body may change; this code does not.',
    { enum: Object.keys(STATUS) },
  ),
  ETag: header(
    'ETag',
    'Changes with the content. Until then, a request with this value in `If-None-Match` returns 304.',
    {
      examples: ['W/"mKcpUGbIYbYTGhjrsKPM0a"'],
    },
  ),
  IdempotentReplayed: header('Idempotent-Replayed', 'Present if the response repeats an earlier response.', {
    const: 'true',
  }),
  NextPage: header('Link', 'Only if `has_more` is true: the URL of the next page, with its `cursor` (RFC 8288).', {
    examples: ['<https://api.example.com/v1/advocates?per_page=25&cursor=Mi4>; rel="next"'],
  }),
  NoSniff: header('X-Content-Type-Options', 'Browsers take the response for nothing but its type.', {
    const: 'nosniff',
  }),
  RequestId: header('x-request-id', 'The id of the request. Quote it when you report a problem.', {
    examples: ['JKJaXmPLvHcESHA='],
  }),
  RetryAfter: header('Retry-After', 'Whole seconds to wait before the next attempt.', {
    pattern: '^\\d+$',
    examples: ['1'],
  }),
  Successor: header('Link', 'The URL of the operation to use instead (RFC 5829).', {
    examples: [`<https://api.example.com${ROUTES.trackConversionV1.deprecated.successor}>; rel="successor-version"`],
  }),
  Warning: header(
    'x-warning',
    '`no_rate`: the payment earns no commission, because its referral has no rate: neither the advocate nor the program had one when it was created or moved.',
    { enum: ENTRY_WARNINGS },
  ),
  WwwAuthenticate: header('WWW-Authenticate', 'The authentication scheme.', { const: 'Bearer' }),
} as const;
