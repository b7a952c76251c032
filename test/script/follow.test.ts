import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, type Visit } from '../support/browser/fake-browser.ts';

const SHOP = 'https://shop.test/';
const REQUIRED: Visit = { attributes: { consent: 'required' } };

describe("gr('follow')", () => {
  test("gr('follow') has the effect of arriving by the link", async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(SHOP);
    page.gr('follow', 'Jane_Doe', 'spring');
    expect([browser.slug(), page.id(), page.history.url.href]).toEqual(['jane_doe', [browser.grId()], SHOP]);
    expect(browser.clicks()).toEqual([{ pk: 'pk_1', gr_id: browser.grId(), sub_id: 'spring' }]);
  });

  test.each([[undefined], [null], [''], ['jane doe'], ['jane.doe'], [' jane'], ['x'.repeat(65)], [{}], [false]])(
    "gr('follow') ignores %j, which is not a slug",
    async (slug) => {
      const browser = new FakeBrowser();
      const page = await browser.visit(SHOP, { calls: [['follow', slug]] });
      page.gr('follow', slug, 'spring');
      expect([browser.cookies.writes, browser.sent, page.logged]).toEqual([0, [], []]);
    },
  );

  test.each([
    ['last', 'john', ['jane', 'john']],
    ['first', 'jane', ['jane']],
  ])('gr(\'follow\') with data-attribution="%s" after an arrival results in %s', async (attribution, slug, clicked) => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${SHOP}?via=jane`, { attributes: { attribution } });
    page.gr('follow', 'john');
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual([slug, clicked]);
  });

  test.each([
    ['last', 'john'],
    ['first', 'jane'],
  ])('a call before the script loads runs after the arrival: %s', async (attribution, slug) => {
    const browser = new FakeBrowser();
    await browser.visit(`${SHOP}?via=jane`, { attributes: { attribution }, calls: [['follow', 'john']] });
    expect(browser.slug()).toBe(slug);
  });

  test("gr('follow') waits for consent, in memory", async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(SHOP, { ...REQUIRED, calls: [['follow', 'jane']] });
    page.gr('follow', 'john', 'spring');
    expect([browser.cookies.writes, browser.sent]).toEqual([0, []]);
    page.gr('consent', true);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['john']]);
    expect(browser.clicks()).toMatchObject([{ sub_id: 'spring' }]);
  });
});
