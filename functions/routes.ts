/** One route of the HTTP API. The stack, the local gateway, the OpenAPI document and the tests all read this list. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** Folder of the Lambda function that answers it. */
  readonly function: FunctionName;
  readonly access: Access;
  /** Its JSON may also come as `text/plain`, for which a browser asks no leave (a request without preflight). */
  readonly plainText?: true;
  /** API Gateway's bounds for all callers together: requests per second, and how many may come at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** Said in the headers of every answer: since when (Unix seconds, RFC 9745), and what to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: `/${string}` };
}

/**
 * Who may call: the owner of a kind of token; the program by its token or, from a page of an origin that it lists, by
 * its public key; or anyone.
 */
export type Access = 'program' | 'affiliate' | 'program or page' | 'anyone';

export type FunctionName = 'tracking' | 'advocates' | 'referrals';

export const ROUTES = {
  trackConversionV1: {
    method: 'POST',
    path: '/v1/tracking/conversion',
    function: 'tracking',
    access: 'program',
    throttle: { rate: 200, burst: 400 },
    deprecated: { since: 1_767_225_600, successor: '/v2/tracking/conversion' },
  },
  trackConversionV2: {
    method: 'POST',
    path: '/v2/tracking/conversion',
    function: 'tracking',
    access: 'program or page',
    throttle: { rate: 200, burst: 400 },
  },
  setState: {
    method: 'POST',
    path: '/v2/tracking/state',
    function: 'tracking',
    access: 'program',
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
    access: 'program',
    throttle: { rate: 50, burst: 100 },
  },
  listReferrals: {
    method: 'GET',
    path: '/v1/affiliate/referrals',
    function: 'referrals',
    access: 'affiliate',
    throttle: { rate: 100, burst: 200 },
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
/** The operations of one function. */
export type OperationOf<Name extends FunctionName> = {
  [Id in OperationId]: (typeof ROUTES)[Id]['function'] extends Name ? Id : never;
}[OperationId];

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
