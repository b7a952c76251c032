import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';
import { createGateway, listen, type PageRequest } from '../../../bin/local/gateway.ts';
import { requestLog } from '../../../bin/local/request-log.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../../functions/kernel/http/context.ts';
import { CORS } from '../../../functions/kernel/http/route.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { type OperationId, ROUTES } from '../../../functions/routes.ts';
import { useGateway } from '../../support/drivers.ts';

const OPERATIONS = Object.keys(ROUTES) as OperationId[];
let events: HttpEvent[];
let pageRequests: PageRequest[];
beforeEach(() => {
  events = [];
  pageRequests = [];
});
const record = async (event: HttpEvent) => {
  events.push(event);
  if (event.rawQueryString === 'throw') throw new Error('on purpose');
  return { statusCode: 200, body: 'ö', headers: { 'content-type': 'text/plain' } };
};
const pages = async (pageRequest: PageRequest) => {
  pageRequests.push(pageRequest);
  return pageRequest.path === '/page' ? { statusCode: 201, body: 'a page' } : undefined;
};
const all = (handler: HttpHandler) => {
  return { tracking: handler, advocates: handler, referrals: handler, integrations: handler, people: handler };
};
const { url } = useGateway(all(record), pages);
const post = (init: RequestInit) => fetch(`${url()}/v1/tracking/conversion`, { method: 'POST', ...init });

