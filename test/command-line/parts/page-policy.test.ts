import { describe, expect, test } from '@jest/globals';
import {
  allowsConnection,
  allowsInline,
  allowsScript,
  directiveFor,
  hashSource,
  type Policy,
  parsePolicies,
} from '../../../bin/admin/doctor/page/policy.ts';
import { codeBlocks } from '../../support/documents/documents.ts';

const PAGE = new URL('https://www.shop.example/sign-up');
const SCRIPT = new URL('https://api.example.com/stage/gr.js');
const policy = (text: string): Policy => parsePolicies(text)[0] ?? new Map();
const script = (text: string, nonce?: string, url = SCRIPT) => allowsScript(policy(text), url, PAGE, nonce);
const inline = (text: string, nonce?: string) => allowsInline(policy(text), 'a()', nonce);

describe('scripts and policies', () => {
  test.each([
    ['', true],
    ["img-src 'none'", true],
    ["default-src 'none'", false],
    ['script-src', false],
    ["script-src 'self'", false],
    ['script-src *', true],
    ['script-src https:', true],
    ['script-src http:', true],
    ['script-src data:', false],
    ['script-src api.example.com', true],
    ['script-src API.Example.com', true],
    ['script-src https://api.example.com', true],
    ['script-src http://api.example.com', true],
    ['script-src wss://api.example.com', false],
    ['script-src https://api.example.com:443', true],
    ['script-src https://api.example.com:80', true],
    ['script-src https://api.example.com:8443', false],
    ['script-src https://api.example.com:*', true],
    ['script-src *.example.com', true],
    ['script-src *.api.example.com', false],
    ['script-src example.com', false],
    ['script-src https://api.example.com/', true],
    ['script-src https://api.example.com/stage/', true],
    ['script-src https://api.example.com/stage', false],
    ['script-src https://api.example.com/stage/gr.js', true],
    ["script-src 'none'; script-src https:", false],
    ["SCRIPT-SRC HTTPS:; default-src 'none'", true],
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
    expect(allowsScript(policy("default-src 'self'"), SCRIPT, new URL('http://api.example.com/'), undefined)).toBe(
      true,
    );
    expect(allowsScript(policy('default-src api.example.com'), new URL('http://api.example.com/'), PAGE, '')).toBe(
      false,
    );
  });
});

test('an inline script is allowed by its hash, its nonce, or unsafe-inline without either', () => {
  expect(inline('')).toBe(true);
  expect(inline('script-src https:')).toBe(false);
  expect(inline("default-src 'unsafe-inline'")).toBe(true);
  expect(inline(`script-src ${hashSource('a()')}`)).toBe(true);
  expect(inline(`script-src ${hashSource('a()', 'sha512').replaceAll('+', '-').replaceAll('/', '_')}`)).toBe(true);
  expect(inline(`script-src 'unsafe-inline' ${hashSource('b()')}`)).toBe(false);
  expect(inline("script-src 'unsafe-inline' 'nonce-abc'")).toBe(false);
  expect(inline("script-src 'unsafe-inline' 'strict-dynamic'")).toBe(false);
  expect(inline("script-src 'nonce-abc'", 'abc')).toBe(true);
});

test('a connection is allowed by connect-src, else by default-src', () => {
  expect(allowsConnection(policy("connect-src 'self'; default-src https:"), SCRIPT, PAGE)).toBe(false);
  expect(allowsConnection(policy("script-src 'none'; default-src https:"), SCRIPT, PAGE)).toBe(true);
  expect(allowsConnection(policy("script-src 'none'"), SCRIPT, PAGE)).toBe(true);
});

test('a header may contain several policies', () => {
  const policies = parsePolicies("default-src 'self', script-src https: ;; connect-src 'none';");
  expect(policies.map((one) => [directiveFor(one, 'script'), directiveFor(one, 'connection')])).toEqual([
    ['default-src', 'default-src'],
    ['script-src', 'connect-src'],
  ]);
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
