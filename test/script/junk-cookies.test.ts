import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { FakeBrowser, UNKNOWN } from '../support/browser/fake-browser.ts';

const SHOP = 'https://shop.test/';
const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';

const namesAt = (browser: FakeBrowser) => browser.cookies.at('shop.test').map(({ name }) => name);

/** A browser whose visitor came by jane's link. Also returns its `gr_id`. */
async function referred() {
  const browser = new FakeBrowser();
  await browser.visit(`${SHOP}?via=jane`);
  return { browser, jane: browser.grId() };
}

describe('marks of another form', () => {
  /** Puts a mark beside jane's cookie. */
  async function marked(mark: string) {
    const { browser, jane } = await referred();
    browser.cookies.write(new URL(SHOP), `gr_unsent=${mark};domain=shop.test`);
    return { browser, jane };
  }

  test.each(['spring', '', 'a/b', 'a/b/c', '%/%', `spring/John.${ID}`, ':'])(
    'a mark of another form does not prevent a restoration: %j',
    async (mark) => {
      const { browser, jane } = await marked(mark);
      browser.respond = () => UNKNOWN;
      await browser.visit(`${SHOP}?via=nobody`);
      expect([browser.grId(), namesAt(browser)]).toEqual([jane, ['gr_id']]);
    },
  );

  test.each([
    ['spring', ['jane', 'jane']],
    ['', ['jane', 'jane']],
    ['a/b', ['jane', 'jane']],
    ['%/%', ['jane', 'jane']],
    ['&sid=spring//', ['jane', 'jane']],
    ['&&sid=spring//', ['jane']],
  ])('a mark of another form is gone after the next page: %j', async (mark, clicked) => {
    const { browser, jane } = await marked(mark);
    const page = await browser.visit(SHOP);
    expect([page.id(), browser.grId(), namesAt(browser), page.logged]).toEqual([[jane], jane, ['gr_id'], []]);
    expect(browser.clickedSlugs()).toEqual(clicked);
  });

  test('a mark of another form that is refused is never stored', async () => {
    const { browser } = await marked('a/b');
    browser.respond = () => UNKNOWN;
    await browser.visit(SHOP);
    expect(namesAt(browser)).toEqual([]);
  });
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
        browser.cookies.write(new URL(SHOP), `${name}=${text};domain=shop.test`);
        browser.respond = () => UNKNOWN;
        const page = await browser.visit(`${SHOP}${query}`, { attributes: { domains: 'app.test' } });
        await page.pass(1000);
        page.history.pushState(null, '', '/pricing');
        page.gr('consent', false);
        expect(page.logged).toEqual([]);
        expect(namesAt(browser)).toEqual([]);
      }),
    );
  });
});
