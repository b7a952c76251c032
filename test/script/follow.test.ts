import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled, UNKNOWN, type Visit } from '../support/browser/fake-browser.ts';

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

  test("gr('follow') works with the parameters of the page", async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(SHOP, { attributes: { parameters: 'partner,sid' } });
    page.gr('follow', 'jane', 'spring');
    expect(browser.clicks()).toMatchObject([{ gr_id: browser.grId(), sub_id: 'spring' }]);
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

  test.each([[undefined], [null], [''], ['a\nb'], ['x'.repeat(129)]])(
    "gr('follow') drops the sub id %j",
    async (subId) => {
      const browser = new FakeBrowser();
      const page = await browser.visit(SHOP);
      page.gr('follow', 'jane', subId);
      expect(browser.clicks().map(Object.keys)).toEqual([['pk', 'gr_id']]);
    },
  );

  test("gr('follow') with a value that cannot become text logs the error", async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(SHOP);
    page.gr('follow', Symbol('jane'));
    expect([browser.sent, page.logged.length]).toEqual([[], 1]);
    page.gr('follow', 'jane');
    expect(browser.clickedSlugs()).toEqual(['jane']);
  });

  test("gr('follow') sends one click for the same slug twice in a row", async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${SHOP}?via=jane`);
    for (const slug of ['jane', 'JANE']) page.gr('follow', slug);
    expect(browser.clickedSlugs()).toEqual(['jane']);
  });

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

  test("gr('follow') with an unknown slug restores the previous gr_id", async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${SHOP}?via=jane`);
    const jane = browser.grId();
    browser.respond = () => UNKNOWN;
    page.gr('follow', 'nobody');
    expect(browser.slug()).toBe('nobody');
    await page.pass(1000);
    expect(page.id()).toEqual([jane]);
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

  test.each([
    ['last', 'john'],
    ['first', 'jane'],
  ])("gr('follow') after an arrival that waits for consent keeps this order: %s", async (attribution, slug) => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${SHOP}?via=jane`, {
      attributes: { ...REQUIRED.attributes, attribution },
    });
    page.gr('follow', 'john');
    page.gr('consent', true);
    await settled();
    expect([browser.slug(), browser.clickedSlugs()]).toEqual([slug, [slug]]);
  });

  test("gr('follow') is not remembered on the next page without consent", async () => {
    const browser = new FakeBrowser();
    await browser.visit(SHOP, { ...REQUIRED, calls: [['follow', 'jane']] });
    const page = await browser.visit(SHOP, REQUIRED);
    page.gr('consent', true);
    expect([page.id(), browser.sent]).toEqual([[null], []]);
  });

  test.each<[string, Visit]>([
    ['under Global Privacy Control', { globalPrivacyControl: true }],
    ['in a frame of another origin', { frameOf: 'another origin' }],
    ['on a page that is never activated', { isPrerendered: true }],
  ])("gr('follow') does nothing %s", async (_, visit) => {
    const browser = new FakeBrowser();
    await browser.visit(SHOP, { ...visit, calls: [['follow', 'jane']] });
    expect([browser.cookies.writes, browser.sent]).toEqual([0, []]);
  });
});

describe('consent that is withdrawn and given again', () => {
  test('consent that is given again follows the slug in the address again', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${SHOP}?via=jane`);
    const first = browser.grId();
    for (const given of [false, true]) page.gr('consent', given);
    expect([browser.slug(), browser.grId() === first]).toEqual(['jane', false]);
  });

  test('consent that is given again follows a slug that was put there without a call of history', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(SHOP, REQUIRED);
    Reflect.apply(Object.getPrototypeOf(page.history).pushState, page.history, [null, '', '?via=jane']);
    page.gr('consent', true);
    expect(browser.slug()).toBe('jane');
  });
});
