import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tagsOf } from '../../../bin/admin/doctor/page/embedding.ts';
import {
  allowsConnection,
  allowsInline,
  allowsScript,
  hashSource,
  type Policy,
  parsePolicies,
} from '../../../bin/admin/doctor/page/policy.ts';
import { describeRenewal, faultsOf } from '../../../bin/admin/doctor/page/steps.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { renewCookie } from '../../../client/src/client.ts';
import { systemClock } from '../../../functions/domain/time.ts';
import { codeBlocks } from '../../support/documents/documents.ts';

const PAGE = new URL('https://www.shop.example/sign-up');
const SCRIPT = new URL('https://api.example.com/stage/gr.js');
const policy = (text: string): Policy => parsePolicies(text)[0] ?? new Map();
const script = (text: string, nonce?: string, url = SCRIPT) => allowsScript(policy(text), url, PAGE, nonce);

test.each([
  ['', true],
  ["default-src 'none'", false],
  ["script-src 'self'", false],
  ['script-src https:', true],
  ['script-src api.example.com', true],
  ['script-src https://api.example.com:8443', false],
  ['script-src *.example.com', true],
  ['script-src https://api.example.com/stage/', true],
  ['script-src https://api.example.com/stage/gr.js', true],
  ["script-src-elem https:; script-src 'none'", true],
  ["script-src-elem 'none'; script-src https:", false],
  ["script-src https: 'strict-dynamic'", false],
  ["script-src 'unsafe-inline' 'nonce-abc'", false],
])('the policy %j allows a script: %j', (text, expected) => {
  expect(script(text)).toBe(expected);
});

test('a script is allowed by its nonce, and from the own origin', () => {
  expect(script("script-src 'nonce-abc' 'strict-dynamic'", 'abc')).toBe(true);
  expect(script("script-src 'nonce-abc'", 'ABC')).toBe(false);
  expect(script("script-src 'nonce-'", '')).toBe(false);
  expect(script("script-src 'self'", undefined, new URL('/js/gr.js', PAGE))).toBe(true);
  const http = new URL('http://api.example.com/');
  expect(allowsScript(policy("default-src 'self'"), SCRIPT, http, undefined)).toBe(true);
  expect(allowsScript(policy('default-src api.example.com'), http, PAGE, '')).toBe(false);
});

test.each([
  ['', true],
  ['script-src https:', false],
  ["default-src 'unsafe-inline'", true],
  [`script-src ${hashSource('a()')}`, true],
  [`script-src 'unsafe-inline' ${hashSource('b()')}`, false],
  ["script-src 'unsafe-inline' 'nonce-abc'", false],
  ["script-src 'unsafe-inline' 'strict-dynamic'", false],
])('the policy %j allows an inline script: %j', (text, expected) => {
  expect(allowsInline(policy(text), 'a()', undefined)).toBe(expected);
});

test('a connection is allowed by connect-src, else by default-src', () => {
  expect(allowsConnection(policy("connect-src 'self'; default-src https:"), SCRIPT, PAGE)).toBe(false);
  expect(allowsConnection(policy("script-src 'none'; default-src https:"), SCRIPT, PAGE)).toBe(true);
  expect(allowsConnection(policy("script-src 'none'"), SCRIPT, PAGE)).toBe(true);
});

test('the policy in docs/script.md allows the snippet', () => {
  const [text = ''] = codeBlocks('docs/script.md', 'text');
  const [snippet = ''] = codeBlocks('docs/script.md', 'html');
  const [, line = ''] = /<script>(.*?)<\/script>/.exec(snippet) ?? [];
  expect(allowsInline(policy(text), line, undefined)).toBe(true);
  expect(allowsInline(policy(text), `${line} `, undefined)).toBe(false);
  expect(script(text)).toBe(true);
  expect(allowsConnection(policy(text), SCRIPT, PAGE)).toBe(true);
});

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

const check = () => describeRenewal(new URL(`http://127.0.0.1:${port}/`), { clock: systemClock, random: randomBytes });

/** Lets the page set cookies. `change` gets the cookie that the client would set. */
function setting(change: (cookie: string) => string | string[]) {
  respond = ({ headers }, response) => response.setHeader('set-cookie', change(renewCookie(headers) ?? '')).end();
}

test('a page whose server renews the cookie with the client is reported', async () => {
  setting((cookie) => cookie);
  expect(await check()).toBe('the server renews gr_id, which Safari would otherwise delete after 7 days');
});

test.each<[string, (cookie: string) => string | string[]]>([
  ['the unchanged value', (cookie) => cookie.replace(/gr_id=[^;]*/, 'gr_id=eyJpdiI6')],
  ['no HttpOnly, because the script reads it', (cookie) => `${cookie}; HttpOnly`],
  ['Path=/', (cookie) => cookie.replace('Path=/', 'Path=/shop')],
  ['a Domain that contains 127.0.0.1', (cookie) => `${cookie}; Domain=shop.example`],
  ['SameSite=Lax', (cookie) => cookie.replace('SameSite=Lax', 'SameSite=None')],
  ['Max-Age', (cookie) => cookie.replace(/; Max-Age=\d+/, '')],
  ['Path=/, SameSite=Lax, Max-Age', (cookie) => cookie.replace(/;.*/, '')],
])('the advice names what the cookie needs: %s', async (needs, change) => {
  setting(change);
  expect(await check()).toEqual({
    what: 'the server sets gr_id, but not as the script does',
    advice: `Set it with ${needs}: docs/script.md, "The cookie in Safari".`,
  });
});

test('the cookie of a page over https needs Secure', () => {
  const url = new URL('https://www.shop.example/');
  const cookie = 'gr_id=a; Path=/; Domain=shop.example; Max-Age=1; SameSite=Lax';
  expect(faultsOf(cookie, 'a', url)).toEqual(['Secure']);
  expect(faultsOf(`${cookie}; secure`, 'a', url)).toEqual([]);
});

test('the tags of a page leave out comments, templates and what only browsers without scripts show', () => {
  const hidden = '<script src=a></script>';
  const page = `<!--${hidden}--><template>${hidden}</template><noscript>${hidden}</noscript><SCRIPT SRC="b">c</SCRIPT>`;
  const scripts = tagsOf(page).filter(({ name }) => name === 'script');
  expect(scripts.map(({ attributes, text }) => [attributes.get('src'), text])).toEqual([['b', 'c']]);
});
