import { request } from 'node:http';
import { APIGatewayProxyEventV2Schema } from '@aws-lambda-powertools/parser/schemas';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PageRequest } from '../../../bin/local/gateway.ts';
import type { HttpEvent } from '../../../functions/http/context.ts';
import { CORS, type OperationId, ROUTES } from '../../../functions/routes.ts';
import { eventFor, useGateway } from '../../support/drivers.ts';

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
const { url } = useGateway({ tracking: record, advocates: record, referrals: record, integrations: record }, pages);
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
    expect(APIGatewayProxyEventV2Schema.safeParse(event).error).toBeUndefined();
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: `${method} ${path}`,
      rawPath: decodeURIComponent(target),
      requestContext: { http: { path: decodeURIComponent(target) } },
      rawQueryString: 'a=1&a=2&b=%20',
      queryStringParameters: { a: '1,2', b: ' ' },
      cookies: ['x=1', 'y=2'],
    });
    expect(event?.pathParameters).toEqual(parameter === '' ? undefined : { [parameter]: 'Jane-%5FDoe' });
    expect(event?.headers['cookie']).toBeUndefined();
  });

  test.each(OPERATIONS)('the gateway has the same payload format as the event fixture of %s', (operation) => {
    const { error, data } = APIGatewayProxyEventV2Schema.safeParse(eventFor({ operation }));
    expect(error).toBeUndefined();
    expect(data?.routeKey).toBe(`${ROUTES[operation].method} ${ROUTES[operation].path}`);
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

  test('the gateway returns the response of the function', async () => {
    const response = await fetch(`${url()}/v1/advocates`);
    expect([response.status, response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
      200,
      'text/plain',
      '2',
    ]);
    expect(await response.text()).toBe('ö');
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

  test('the gateway sends requests for other paths to the pages', async () => {
    const response = await fetch(`${url()}/page?a=1?b`, {
      method: 'POST',
      headers: { 'x-header': 'x' },
      body: 'ö',
    });
    expect([response.status, await response.text()]).toEqual([201, 'a page']);
    expect(pageRequests).toMatchObject([
      {
        method: 'POST',
        path: '/page',
        search: '?a=1?b',
        headers: { 'x-header': 'x' },
        body: Buffer.from('ö'),
      },
    ]);
    expect(pageRequests[0]?.port).toBe(Number(new URL(url()).port));
    await fetch(`${url()}/v1/advocates`);
    expect(pageRequests).toHaveLength(1);
  });

  test('the gateway returns 413 for a body over 10 MB', async () => {
    const response = await post({ body: new Uint8Array(10 * 1024 * 1024 + 1) });
    expect([response.status, await response.json(), events]).toEqual([
      413,
      { message: 'Request Entity Too Large' },
      [],
    ]);
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

  test.each([
    ['no Origin', {}],
    ['only Origin', { origin: 'https://shop.example' }],
    ['no Origin, but the method', { 'access-control-request-method': 'GET' }],
  ])('the gateway returns 204 without CORS headers to OPTIONS with %s', async (_, headers) => {
    for (const path of ['/v1/advocates', '/page', '/unknown']) {
      const response = await fetch(`${url()}${path}`, { method: 'OPTIONS', headers });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect([...events, ...pageRequests]).toEqual([]);
  });

  test('the gateway returns its own pages, which may contain tokens, without CORS headers', async () => {
    const response = await fetch(`${url()}/page`, { headers: { origin: 'https://shop.example' } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([201, null]);
  });

  test('the gateway survives a caller that disconnects while it sends the body', async () => {
    const sent = request(`${url()}/v1/tracking/conversion`, {
      method: 'POST',
      headers: { 'content-length': '100' },
    });
    await new Promise<void>((resolve) => {
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
      sent.write('{', () => sent.destroy());
    });
    expect((await fetch(`${url()}/v1/advocates`)).status).toBe(200);
  });
});
