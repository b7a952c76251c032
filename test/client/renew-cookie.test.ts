import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { renewCookie } from '../../client/src/client.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY = 86_400_000;
beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

/** A `gr_id` whose click is some days old. */
function grIdOf(days: number, slug = 'jane-doe'): string {
  const time = Math.round(NOW - days * DAY)
    .toString(16)
    .padStart(12, '0');
  return `${slug}.${time.slice(0, 8)}-${time.slice(8)}-7d6e-8f90-a1b2c3d4e5f6`;
}
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
const renewed = (cookie: string) => renewCookie({ accept, cookie });
/** The header for a `gr_id` that has some days left. */
const header = (grId: string, daysLeft: number) =>
  `gr_id=${grId}; Path=/; Max-Age=${daysLeft * 86_400}; SameSite=Lax; Secure`;

test.each([
  [0, 60],
  [7, 53],
  [59.5, 0.5],
])('the cookie of a click %d days ago is renewed for %d days', (age, left) => {
  expect(renewed(`gr_id=${grIdOf(age)}`)).toBe(header(grIdOf(age), left));
});

test.each([60, 61, 20_000])('the cookie of a click %d days ago is not renewed', (age) => {
  expect(renewed(`gr_id=${grIdOf(age)}`)).toBeUndefined();
});

test('the cookie of a click in the future is not renewed: its end would be later than the script allows', () => {
  expect(renewed(`gr_id=${grIdOf(-1)}`)).toBeUndefined();
});

test('a renewed cookie that is renewed again has the same end', () => {
  const cookie = `gr_id=${grIdOf(10)}`;
  const end = () => Date.now() + Number(/Max-Age=(\d+)/.exec(renewed(cookie) ?? '')?.[1]) * 1000;
  const first = end();
  jest.setSystemTime(NOW + 5 * DAY);
  expect(end()).toBe(first);
});

describe('forms of the headers', () => {
  const cookie = `theme=dark; gr_id=${grIdOf(1)}; session=1`;
  test.each([
    ['an object', { accept, cookie, 'set-cookie': ['a=b'], host: undefined }],
    ['a Headers', new Headers({ Accept: accept, Cookie: cookie })],
    ['an object with lists', { accept: [accept], cookie: [cookie] }],
  ])('the cookie is found in %s', (_, headers) => {
    expect(renewCookie(headers)).toBe(header(grIdOf(1), 59));
  });

  test.each([
    ['without a cookie', { accept }],
    ['for an image', { accept: 'image/avif,*/*;q=0.8', cookie }],
    ['of `fetch`', { accept: '*/*', cookie }],
    ['without `accept`', { cookie }],
    ['under Global Privacy Control', { accept, cookie, 'sec-gpc': '1' }],
  ])('nothing is renewed for a request %s', (_, headers) => {
    expect(renewCookie(headers)).toBeUndefined();
  });
});

describe('hostile cookies', () => {
  const valid = grIdOf(1);
  test.each([
    ['', 'jane', `jane.${valid.slice(-36)}x`, `.${valid.slice(-36)}`, `${'x'.repeat(65)}.${valid.slice(-36)}`],
    [`"${valid}"`, valid.toUpperCase(), valid.replace('.', '_'), valid.replace('-7', '-4'), `${valid}%0d%0a`],
    [`${valid}\r\nSet-Cookie: session=stolen`, `${valid}\n`.concat('x'), `${valid}, domain=evil.example`, `ö${valid}`],
  ])('malformed values are ignored: %j, %j, %j, %j …', (...values) => {
    for (const value of values) expect(renewed(`gr_id=${value}`)).toBeUndefined();
    expect(renewed(values.map((value) => `gr_id=${value}`).join('; '))).toBeUndefined();
  });

  test('other cookies are ignored, whatever they contain', () => {
    expect(renewed(`xgr_id=${valid}; gr_id2=${valid}; GR_ID=${valid}; a="; b=gr_id=${valid}`)).toBeUndefined();
  });

  test('the last valid one of several cookies with the name is renewed, as the script reads it', () => {
    const second = grIdOf(2, 'john');
    expect(renewed(`gr_id=${valid}; gr_id=${second}; gr_id=junk`)).toBe(header(second, 58));
  });

  test('a long header is read in linear time', () => {
    expect(renewed(`${'gr_id=a.'.repeat(100_000)}; ${'gr_id=;'.repeat(100_000)}gr_id=${valid}`)).toBe(
      header(valid, 59),
    );
  });
});

describe('options', () => {
  const headers = { accept, cookie: `gr_id=${grIdOf(20)}` };

  test('the cookie has the domain', () => {
    expect(renewCookie(headers, { domain: 'shop.example' })).toBe(`${header(grIdOf(20), 40)}; Domain=shop.example`);
  });

  test('the cookie ends after other days', () => {
    expect(renewCookie(headers, { days: 30 })).toBe(header(grIdOf(20), 10));
    expect(renewCookie(headers, { days: 20 })).toBeUndefined();
    expect(renewCookie(headers, { days: 400 })).toBe(header(grIdOf(20), 380));
  });

  test.each([
    { domain: '' },
    { domain: 'shop.example; HttpOnly' },
    { domain: 'shop.example\r\nX: y' },
    { domain: 'localhost:3000' },
    { days: 0 },
    { days: 401 },
    { days: Number.NaN },
  ])('the options %j are reported', (options) => {
    expect(() => renewCookie(headers, options)).toThrow(TypeError);
  });
});
