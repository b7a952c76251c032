import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tagsOf } from '../../../bin/admin/doctor/page/embedding.ts';
import {
  allowsConnection,
  allowsInline,
  allowsScript,
  type Policy,
  parsePolicies,
} from '../../../bin/admin/doctor/page/policy.ts';
import { describeRenewal } from '../../../bin/admin/doctor/page/steps.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { renewCookie } from '../../../client/src/client.ts';
import { systemClock } from '../../../functions/kernel/time.ts';
import { codeBlocks } from '../../support/documents/documents.ts';

const PAGE = new URL('https://www.shop.example/sign-up');
const SCRIPT = new URL('https://api.example.com/stage/gr.js');
const policy = (text: string): Policy => parsePolicies(text)[0] ?? new Map();
const script = (text: string) => allowsScript(policy(text), SCRIPT, PAGE, undefined);

test.each([
  ['', true],
  ["default-src 'none'", false],
  ["script-src 'self'", false],
  ['script-src https://api.example.com:8443', false],
  ['script-src https://api.example.com/stage/', true],
  ["script-src-elem 'none'; script-src https:", false],
  ["script-src https: 'strict-dynamic'", false],
  ["script-src 'unsafe-inline' 'nonce-abc'", false],
])('the policy %j allows a script: %j', (text, expected) => {
  expect(script(text)).toBe(expected);
});

test.each<[string, readonly [script: boolean, inline: boolean]]>([
  ["script-src 'SELF'", [true, false]],
  ['script-src HTTPS:', [true, false]],
  ["script-src 'SELF' 'Unsafe-Inline'", [true, true]],
  ["script-src https: 'Strict-Dynamic'", [false, false]],
  ["script-src 'Nonce-AbC'", [true, true]],
  ["script-src 'nonce-abc'", [false, false]],
])('the case of keywords in the policy %j does not matter, but the case of a nonce does', (text, expected) => {
  const own = new URL('/gr.js', PAGE);
  expect([allowsScript(policy(text), own, PAGE, 'AbC'), allowsInline(policy(text), '', 'AbC')]).toEqual(expected);
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
  ['no HttpOnly, because the script reads it', (cookie) => `${cookie}; HttpOnly`],
  ['a Domain that contains 127.0.0.1', (cookie) => `${cookie}; Domain=shop.example`],
  ['Path=/, SameSite=Lax, Max-Age', (cookie) => cookie.replace(/;.*/, '')],
])('the advice names what the cookie needs: %s', async (needs, change) => {
  setting(change);
  expect(await check()).toEqual({
    what: 'the server sets gr_id, but not as the script does',
    advice: `Set it with ${needs}: docs/script.md, "The cookie in Safari".`,
  });
});

test('the tags of a page leave out comments, templates and what only browsers without scripts show', () => {
  const hidden = '<script src=a></script>';
  const page = `<!--${hidden}--><template>${hidden}</template><noscript>${hidden}</noscript><SCRIPT SRC="b">c</SCRIPT>`;
  const scripts = tagsOf(page).filter(({ name }) => name === 'script');
  expect(scripts.map(({ attributes, text }) => [attributes.get('src'), text])).toEqual([['b', 'c']]);
});
