import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeRenewal, faultsOf } from '../../../bin/admin/doctor/page/steps.ts';
import { reportText, runSteps } from '../../../bin/admin/doctor/run.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { renewCookie } from '../../../client/src/client.ts';
import { systemClock } from '../../../functions/domain/time.ts';

let respond: RequestListener;
const server = createServer((request, response) => respond(request, response));
let port: number;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = portOf(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const check = (host = '127.0.0.1') =>
  describeRenewal(new URL(`http://${host}:${port}/`), { clock: systemClock, random: randomBytes });

/** Lets the page set cookies. `change` gets the cookie that the client would set. */
function setting(change: (cookie: string) => string | string[]) {
  respond = ({ headers }, response) => response.setHeader('set-cookie', change(renewCookie(headers) ?? '')).end();
}

const RENEWS = 'the server renews gr_id, which Safari would otherwise delete after 7 days';

test('a page whose server renews the cookie with the client is reported', async () => {
  setting((cookie) => cookie);
  expect(await check()).toBe(RENEWS);
});

test('a page whose server also sets other cookies, and writes attributes in another way, is reported', async () => {
  setting((cookie) => [
    'session=1; HttpOnly',
    cookie.replace(/; Max-Age=\d+/, '; expires=Fri, 31 Dec 2100 23:59:59 GMT').replace('Path', 'path'),
  ]);
  expect(await check()).toBe(RENEWS);
});

test('a page whose server renews the cookie for the domain of the page is reported', async () => {
  setting((cookie) => `${cookie}; Domain=.LocalHost`);
  expect(await check('localhost')).toBe(RENEWS);
});

test.each<[string, RequestListener]>([
  ['sets no cookie', (_, response) => response.end()],
  ['sets other cookies', (_, response) => response.setHeader('set-cookie', ['session=1', 'gr_id2=jane']).end()],
])('a page whose server %s is reported with advice', async (_, listener) => {
  respond = listener;
  expect(await check()).toEqual({
    what: 'the server does not renew gr_id, which Safari deletes after 7 days without a visit',
    advice: 'Set the cookie again on your server: docs/script.md, "The cookie in Safari".',
  });
});

describe('cookies that differ from the cookie of the script', () => {
  test.each<[string, (cookie: string) => string | string[]]>([
    ['the unchanged value', (cookie) => cookie.replace(/gr_id=[^;]*/, 'gr_id=eyJpdiI6')],
    ['the unchanged value', (cookie) => cookie.replace(/gr_id=([^;]*)/, 'gr_id="$1"')],
    ['no HttpOnly, because the script reads it', (cookie) => `${cookie}; HttpOnly`],
    ['Path=/', (cookie) => cookie.replace('Path=/', 'Path=/shop')],
    ['a Domain that contains 127.0.0.1', (cookie) => `${cookie}; Domain=shop.example`],
    ['SameSite=Lax', (cookie) => cookie.replace('SameSite=Lax', 'SameSite=None')],
    ['Max-Age', (cookie) => cookie.replace(/; Max-Age=\d+/, '')],
    ['Path=/, SameSite=Lax, Max-Age', (cookie) => cookie.replace(/;.*/, '')],
    ['Path=/', (cookie) => [cookie, cookie.replace('Path=/', 'Path=/shop')]],
  ])('the advice names what the cookie needs: %s', async (needs, change) => {
    setting(change);
    expect(await check()).toEqual({
      what: 'the server sets gr_id, but not as the script does',
      advice: `Set it with ${needs}: docs/script.md, "The cookie in Safari".`,
    });
  });
});

test('the cookie of a page over https needs Secure', () => {
  const url = new URL('https://www.shop.example/');
  const cookie = 'gr_id=a; Path=/; Domain=shop.example; Max-Age=1; SameSite=Lax';
  expect(faultsOf(cookie, 'a', url)).toEqual(['Secure']);
  expect(faultsOf(`${cookie}; secure`, 'a', url)).toEqual([]);
});

test('a step with advice passes, and its report has the mark "!" and the advice below', async () => {
  respond = (_, response) => response.end();
  const step = { name: 'cookie renewal', run: () => check() };
  const [report] = await runSteps([step], systemClock, new AbortController().signal, () => undefined);
  expect(report?.outcome).toBe('passed');
  expect(report && reportText(report)).toMatch(
    /^! cookie renewal +the server does not .* ms\)\n {4}Set the cookie .*\n$/,
  );
});
