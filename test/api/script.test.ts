import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { contextOf } from '../../bin/local/event.ts';
import { functionsOf } from '../../bin/local/functions.ts';
import { SCRIPT } from '../../functions/tracking/script.js';
import { DRIVERS, eventFor, type Reply } from '../support/drivers.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const GZIP = { 'accept-encoding': 'gzip, deflate, br' };
const PLAIN = { 'accept-encoding': 'identity' };

describe.each(DRIVERS)('GET /gr.js through %s', (_, drive) => {
  const send = drive(table);
  const ask = (headers: Record<string, string>) => send({ operation: 'getScript', headers });
  const cachingOf = ({ headers }: Reply) => [headers['cache-control'], headers['vary'], headers['etag']];

  test('is the script, cached for a day and revalidated for a week, for pages of any site', async () => {
    const { status, headers, text } = await ask(PLAIN);
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

  test('is the same compressed, under the same tag', async () => {
    const plain = await ask(PLAIN);
    const compressed = await ask(GZIP);
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect([compressed.status, compressed.text]).toEqual([200, plain.text]);
    expect(cachingOf(compressed)).toEqual(cachingOf(plain));
  });

  test.each([
    ['gzip', true],
    ['GZIP', true],
    ['br, gzip;q=0.5', true],
    ['gzip;q=1.0', true],
    ['gzip;q=0', false],
    ['gzip; q=0.0, br', false],
    ['br', false],
    ['xgzip2', false],
    ['', false],
  ])('to a caller that takes %j is compressed: %p', async (accepted, isCompressed) => {
    const { headers } = await ask({ 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
  });

  test('is a 304 without a body for who has it already', async () => {
    const first = await ask(GZIP);
    const tag = first.headers['etag'] ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await ask({ ...GZIP, 'if-none-match': known });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(cachingOf(again)).toEqual(cachingOf(first));
    }
  });

  test.each(['"other"', 'W/"other"', '', '"'])('is sent to who has %j', async (known) => {
    expect((await ask({ ...PLAIN, 'if-none-match': known })).status).toBe(200);
  });

  test('takes no token, no bot’s word and no cookie', async () => {
    const { status } = await ask({ ...PLAIN, authorization: 'Bearer x', 'user-agent': 'curl/8.5.0' });
    expect(status).toBe(200);
  });
});

test('API Gateway gets the compressed script in base64, 2 KB at most', async () => {
  const event = eventFor({ operation: 'getScript', headers: GZIP });
  const { body = '', isBase64Encoded } = await functionsOf(table.connection).tracking(event, contextOf('tracking'));
  expect(isBase64Encoded).toBe(true);
  const bytes = Buffer.from(body, 'base64');
  expect(bytes.length).toBeLessThanOrEqual(2048);
  expect(gunzipSync(bytes).toString()).toBe(SCRIPT);
});
