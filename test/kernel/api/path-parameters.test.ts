import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { CORS } from '../../../functions/kernel/http/route.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { aToken } from '../../support/program.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

// Over a socket: `fetch` normalizes paths before it sends them.
const { table, program, advocate } = await useProgram({}, { slug: 'jane_doe-1' });
const token = await aToken(table, program);
const { url } = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));

/** Sends a request with exactly this target. Resolves to its status and the error code, or the body without one. */
async function send(method: string, target: string, body = '', headers: readonly string[] = []): Promise<string> {
  const socket = connect(Number(new URL(url()).port), '127.0.0.1');
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: api.example.com',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const status = head.split(' ')[1] ?? 'closed';
  return `${status} ${/^x-error-code: (.*)$/im.exec(head)?.[1] ?? text}`.trim();
}

const ROUTES_OF_A_SLUG: [method: string, suffix: string, body: string][] = [
  ['GET', '', ''],
  ['PATCH', '', '{"first_name":"Ana"}'],
  ['POST', '/tokens', ''],
];
const NOT_FOUND = '404 {"message":"Not Found"}';
const UNKNOWN = '404 advocate_not_found';

const MALFORMED = [
  ...['%00', '%0d%0aX-Injected:%201', '%zz', '%', 'jane%255Fdoe-1', '%ff%fe', 'zo%C3%AB', '..', '{slug}', '+'],
  ...['%20jane_doe-1', 'jane_doe-1;v=1', '__proto__', 'x'.repeat(65), 'x'.repeat(10_240), '%78'.repeat(3000)],
];
const NOT_ONE_SEGMENT = ['', '/', 'jane_doe-1/', 'jane_doe-1/x', 'jane_doe-1%2F', '..%2Fjane_doe-1'];

describe.each(ROUTES_OF_A_SLUG)('%s /v2/advocates/{slug}%s', (method, suffix, body) => {
  const request = (segment: string) => send(method, `/v2/advocates/${segment}${suffix}`, body);

  test('a malformed slug is unknown', async () => {
    await expectUnchanged(table, async () => {
      for (const segment of MALFORMED) expect([segment, await request(segment)]).toEqual([segment, UNKNOWN]);
    });
  });

  test('a path with more or fewer segments is not a route', async () => {
    await expectUnchanged(table, async () => {
      for (const segment of NOT_ONE_SEGMENT) expect([segment, await request(segment)]).toEqual([segment, NOT_FOUND]);
    });
  });

  test.each(['jane_doe-1', 'JANE_DOE-1', 'jane%5Fdoe%2D1', '%6Aane_doe-1', 'jane_doe-1?=/y'])(
    'the slug %s identifies the advocate',
    async (segment) => {
      const [path = '', query] = segment.split('?');
      const target = `/v2/advocates/${path}${suffix}${query === undefined ? '' : `?${query}`}`;
      expect(await send(method, target, body)).toMatch(/^20[01] \{"data"/);
    },
  );

  test('a query does not replace the slug', async () => {
    expect(await send(method, `/v2/advocates/nobody${suffix}?slug=${advocate.slug}`, body)).toBe(
      method === 'GET' ? '400 invalid_field' : UNKNOWN,
    );
  });
});

test.each(['/v2/%61dvocates', '/v2%2Fadvocates', '/v2/advocates%2Fjane_doe-1'])(
  'the path %s is decoded before its route is looked up',
  async (target) => {
    expect(await send('GET', target)).toMatch(/^200 \{"data"/);
  },
);

test.each([
  ['PUT', '/v2/advocates/jane_doe-1'],
  ['DELETE', '/v2/advocates/jane_doe-1'],
  ['patch', '/v2/advocates/jane_doe-1'],
  ['PATCH', '/v2/advocates'],
  ['GET', '/v2/advocates/jane_doe-1/tokens'],
  ['DELETE', '/v2/tracking/erase'],
  ['GET', '/v2/referrals/counts/'],
  ['GET', '/V2/advocates'],
  ['GET', '/v2/%2561dvocates'],
  ['GET', '/v2/advocates%ff'],
])('%s %s changes nothing', async (method, target) => {
  // Node's own parser rejects a method in lower case.
  await expectUnchanged(table, async () => expect(await send(method, target)).toMatch(/^40[04]/));
});

describe('preflight requests', () => {
  test.each(['/v2/advocates/jane_doe-1', '/v2/advocates/%2F', '/v2/tracking/erase'])(
    'a preflight request of %s allows PATCH',
    async (path) => {
      const response = await fetch(`${url()}${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'PATCH' },
      });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET,POST,PATCH,OPTIONS');
      expect(response.headers.get('access-control-allow-headers')).toBe(CORS.requestHeaders.join(','));
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  test('the response to an update can be read by pages of any origin', async () => {
    const response = await fetch(`${url()}/v2/advocates/jane_doe-1`, {
      method: 'PATCH',
      headers: { origin: 'https://shop.example', authorization: `Bearer ${token}` },
      body: '{}',
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([415, '*']);
  });
});
