import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseGrId } from '../../functions/kernel/fields/fields.ts';
import { anyCharacter } from '../support/any-character.ts';
import { FakeBrowser, referred, UNKNOWN, type Visit } from '../support/browser/fake-browser.ts';

const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';

/** Returns the cookies of the host after a first visit to an address. */
async function cookiesAfter(url: string, attributes: Visit['attributes'] = {}) {
  const browser = new FakeBrowser();
  await browser.visit(url, { attributes });
  return browser.cookies.at(new URL(url).hostname);
}

test('the cookie contains the slug and a new click id that the service accepts', async () => {
  const before = Date.now();
  const [cookie, ...others] = await cookiesAfter('https://www.shop.test/?via=jane-doe');
  expect(others).toEqual([]);
  const { slug, clickId } = parseGrId(cookie?.value ?? '');
  expect(slug).toBe('jane-doe');
  const time = Number.parseInt(clickId.replace('-', '').slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

describe('attributes of the cookie', () => {
  test('the cookie has path, max-age, samesite and domain, and secure on https', async () => {
    const [cookie] = await cookiesAfter('https://shop.test/deep/page?via=jane');
    expect(cookie?.attributes).toEqual({
      path: '/',
      'max-age': String(60 * 86_400),
      samesite: 'lax',
      secure: '',
      domain: 'shop.test',
    });
  });

  test('the cookie is not secure on http', async () => {
    const [cookie] = await cookiesAfter('http://shop.test/?via=jane');
    expect(Object.keys(cookie?.attributes ?? {})).toEqual(['path', 'max-age', 'samesite', 'domain']);
  });

  test.each([
    ['30', 30],
    ['401', 400],
    ['1e9', 400],
    ['0', 60],
    ['long', 60],
    ['30days', 60],
  ])('the lifetime with data-cookie-days="%s" is %i days', async (cookieDays, days) => {
    const [cookie] = await cookiesAfter('https://shop.test/?via=jane', { cookieDays });
    expect(cookie?.attributes['max-age']).toBe(String(days * 86_400));
  });
});

test.each([
  ['https://a.b.c.shop.test/', undefined, 'shop.test', false],
  ['https://www.shop.co.uk/', undefined, 'shop.co.uk', false],
  ['http://localhost:3000/', undefined, 'localhost', false],
  ['http://127.0.0.1:3000/', undefined, '127.0.0.1', false],
  // A browser that refuses every domain stores the cookie for the host alone.
  ['https://test/', undefined, 'test', true],
  ['https://www.eu.shop.test/', 'eu.shop.test', 'eu.shop.test', false],
  ['https://www.shop.test/', 'other.test', 'shop.test', false],
])('on %s with data-cookie-domain="%s" the cookie has the domain %s', async (url, cookieDomain, domain, isHostOnly) => {
  expect(await cookiesAfter(`${url}?via=jane`, { cookieDomain })).toMatchObject([{ domain, isHostOnly }]);
});

describe('existing cookies', () => {
  test.each(['garbage', `jane.${ID}x`, `Jane.${ID}`, `jane.${ID.replace('-7', '-4')}`, `${'x'.repeat(65)}.${ID}`])(
    'an existing cookie is ignored if it is not a valid gr_id: %j',
    async (junk) => {
      const browser = new FakeBrowser();
      browser.cookies.write(new URL('https://shop.test/'), `gr_id=${junk};path=/`);
      const page = await browser.visit('https://shop.test/');
      expect(page.id()).toEqual([null]);
      await browser.visit('https://shop.test/?via=jane', { attributes: { attribution: 'first' } });
      expect(browser.cookies.at('shop.test')).toMatchObject([{ name: 'gr_id', domain: 'shop.test' }]);
      expect(browser.slug()).toBe('jane');
    },
  );

  test('an existing cookie is found after an invalid one of the same name, and among others', async () => {
    const browser = new FakeBrowser();
    const at = (host: string, text: string) => browser.cookies.write(new URL(`https://${host}/`), text);
    at('www.shop.test', 'xgr_id=a.b');
    at('www.shop.test', 'gr_id=junk');
    at('www.shop.test', `gr_id=jane.${ID};domain=shop.test`);
    at('www.shop.test', 'theme=dark');
    const page = await browser.visit('https://www.shop.test/');
    expect(page.id()).toEqual([`jane.${ID}`]);
  });

  test('an existing cookie of another domain is replaced, so that servers receive only one', async () => {
    const browser = new FakeBrowser();
    browser.cookies.write(new URL('https://www.shop.test/'), `gr_id=old.${ID}`);
    browser.cookies.write(new URL('https://www.shop.test/'), `gr_id=older.${ID};domain=shop.test`);
    await browser.visit('https://www.shop.test/?via=jane');
    expect(browser.cookies.at('www.shop.test')).toMatchObject([{ domain: 'shop.test' }]);
    expect(browser.slug('www.shop.test')).toBe('jane');
  });
});

test('a browser that stores no cookies sends nothing and has no gr_id', async () => {
  const browser = new FakeBrowser();
  browser.cookies.enabled = false;
  const page = await browser.visit('https://shop.test/?via=jane');
  expect([browser.sent, page.id(), page.logged]).toEqual([[], [null], []]);
});

test('a page without a slug writes no cookie and sends nothing', async () => {
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?utm_source=news');
  expect([browser.cookies.writes, browser.sent]).toEqual([0, []]);
});

describe.each(['gr_unsent', 'gr_id'])('junk in the cookie %s', (name) => {
  /** Text that a cookie can contain; much of it consists of the characters that have a meaning for the script. */
  const junk = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'&:/%.=+_sidjane019a7f80-'), maxLength: 60 }),
    fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => text.replaceAll(';', '')),
  );

  test('junk in a cookie is never thrown into the page or logged', async () => {
    await fc.assert(
      fc.asyncProperty(junk, fc.constantFrom('', '?via=john', `?gr_id=john.${ID}`), async (text, query) => {
        const { browser } = await referred();
        browser.cookies.write(new URL('https://shop.test/'), `${name}=${text};domain=shop.test`);
        browser.respond = () => UNKNOWN;
        const page = await browser.visit(`https://shop.test/${query}`, { attributes: { domains: 'app.test' } });
        await page.pass(1000);
        page.history.pushState(null, '', '/pricing');
        page.gr('consent', false);
        expect(page.logged).toEqual([]);
        expect(browser.cookieNames()).toEqual([]);
      }),
    );
  });
});
