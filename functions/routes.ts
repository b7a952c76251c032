/** One route of the HTTP API. The stack, the local gateway, the OpenAPI document and the tests all read this list. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** The folder of the Lambda function that serves it. */
  readonly function: FunctionName;
  readonly access: Access;
  /** Accepts JSON as `text/plain` too, which browsers send without a preflight request. */
  readonly plainText?: true;
  /** API Gateway's limits for all callers together: requests per second, and how many may arrive at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** Sent with every response: since when (Unix seconds, RFC 9745), and what to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: `/${string}` };
}

/**
 * The token that a caller needs. With `publicKey`, pages of the program's allowed origins may send the program's public
 * key in the body instead.
 */
export type Access = { readonly token: 'program' | 'affiliate'; readonly publicKey?: true } | 'anyone';

export type FunctionName = 'tracking' | 'advocates' | 'referrals';

/** In the order of documents and printed examples: deprecated routes follow what replaces them. */
export const ROUTES = {
  trackConversionV2: {
    method: 'POST',
    path: '/v2/tracking/conversion',
    function: 'tracking',
    access: { token: 'program', publicKey: true },
    throttle: { rate: 200, burst: 400 },
  },
  setState: {
    method: 'POST',
    path: '/v2/tracking/state',
    function: 'tracking',
    access: { token: 'program' },
    throttle: { rate: 200, burst: 400 },
  },
  trackClick: {
    method: 'POST',
    path: '/v2/tracking/click',
    function: 'tracking',
    access: 'anyone',
    plainText: true,
    throttle: { rate: 1000, burst: 2000 },
  },
  getScript: {
    method: 'GET',
    path: '/gr.js',
    function: 'tracking',
    access: 'anyone',
    throttle: { rate: 1000, burst: 2000 },
  },
  listAdvocates: {
    method: 'GET',
    path: '/v1/advocates',
    function: 'advocates',
    access: { token: 'program' },
    throttle: { rate: 50, burst: 100 },
  },
  listReferrals: {
    method: 'GET',
    path: '/v1/affiliate/referrals',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 100, burst: 200 },
  },
  trackConversionV1: {
    method: 'POST',
    path: '/v1/tracking/conversion',
    function: 'tracking',
    access: { token: 'program' },
    throttle: { rate: 200, burst: 400 },
    deprecated: { since: 1_767_225_600, successor: '/v2/tracking/conversion' },
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
/** The operations of one function. */
export type OperationOf<Name extends FunctionName> = {
  [Id in OperationId]: (typeof ROUTES)[Id]['function'] extends Name ? Id : never;
}[OperationId];

export function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(ROUTES, id);
}

/** The name that API Gateway gives a route, such as `GET /v1/advocates`. */
export function routeKey(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** Any origin unless the deployer restricts them; never with credentials. Header names in lower case, as browsers send them. */
export const CORS = {
  methods: ['GET', 'POST', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key'],
  responseHeaders: ['link', 'x-request-id', 'x-error-code', 'x-click', 'idempotent-replayed', 'retry-after'],
  /** Seconds for which browsers may reuse a preflight response. */
  maxAge: 3600,
} as const;
