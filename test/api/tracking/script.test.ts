import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { SCRIPT } from '../../../functions/tracking/script.js';
import { ALL_DRIVERS, type ApiResponse, eventFor, NO_SECRETS, partsOf } from '../../support/drivers.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const GZIP = { 'accept-encoding': 'gzip, deflate' };
const PLAIN = { 'accept-encoding': 'identity' };

describe.each(ALL_DRIVERS)('GET /gr.js through %s', (_, connect) => {
  const send = connect(table);
  const load = (headers: Record<string, string>) => send({ operation: 'getScript', headers });
  const cachingOf = ({ headers }: ApiResponse) => [headers['cache-control'], headers['vary'], headers['etag']];

  test('the script is returned to pages of any site, cached for a day and revalidated for a week', async () => {
    const { status, headers, text } = await load(PLAIN);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(text).toBe(SCRIPT);
  });

  test('the compressed script is the same, with the same ETag', async () => {
    const plain = await load(PLAIN);
    const compressed = await load(GZIP);
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect([compressed.status, compressed.text]).toEqual([200, plain.text]);
    expect(cachingOf(compressed)).toEqual(cachingOf(plain));
  });

  test.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip; q=0.0, br', 'br'],
    ['gzip;q=0', undefined],
    ['xgzip2', undefined],
    ['', undefined],
  ])('the script for the header Accept-Encoding %j has the content coding %p', async (accepted, coding) => {
    const { headers } = await load({ 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
  });

  test('a caller with the current version gets 304 without a body', async () => {
    const first = await load(GZIP);
    const tag = first.headers['etag'] ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await load({ ...GZIP, 'if-none-match': known });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(cachingOf(again)).toEqual(cachingOf(first));
    }
  });

  test.each(['"other"', 'W/"other"', '', '"'])('the script is returned if If-None-Match is %j', async (known) => {
    expect((await load({ ...PLAIN, 'if-none-match': known })).status).toBe(200);
  });

  test('the token and the user agent are ignored', async () => {
    const { status } = await load({ ...PLAIN, authorization: 'Bearer x', 'user-agent': 'curl/8.5.0' });
    expect(status).toBe(200);
  });
});

test('the function returns the compressed script in base64, at most 2,300 bytes', async () => {
  const event = eventFor({ operation: 'getScript', headers: GZIP });
  const { body = '', isBase64Encoded } = await functionsOf(table.connection, partsOf(NO_SECRETS)).tracking(
    event,
    contextOf('tracking'),
  );
  expect(isBase64Encoded).toBe(true);
  const bytes = Buffer.from(body, 'base64');
  expect(bytes.length).toBeLessThanOrEqual(2300);
  expect(gunzipSync(bytes).toString()).toBe(SCRIPT);
});
