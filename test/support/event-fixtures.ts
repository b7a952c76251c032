import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import type { ApiRequest } from './drivers.ts';

const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
const PARAMETERS = {
  slug: 'jane-doe',
  id: ID,
  program: '019b7c01-0c00-7a4d-8b3f-2c6d9e105a01',
  run: '2026-10',
  code: 'JANE20',
  name: 'partners',
  rules_id: '0123456789abcdef',
  application: ID,
  pk: `pk_${'0'.repeat(32)}`,
  value: `${'0'.repeat(32)}.jane-doe.${'A'.repeat(22)}`,
};

type Headers = Readonly<Record<string, string>>;

const SERVER: Headers = { accept: '*/*', 'user-agent': 'curl/8.5.0' };
const STRIPE: Headers = {
  ...{ accept: '*/*', 'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' },
  'stripe-signature': `t=1795201438,v1=${'0'.repeat(64)}`,
};
/** What a browser sends for a resource of a kind. */
const browser = (dest: string, mode: string, site: string): Headers => ({
  accept: mode === 'navigate' ? 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' : '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  ...(site === 'cross-site' && { referer: 'https://www.example.com/' }),
  'sec-ch-ua': '"Chromium";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-dest': dest,
  'sec-fetch-mode': mode,
  'sec-fetch-site': site,
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
});
const SCRIPT = browser('script', 'no-cors', 'cross-site');

/** The headers of the usual callers of operations that servers do not call. */
const CALLERS: Partial<Record<OperationId, Headers>> = {
  trackClick: {
    ...browser('empty', 'cors', 'cross-site'),
    ...{ 'content-type': 'text/plain;charset=UTF-8', origin: 'https://www.example.com', priority: 'u=4, i' },
  },
  receiveStripeEvent: { ...STRIPE, 'content-type': 'application/json; charset=utf-8' },
  getScript: SCRIPT,
  getPortalScript: SCRIPT,
  getPortal: browser('iframe', 'navigate', 'cross-site'),
  getDashboard: browser('document', 'navigate', 'none'),
  getAccount: browser('document', 'navigate', 'none'),
  showUnsubscribe: browser('document', 'navigate', 'none'),
};

/**
 * API Gateway's event of an operation from its usual caller, in payload format 2.0, without a token, a query and a body
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html).
 */
export function eventFixture(operation: OperationId): APIGatewayProxyEventV2 {
  const { method, path } = ROUTES[operation];
  const routeKey = `${method} ${path}`;
  const parameters = Object.entries(PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
  const rawPath = parameters.reduce<string>((before, [name, value]) => before.replace(`{${name}}`, value), path);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const caller = CALLERS[operation] ?? { ...SERVER, ...(hasBody && { 'content-type': 'application/json' }) };
  const sourceIp = '203.0.113.7';
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: '',
    headers: {
      ...caller,
      host: 'api.example.com',
      'x-amzn-trace-id': 'Root=1-691f9a2b-3c4d5e6f708192a3b4c5d6e7',
      'x-forwarded-for': sourceIp,
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: caller['user-agent'] ?? '' },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey,
      stage: '$default',
      time: '20/Nov/2026:19:03:58 +0000',
      timeEpoch: 1_795_201_438_000,
    },
    ...(parameters.length > 0 && { pathParameters: Object.fromEntries(parameters) }),
    isBase64Encoded: false,
  };
}

/** The event fixture of an operation with the path, query, body, token and headers of the request. */
export function eventFor(request: ApiRequest): APIGatewayProxyEventV2 {
  const { headers, ...event } = eventFixture(request.operation);
  const body = bodyOf(request);
  const pathParameters = pathParametersOf(request);
  return {
    ...event,
    rawPath: pathOf(request),
    rawQueryString: request.query ?? '',
    ...(pathParameters && { pathParameters }),
    headers: { ...headers, ...authorizationOf(request), ...request.headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : body.toString('base64') }),
    isBase64Encoded: Buffer.isBuffer(body),
  };
}

export function pathOf(request: ApiRequest): string {
  return Object.entries(pathParametersOf(request) ?? {}).reduce<string>(
    (path, [name, value]) => path.replace(`{${name}}`, encodeURIComponent(value)),
    ROUTES[request.operation].path,
  );
}

/** The parameters of the request, or else of the event fixture. */
function pathParametersOf(request: ApiRequest): Record<string, string> | undefined {
  const own = eventFixture(request.operation).pathParameters;
  const given: Partial<Record<string, string>> = {
    ...{ slug: request.slug, id: request.id, program: request.program, run: request.run },
    ...{ code: request.code, name: request.name, rules_id: request.rulesId, value: request.value },
    ...{ application: request.application, pk: request.pk },
  };
  return own && Object.fromEntries(Object.entries(own).map(([name, value]) => [name, given[name] ?? value ?? '']));
}

export function authorizationOf({ token }: ApiRequest): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

export function bodyOf({ body }: ApiRequest): string | Buffer<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? Buffer.from(body) : JSON.stringify(body);
}
