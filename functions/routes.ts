import { PROGRAM_ROUTES } from './advocates/program/routes.ts';
import type { Scope } from './domain/token.ts';
import { INTEGRATION_ROUTES } from './integrations/routes.ts';
import { LEDGER_READ_ROUTES } from './referrals/ledger/routes.ts';
import { LEDGER_WRITE_ROUTES } from './tracking/ledger/routes.ts';
import { PAGE_ROUTES } from './tracking/pages/routes.ts';

/** A route of the HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces, such as `/v2/advocates/{slug}`. */
  readonly path: `/${string}`;
  /** The Lambda function that serves the route: the name of its folder. */
  readonly function: FunctionName;
  readonly access: Access;
  /** The route also has HEAD: the response to GET, whose body the HTTP server leaves out (RFC 9110 section 9.3.2). */
  readonly head?: true;
  /** The body may be JSON sent as `text/plain`, for which browsers send no preflight request. */
  readonly plainText?: true;
  /** A request without a body has the same effect as an empty JSON object. */
  readonly optionalBody?: true;
  /** The body is not read: the path says everything. */
  readonly ignoresBody?: true;
  /** API Gateway's limits for all callers together: requests per second, and the largest burst of requests. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** The setting with which the deployer replaces the throttle's rate; the burst is twice the rate. */
  readonly throttleSetting?: 'clicksPerSecond';
  /** Sent with every response: the time of the deprecation (Unix seconds, RFC 9745) and the path to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: `/${string}` };
}

/**
 * The token that a route requires, and the scope of a program token. With `publicKey`, pages of the program's allowed origins may send the program's
 * public key in the body instead. `stripe`: the body is signed with a secret of the program in the path.
 */
export type Access = TokenAccess | 'anyone' | 'stripe';

type TokenAccess =
  | { readonly token: 'program'; readonly scope: Scope; readonly publicKey?: true }
  | { readonly token: 'affiliate'; readonly scope?: never; readonly publicKey?: never };

/** The access of routes whose callers send a token or a public key, or are not identified. */
export type BearerAccess = Exclude<Access, 'stripe'>;

/** A function behind the API. */
interface ApiFunction {
  /** Lambda's time limit in seconds. */
  readonly timeout: number;
  /**
   * The setting of the deployment without which the function and its routes do not exist. The local service has all
   * functions.
   */
  readonly setting?: 'hasEvents';
}

/** The functions behind the API. */
export const FUNCTIONS = {
  tracking: { timeout: 10 },
  advocates: { timeout: 10 },
  referrals: { timeout: 10 },
  // A test delivery waits up to 15 seconds for the receiver.
  integrations: { timeout: 25, setting: 'hasEvents' },
} as const satisfies Record<string, ApiFunction>;

export type FunctionName = keyof typeof FUNCTIONS;

/** All routes, for stack, local gateway, documents and tests. A deprecated route follows its successor. */
export const ROUTES = {
  trackConversionV2: {
    method: 'POST',
    path: '/v2/tracking/conversion',
    function: 'tracking',
    access: { token: 'program', scope: 'track', publicKey: true },
    throttle: { rate: 200, burst: 400 },
  },
  setState: {
    method: 'POST',
    path: '/v2/tracking/state',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 200, burst: 400 },
  },
  reassignReferral: {
    method: 'POST',
    path: '/v2/tracking/reassign',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 50, burst: 100 },
  },
  eraseCustomer: {
    method: 'POST',
    path: '/v2/tracking/erase',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 50, burst: 100 },
  },
  trackClick: {
    method: 'POST',
    path: '/v2/tracking/click',
    function: 'tracking',
    access: 'anyone',
    plainText: true,
    throttle: { rate: 200, burst: 400 },
    throttleSetting: 'clicksPerSecond',
  },
  ...LEDGER_WRITE_ROUTES,
  receiveStripeEvent: {
    method: 'POST',
    path: '/v2/integrations/stripe/{program}',
    function: 'tracking',
    access: 'stripe',
    throttle: { rate: 100, burst: 200 },
  },
  getScript: {
    method: 'GET',
    path: '/gr.js',
    function: 'tracking',
    access: 'anyone',
    head: true,
    throttle: { rate: 1000, burst: 2000 },
  },
  ...PAGE_ROUTES,
  ...PROGRAM_ROUTES,
  listAdvocatesV2: {
    method: 'GET',
    path: '/v2/advocates',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  createAdvocate: {
    method: 'POST',
    path: '/v2/advocates',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 50, burst: 100 },
  },
  getAdvocate: {
    method: 'GET',
    path: '/v2/advocates/{slug}',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 100, burst: 200 },
  },
  updateAdvocate: {
    method: 'PATCH',
    path: '/v2/advocates/{slug}',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 50, burst: 100 },
  },
  eraseAdvocate: {
    method: 'POST',
    path: '/v2/advocates/{slug}/erase',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    ignoresBody: true,
    throttle: { rate: 50, burst: 100 },
  },
  createAdvocateToken: {
    method: 'POST',
    path: '/v2/advocates/{slug}/tokens',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    optionalBody: true,
    throttle: { rate: 100, burst: 200 },
  },
  revokeAdvocateTokens: {
    method: 'DELETE',
    path: '/v2/advocates/{slug}/tokens',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 50, burst: 100 },
  },
  getAffiliate: {
    method: 'GET',
    path: '/v2/affiliate',
    function: 'advocates',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
  listAdvocates: {
    method: 'GET',
    path: '/v1/advocates',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  ...INTEGRATION_ROUTES,
  listReferralsV2: {
    method: 'GET',
    path: '/v2/referrals',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 100, burst: 200 },
  },
  lookUpReferral: {
    method: 'POST',
    path: '/v2/referrals/lookup',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 200, burst: 400 },
  },
  countReferrals: {
    method: 'GET',
    path: '/v2/referrals/counts',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 20, burst: 40 },
  },
  countOwnReferrals: {
    method: 'GET',
    path: '/v2/affiliate/referrals/counts',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 20, burst: 40 },
  },
  getStatistics: {
    method: 'GET',
    path: '/v2/statistics',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  getOwnStatistics: {
    method: 'GET',
    path: '/v2/affiliate/statistics',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
  listAdvocateStatistics: {
    method: 'GET',
    path: '/v2/statistics/advocates',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 10, burst: 20 },
  },
  ...LEDGER_READ_ROUTES,
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
    access: { token: 'program', scope: 'track' },
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

/** The route key of API Gateway, such as `GET /v2/advocates/{slug}`. */
export function routeKey(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** The methods of a route. */
export function methodsOf({ method, head }: Route): readonly (Route['method'] | 'HEAD')[] {
  return head ? [method, 'HEAD'] : [method];
}

/** The route keys of API Gateway for all methods of a route. */
export function routeKeys(route: Route): readonly string[] {
  return methodsOf(route).map((method) => `${method} ${route.path}`);
}

/** The CORS rules (docs/contract.md, CORS). The deployer may restrict the origins. */
export const CORS = {
  methods: ['GET', 'POST', 'PATCH', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key'],
  responseHeaders: [
    'link',
    'x-request-id',
    'x-error-code',
    'x-click',
    'x-warning',
    'idempotent-replayed',
    'retry-after',
  ],
  /** How long browsers may cache a preflight response, in seconds. */
  maxAge: 3600,
} as const;
