/** A route of the HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** The Lambda function that serves the route: the name of its folder. */
  readonly function: FunctionName;
  readonly access: Access;
  /** The body may be JSON sent as `text/plain`, for which browsers send no preflight request. */
  readonly plainText?: true;
  /** API Gateway's limits for all callers together: requests per second, and the largest burst of requests. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** Sent with every response: the time of the deprecation (Unix seconds, RFC 9745) and the path to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: `/${string}` };
}

/**
 * The token that a route requires. With `publicKey`, pages of the program's allowed origins may send the program's
 * public key in the body instead.
 */
export type Access = { readonly token: 'program' | 'affiliate'; readonly publicKey?: true } | 'anyone';

export type FunctionName = 'tracking' | 'advocates' | 'referrals';

/** All routes, for stack, local gateway, documents and tests. A deprecated route follows its successor. */
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

/** The route key of API Gateway, such as `GET /v1/advocates`. */
export function routeKey(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** The CORS rules (docs/contract.md, CORS). The deployer may restrict the origins. */
export const CORS = {
  methods: ['GET', 'POST', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key'],
  responseHeaders: ['link', 'x-request-id', 'x-error-code', 'x-click', 'idempotent-replayed', 'retry-after'],
  /** How long browsers may cache a preflight response, in seconds. */
  maxAge: 3600,
} as const;
