import type { Scope } from '../accounts/rules/token.ts';

/** Parameter Store accepts 3 writes a second by default (https://docs.aws.amazon.com/general/latest/gr/ssm.html). */
export const SECRET_WRITES = { rate: 2, burst: 4 } as const;

/** A route of the HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces, such as `/v2/advocates/{slug}`. */
  readonly path: `/${string}`;
  /** The Lambda function that serves the route: the name of its file in `functions/api` and `functions/lambdas`. */
  readonly function: FunctionName;
  readonly access: Access;
  /** The route also has HEAD: the response to GET, whose body the HTTP server leaves out (RFC 9110 section 9.3.2). */
  readonly head?: true;
  /** The body may be JSON sent as `text/plain`, for which browsers send no preflight request. */
  readonly plainText?: true;
  /** A request without a body has the same effect as an empty JSON object. */
  readonly optionalBody?: true;
  /** The body may have 96 KiB instead of 16: it contains a picture, or a list of long texts. */
  readonly largeBody?: true;
  /** The body is not read: the path says everything. */
  readonly ignoresBody?: true;
  /** API Gateway's limits for all callers together: requests per second, and the largest burst of requests. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** The setting with which the deployer replaces the throttle's rate; the burst is twice the rate. */
  readonly throttleSetting?: 'clicksPerSecond';
  /** The setting of the deployment without which the route does not exist, if its function does. */
  readonly setting?: 'hasEmails';
  /** Sent with every response: the time of the deprecation (Unix seconds, RFC 9745) and the path to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: `/${string}` };
}

/**
 * The token that a route requires, and the scope of a program token. `orScope` also admits, and the handler checks which
 * fields it may set. With `publicKey`, pages of the program's allowed origins may send the program's
 * public key in the body instead. `any`: a token of any kind; `session`: one from a sign-in. `stripe`: the body is signed with a secret of
 * the program in the path.
 */
export type Access = TokenAccess | 'anyone' | 'stripe';

type TokenAccess =
  | { readonly token: 'program'; readonly scope: Scope; readonly orScope?: Scope; readonly publicKey?: true }
  | {
      readonly token: 'affiliate' | 'session' | 'any';
      readonly scope?: never;
      readonly orScope?: never;
      readonly publicKey?: never;
    };

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
  readonly setting?: 'hasEvents' | 'hasEmails';
}

/** The functions behind the API. */
export const FUNCTIONS = {
  tracking: { timeout: 10 },
  advocates: { timeout: 10 },
  referrals: { timeout: 10 },
  // A test delivery waits up to 15 seconds for the receiver.
  integrations: { timeout: 25, setting: 'hasEvents' },
  people: { timeout: 10, setting: 'hasEmails' },
} as const satisfies Record<string, ApiFunction>;

export type FunctionName = keyof typeof FUNCTIONS;

/** The setting of the deployment without which a route does not exist; `undefined` if it always exists. */
export function settingOf({ setting, function: name }: Route): ApiFunction['setting'] {
  const ofFunction: ApiFunction = FUNCTIONS[name];
  return setting ?? ofFunction.setting;
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
  requestHeaders: [
    'authorization',
    'content-type',
    'idempotency-key',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
  ],
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