describe('the local gateway', () => {
  test.each(OPERATIONS)('the gateway sends %s to its function as an event in payload format 2.0', async (operation) => {
    const { method, path } = ROUTES[operation];
    const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
    const target = path.replace(`{${parameter}}`, 'Jane%2D%255FDoe');
    await fetch(`${url()}${target}?a=1&a=2&b=%20`, {
      method,
      headers: { cookie: 'x=1; y=2', 'x-twice': 'one' },
      ...(method !== 'GET' && { body: '{}' }),
    });
    const [event] = events;
    const rawPath = decodeURIComponent(target);
    const { host } = new URL(url());
    expect(event).toEqual({
      version: '2.0',
      routeKey: `${method} ${path}`,
      rawPath,
      rawQueryString: 'a=1&a=2&b=%20',
      cookies: ['x=1', 'y=2'],
      headers: expect.objectContaining({ host, 'x-twice': 'one', 'x-forwarded-for': '127.0.0.1' }),
      queryStringParameters: { a: '1,2', b: ' ' },
      pathParameters: parameter === '' ? undefined : { [parameter]: 'Jane-%5FDoe' },
      requestContext: {
        accountId: expect.stringMatching(/^\d{12}$/),
        apiId: 'local',
        domainName: host,
        domainPrefix: '127',
        http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'node' },
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
        routeKey: `${method} ${path}`,
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      body: method === 'GET' ? undefined : expect.stringMatching(/^(?:\{\}|e30=)$/),
      isBase64Encoded: expect.any(Boolean),
    });
    expect(Object.values(event?.headers ?? {}).every((value) => typeof value === 'string')).toBe(true);
    expect(event?.headers['cookie']).toBeUndefined();
  });

  test('the gateway sends text to the function unchanged, and other bodies in base64', async () => {
    await post({ headers: { 'content-type': 'application/json' }, body: '{"ö":1}' });
    await post({ headers: { 'content-type': 'application/octet-stream' }, body: 'x' });
    await post({ headers: { 'content-type': 'application/json' }, body: new Uint8Array([0xff]) });
    await post({});
    expect(events.map(({ body, isBase64Encoded }) => [body, isBase64Encoded])).toEqual([
      ['{"ö":1}', false],
      ['eA==', true],
      ['/w==', true],
      [undefined, false],
    ]);
  });

  test('the gateway returns the errors of API Gateway: 404 for an unknown route, 500 if a function throws', async () => {
    const responses = await Promise.all(
      ['/', '/v1/advocates/', '/v1/tracking/conversion', '/V1/advocates', '/v1/advocates?throw'].map(async (path) => {
        const response = await fetch(`${url()}${path}`);
        return [response.status, await response.json()];
      }),
    );
    const notFound = [404, { message: 'Not Found' }];
    expect(responses).toEqual([notFound, notFound, notFound, notFound, [500, { message: 'Internal Server Error' }]]);
  });

  test('the gateway sends requests for other paths to the pages, whose responses other origins cannot read', async () => {
    const headers = { 'x-header': 'x', origin: 'https://shop.example' };
    const response = await fetch(`${url()}/page?a=1?b`, { method: 'POST', headers, body: 'ö' });
    expect([response.status, await response.text()]).toEqual([201, 'a page']);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const [path, search, port] = ['/page', '?a=1?b', Number(new URL(url()).port)];
    expect(pageRequests).toMatchObject([{ method: 'POST', path, search, headers, body: Buffer.from('ö'), port }]);
  });

  test('the gateway lets pages of any origin call the API, without credentials', async () => {
    const origin = 'https://shop.example';
    const preflight = await fetch(`${url()}/v1/advocates`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe(CORS.requestHeaders.join(','));
    const response = await fetch(`${url()}/v1/advocates`, { headers: { origin } });
    for (const { headers } of [preflight, response]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect(response.headers.get('access-control-expose-headers')).toBe(CORS.responseHeaders.join(','));
  });
});

const port = () => new URL(url()).port;

/** Sends lines as a request, unchanged. Resolves to the status and the body, or to "closed" if there is no response. */
async function send(...lines: string[]): Promise<string> {
  const socket = connect(Number(port()), '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  await once(socket, 'close');
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return `${head.split(' ')[1] ?? 'closed'} ${body}`.trim();
}

const get = (host: string) => send('GET /v1/advocates HTTP/1.1', `Host: ${host}`);
const BAD_REQUEST = '400 {"message":"Bad Request"}';

describe('the Host header', () => {
  test.each([
    ['localhost:3000', 'localhost:3000'],
    ['API.Example.com', 'api.example.com'],
    ['api.example.com:80', 'api.example.com'],
    ['[::1]:3000', '[::1]:3000'],
  ])('the Host header %s is part of the event', async (host, domainName) => {
    expect(await get(host)).toMatch(/^200/);
    expect(events[0]?.headers['host']).toBe(domainName);
    expect(events[0]?.requestContext.domainName).toBe(domainName);
  });

  test.each(['a>; rel="x", <http://evil', 'a\\b', 'a"b', 'a:b', 'a:65536', '[::g]', 'a\tb', '%zz', '', 'a\r\nHost: a'])(
    'the Host header %j returns 400',
    async (host) => {
      expect(await get(host)).toBe(BAD_REQUEST);
      expect(events).toEqual([]);
    },
  );
});

describe('request targets', () => {
  test.each(['http://a.test/v1/advocates', '*'])('the target %s returns 400', async (target) => {
    expect(await send(`GET ${target} HTTP/1.1`, 'Host: a.test')).toBe(BAD_REQUEST);
    expect(events).toEqual([]);
  });

  test.each(['//evil.test/v1/advocates', '/v1/advocates#b', '/%zz'])(
    'the target %s is not resolved',
    async (target) => {
      expect(await send(`GET ${target} HTTP/1.1`, 'Host: a.test')).toBe('404 {"message":"Not Found"}');
      expect(events).toEqual([]);
    },
  );
});

const agent = new Agent({ keepAlive: true });
const held: ServerResponse[] = [];
/** A server that holds back its responses until the test sends them. */
const server = createServer((_, response) => {
  held.push(response);
});
afterEach(() => {
  held.length = 0;
  server.closeAllConnections();
  server.close();
});

test('the server completes a pending request, then closes its connection, although the caller would reuse it', async () => {
  const close = await listen(server, 0);
  const received = once(server, 'request');
  const outgoing = request({ host: '127.0.0.1', port: portOf(server), agent });
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end();
  await received;
  const closed = close();
  held[0]?.end('all of it');
  const [response] = await responded;
  expect(await text(response)).toBe('all of it');
  await closed;
  expect(server.listening).toBe(false);
});

const NOW = '2026-11-24T03:30:12.345Z';
const TOKEN = 'rtp_0123456789';
let lines: string[];
let errors: string[];
let result: HttpResult;
beforeEach(() => {
  [lines, errors] = [[], []];
});
let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** Starts a gateway whose functions return `result`. Returns its URL. */
async function serve(isEnabled: boolean): Promise<string> {
  const output = { log: (line: string) => lines.push(line), error: (line: string) => errors.push(line) };
  const functions = all(async () => result);
  const log = requestLog(isEnabled, () => milliseconds(Date.parse(NOW)), output);
  const logging = createGateway(functions, async () => undefined, log).listen(0, '127.0.0.1');
  stop = () => {
    logging.closeAllConnections();
    logging.close();
  };
  await once(logging, 'listening');
  return `http://127.0.0.1:${portOf(logging)}`;
}

test.each([
  ['POST', '/v2/payments', 'POST /v2/payments 201'],
  ['GET', `/v2/advocates?email_eq=ana@shop.example&token=${TOKEN}`, 'GET /v2/advocates 201'],
  ['GET', '/v2/advocates/ana@shop.example', 'GET /v2/advocates/… 201'],
])('the log of requests has one line for %s %s', async (method, target, expected) => {
  result = { statusCode: 201 };
  const logging = await serve(true);
  await fetch(`${logging}${target}`, { method, headers: { authorization: `Bearer ${TOKEN}` } });
  expect(lines).toEqual([expect.stringMatching(/ \d+ ms$/)]);
  expect(lines.join().replace(/ \d+ ms$/, '')).toBe(`${NOW} ${expected}`);
  expect(errors).toEqual([]);
});

test.each([
  [400, {}, { 'x-error-code': 'invalid_signature' }, ['400 invalid_signature']],
  [200, { ignored: 'wrong_mode' }, {}, ['wrong_mode']],
  [200, { ignored: 'stale', entry: 'id' }, {}, []],
  [200, { ignored: 'duplicate' }, {}, []],
])(
  'a response of status %d with %j to an event of Stripe with %j prints %j',
  async (statusCode, body, headers, codes) => {
    result = { statusCode, headers, body: JSON.stringify(body) };
    const logging = await serve(false);
    await fetch(`${logging}/v2/integrations/stripe/019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071`, {
      method: 'POST',
      body: '{}',
    });
    const sentence = (code: string) => `An event of Stripe changed nothing: ${code}. docs/payments.md says what to do.`;
    expect([lines, errors]).toEqual([[], codes.map(sentence)]);
  },
);
