import type { Caller } from './domain/caller.ts';

/** One route of the HTTP API. The stack, the local gateway, the OpenAPI document and the tests all read this list. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** Folder of the Lambda function that answers it. */
  readonly function: FunctionName;
  /** Kind of token that may call it. */
  readonly token: Caller['kind'];
  /** API Gateway's bounds for all callers together: requests per second, and how many may come at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** Said in the headers of every answer: since when (Unix seconds, RFC 9745), and what to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: `/${string}` };
}

export type FunctionName = 'tracking' | 'advocates' | 'referrals';

export const ROUTES = {
  trackConversionV1: {
    method: 'POST',
    path: '/v1/tracking/conversion',
    function: 'tracking',
    token: 'program',
    throttle: { rate: 200, burst: 400 },
    deprecated: { since: 1_767_225_600, successor: '/v2/tracking/conversion' },
  },
  listAdvocates: {
    method: 'GET',
    path: '/v1/advocates',
    function: 'advocates',
    token: 'program',
    throttle: { rate: 50, burst: 100 },
  },
  listReferrals: {
    method: 'GET',
    path: '/v1/affiliate/referrals',
    function: 'referrals',
    token: 'affiliate',
    throttle: { rate: 100, burst: 200 },
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;

/** The name by which API Gateway calls a route, such as `GET /v1/advocates`. */
export function routeKey(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** Any origin unless the deployer narrows them; never with credentials. Header names in lower case, as browsers send them. */
export const CORS = {
  methods: ['GET', 'POST', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key'],
  responseHeaders: ['link', 'x-request-id', 'x-error-code', 'x-click', 'idempotent-replayed', 'retry-after'],
  /** For this many seconds a browser need not ask again. */
  maxAge: 3600,
} as const;
