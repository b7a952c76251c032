import { ROUTES } from '../../functions/routes.ts';
import { ERROR_CODES } from './errors.ts';
import type { JsonObject } from './json.ts';

/** Response headers by their names in the document: `Link` has two meanings. */
const HEADERS = {
  CacheControl: {
    name: 'Cache-Control',
    description: 'Caches must not store the response.',
    schema: { type: 'string', const: 'no-store' },
  },
  CachedForADay: {
    name: 'Cache-Control',
    description:
      'Any cache may use the script for a day, and for a week more while it asks for a newer one in the background.',
    schema: { type: 'string', const: 'public, max-age=86400, stale-while-revalidate=604800' },
  },
  ClickOutcome: {
    name: 'x-click',
    description:
      '`recorded`; `known`: this click id was recorded before, converted or not; `ignored`: a known bot, a prefetch or an empty user agent, and nothing is stored.',
    schema: { type: 'string', enum: ['recorded', 'known', 'ignored'] },
  },
  Deprecation: {
    name: 'Deprecation',
    description: 'Since when the operation has been deprecated: Unix seconds after an `@` (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: `@${ROUTES.trackConversionV1.deprecated.since}`,
  },
  ErrorCode: {
    name: 'x-error-code',
    description:
      'The reason as a stable machine-readable code. The sentence in the body may change, this code does not.',
    schema: { type: 'string', enum: ERROR_CODES },
  },
  ETag: {
    name: 'ETag',
    description: 'Changes with the script. Sent back in `If-None-Match`, it gets a 304 while the script is the same.',
    schema: { type: 'string' },
    example: 'W/"mKcpUGbIYbYTGhjrsKPM0a"',
  },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    description: 'Present if the response is a replay for the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  NextPage: {
    name: 'Link',
    description: 'Present if `has_more` is true: the URL of the next page, with its `cursor` (RFC 8288).',
    schema: { type: 'string' },
    example: '<https://api.example.com/v1/advocates?per_page=25&cursor=Mi4>; rel="next"',
  },
  RequestId: {
    name: 'x-request-id',
    description: "The request's id, for questions about the request.",
    schema: { type: 'string' },
    example: 'JKJaXmPLvHcESHA=',
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'Whole seconds to wait before the next attempt.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  Successor: {
    name: 'Link',
    description: 'The URL of the operation to use instead (RFC 5829).',
    schema: { type: 'string' },
    example: `<https://api.example.com${ROUTES.trackConversionV1.deprecated.successor}>; rel="successor-version"`,
  },
  WwwAuthenticate: {
    name: 'WWW-Authenticate',
    description: 'The scheme to authenticate with.',
    schema: { type: 'string', const: 'Bearer' },
  },
} as const;

export type HeaderKey = keyof typeof HEADERS;

/** `headers` of a response, by reference. */
export function headersOf(keys: readonly HeaderKey[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [HEADERS[key].name, { $ref: `#/components/headers/${key}` }]));
}

/** `components.headers` of the document. */
export function headerComponents(): JsonObject {
  return Object.fromEntries(Object.entries(HEADERS).map(([key, { name: _, ...header }]) => [key, header]));
}
