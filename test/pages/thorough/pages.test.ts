import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { buildPage } from '../../../bin/service/web-pages.ts';
import { serviceOn } from '../../../functions/kernel/accounts/table/callers.ts';
import { fileHandlers } from '../../../functions/pages/http/handlers.ts';
import { PAGE_FILES, type PageFile } from '../../../functions/pages/http/static-file.ts';
import { SCRIPT } from '../../../functions/pages/script.js';
import { documentText } from '../../support/documents/documents.ts';
import { ALL_DRIVERS, type ApiResponse, NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { eventFor } from '../../support/event-fixtures.ts';
import { PAGE_BYTES } from '../../support/page-budgets.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const GZIP = { 'accept-encoding': 'gzip, deflate' };
const PLAIN = { 'accept-encoding': 'identity' };
const POLICY =
  /^default-src 'none'; script-src '(sha256-\S{44})'; style-src '(sha256-\S{44})'; connect-src 'self'; img-src data: 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ([^;]+); require-trusted-types-for 'script'; trusted-types 'none'$/;
const hashOf = (text: string | undefined) =>
  `sha256-${createHash('sha256')
    .update(text ?? '')
    .digest('base64')}`;

const FILES = ['getScript', 'getPortal', 'getPortalScript', 'getDashboard', 'getLlmsText'] as const;

describe.each(ALL_DRIVERS)('through %s', (_, connect) => {
  const send = connect(table);

  test.each([
    ['getPortal', "'self' https: http://localhost:* http://127.0.0.1:*"],
    ['getDashboard', "'self'"],
  ] as const)(
    '%s returns one HTML file whose policy allows only its own script and styles',
    async (operation, frames) => {
      const { status, headers, text } = await send({ operation, headers: PLAIN });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache, stale-if-error=0',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        vary: 'accept-encoding',
        etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      });
      const [, script, style, ancestors] = POLICY.exec(headers['content-security-policy'] ?? '') ?? [];
      expect(ancestors).toBe(frames);
      expect(hashOf(/<script>(.*)<\/script>/s.exec(text)?.[1])).toBe(script);
      expect(hashOf(/<style>(.*)<\/style>/s.exec(text)?.[1])).toBe(style);
      const page = text.replace(/<script>.*<\/script>/s, '');
      expect(page.match(/<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?!data:)/g)).toBeNull();
    },
  );

  test('the script of the portal is cached and loaded like the tracking script', async () => {
    const [script, tracking] = [await send({ operation: 'getPortalScript' }), await send({ operation: 'getScript' })];
    for (const name of ['content-type', 'cache-control', 'vary', 'cross-origin-resource-policy']) {
      expect([name, script.headers[name]]).toEqual([name, tracking.headers[name]]);
    }
    expect(script.text).toContain('referral-portal');
  });

  test('the text for assistants is the llms.txt of the project, revalidated like the pages', async () => {
    const { status, headers, text } = await send({ operation: 'getLlmsText', headers: PLAIN });
    expect([status, text]).toEqual([200, documentText('llms.txt')]);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache, stale-if-error=0',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    });
  });

  test.each(FILES)('%s is compressed with the same ETag, and 304 for a caller that has it', async (operation) => {
    const plain = await send({ operation, headers: PLAIN });
    const compressed = await send({ operation, headers: GZIP });
    const cachingOf = ({ headers }: ApiResponse) => [headers['cache-control'], headers['vary'], headers['etag']];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect([compressed.text, cachingOf(compressed)]).toEqual([plain.text, cachingOf(plain)]);
    const tag = plain.headers['etag'] ?? '';
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await send({ operation, headers: { ...GZIP, 'if-none-match': known } });
      expect([again.status, again.text, cachingOf(again)]).toEqual([304, '', cachingOf(plain)]);
    }
    expect((await send({ operation, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('the tracking script is returned to pages of any site, cached for a day and revalidated for a week', async () => {
    const headers = { ...PLAIN, authorization: 'Bearer x', 'user-agent': 'curl/8.5.0' };
    const response = await send({ operation: 'getScript', headers });
    expect([response.status, response.text]).toEqual([200, SCRIPT]);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test.each([
    ['GZIP', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip; q=0.0, br', 'br'],
    ['gzip;q=0', undefined],
    ['xgzip2', undefined],
    ['', undefined],
  ])('the script for the header Accept-Encoding %j has the content coding %p', async (accepted, coding) => {
    const { headers } = await send({ operation: 'getScript', headers: { 'accept-encoding': accepted } });
    expect(headers['content-encoding']).toBe(coding);
  });
});

describe('HEAD', () => {
  const { url } = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
  const send = async (path: string, method: string, headers: Record<string, string>) => {
    const response = await fetch(`${url()}${path}`, { method, headers });
    const {
      date: _,
      'x-request-id': __,
      connection: ___,
      'keep-alive': ____,
      ...same
    } = Object.fromEntries(response.headers);
    return { status: response.status, headers: same, text: await response.text() };
  };

  test.each(['/gr.js', '/portal', '/account', '/portal.js', '/dashboard', '/llms.txt'])(
    'HEAD %s returns all of GET but the body',
    async (path) => {
      const etag = (await send(path, 'GET', {})).headers['etag'] ?? '';
      for (const headers of [PLAIN, { 'accept-encoding': 'br' }, { 'if-none-match': etag }]) {
        expect(await send(path, 'HEAD', headers)).toEqual({ ...(await send(path, 'GET', headers)), text: '' });
      }
    },
  );

  test('HEAD of any other route returns 404', async () => {
    expect((await send('/v2/advocates', 'HEAD', {})).status).toBe(404);
  });
});

test.each(PAGE_FILES)('the file of %s is small enough', async (name) => {
  const { text, compressed } = await buildPage(name);
  const bytes = Buffer.from(compressed['gzip'] ?? '', 'base64');
  expect(gunzipSync(bytes).toString()).toBe(text);
  expect(bytes.length).toBeLessThanOrEqual(PAGE_BYTES[name]);
});

test('a file is read at the first request for it, and again after a failure', async () => {
  const reads: PageFile[] = [];
  const file = JSON.stringify(await buildPage('portal-script'));
  const { getPortalScript } = fileHandlers(serviceOn(table.connection), async (name) => {
    reads.push(name);
    if (reads.length === 1) throw new Error('The file cannot be read.');
    return file;
  });
  const load = async () => {
    const { statusCode } = await getPortalScript(eventFor({ operation: 'getPortalScript' }), contextOf('tracking'));
    return statusCode;
  };
  using log = jest.spyOn(console, 'error').mockReturnValue();
  expect(reads).toEqual([]);
  expect([await load(), await load(), await load()]).toEqual([500, 200, 200]);
  expect(log.mock.calls).toEqual([[expect.objectContaining({ error: 'internal' })]]);
  expect(reads).toEqual(['portal-script', 'portal-script']);
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
