import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, type FakeResponse, settled, UNKNOWN, type Visit } from '../support/browser/fake-browser.ts';

const SHOP = 'https://shop.test/';
const GR_ID = 'john.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
/** A page that was opened by a link from another domain of the merchant. */
const LINKED = `${SHOP}?gr_id=${GR_ID}`;
const DOMAINS = { domains: 'app.test' };
const LAST: Visit = { attributes: DOMAINS };
const FIRST: Visit = { attributes: { ...DOMAINS, attribution: 'first' } };

const namesAt = (browser: FakeBrowser) => browser.cookies.at('shop.test').map(({ name }) => name);

/** Responds as the service does: only these slugs exist. */
function knows(browser: FakeBrowser, ...slugs: string[]): void {
  browser.respond = ({ body: { gr_id = '' } }) => (slugs.includes(gr_id.split('.')[0] ?? '') ? 204 : UNKNOWN);
}

/** A browser whose visitor came by jane's link. Also returns its `gr_id`. */
async function referred() {
  const browser = new FakeBrowser();
  await browser.visit(`${SHOP}?via=jane`);
  return { browser, jane: browser.grId() };
}

describe('the click of an adopted gr_id', () => {
  test('the click of an adopted gr_id is sent once, with the same id', async () => {
    const browser = new FakeBrowser();
    await browser.visit(LINKED, LAST);
    expect(browser.clicks()).toEqual([{ pk: 'pk_1', gr_id: GR_ID }]);
    expect(namesAt(browser)).toEqual(['gr_id']);
    for (const url of [SHOP, LINKED]) await browser.visit(url, LAST);
    expect(browser.clicks()).toHaveLength(1);
  });

  test('the click of an adopted gr_id is not sent if the visitor has this gr_id, or one with this slug', async () => {
    const browser = new FakeBrowser();
    await browser.visit(`${SHOP}?via=john`, LAST);
    const { writes } = browser.cookies;
    for (const grId of [browser.grId(), GR_ID]) await browser.visit(`${SHOP}?gr_id=${grId}`, LAST);
    expect([browser.cookies.writes, browser.clickedSlugs()]).toEqual([writes, ['john']]);
  });

  test('the click of an adopted gr_id has no sub id: the sub id in the address belongs to a slug', async () => {
    const browser = new FakeBrowser();
    await browser.visit(`${LINKED}&sid=session-1`, LAST);
    expect(browser.clicks().map(Object.keys)).toEqual([['pk', 'gr_id']]);
  });

  test('the click of an adopted gr_id is not sent again by going back, and retried once by a reload', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit(SHOP, LAST);
    page.history.pushState(null, '', LINKED);
    page.history.pushState(null, '', '/pricing');
    page.back();
    await page.pass(1000);
    expect([browser.clicks().length, page.history.url.href]).toEqual([1, SHOP]);
    // A new document cannot know whether the click arrived.
    await browser.visit(page.history.url.href, LAST);
    for (const request of [0, 1]) await respond(request, 204);
    await browser.visit(SHOP, LAST);
    expect(browser.clicks().map(({ gr_id }) => gr_id)).toEqual([GR_ID, GR_ID]);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test.each<[string, FakeResponse]>([
    ['is blocked', new Error('Failed to fetch')],
    ['fails', 503],
    ['is over the limit', 429],
  ])('the click of an adopted gr_id is retried once, on the next page, if it %s', async (_, failure) => {
    const browser = new FakeBrowser();
    browser.respond = () => failure;
    const page = await browser.visit(LINKED, LAST);
    await page.pass(1000);
    for (const path of ['pricing', 'sign-up']) await browser.visit(`${SHOP}${path}`, LAST);
    expect(browser.clicks()).toEqual([
      { pk: 'pk_1', gr_id: GR_ID },
      { pk: 'pk_1', gr_id: GR_ID },
    ]);
    expect([browser.grId(), page.logged]).toEqual([GR_ID, []]);
  });

  test('the click of an adopted gr_id waits for consent', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(LINKED, { attributes: { ...DOMAINS, consent: 'required' } });
    expect(browser.sent).toEqual([]);
    page.gr('consent', true);
    expect(browser.clicks()).toEqual([{ pk: 'pk_1', gr_id: GR_ID }]);
  });
});

describe('adopted gr_ids whose slug does not exist', () => {
  test('a refused gr_id restores the previous gr_id for a full lifetime', async () => {
    const { browser, jane } = await referred();
    knows(browser, 'jane');
    const page = await browser.visit(LINKED, LAST);
    expect([page.id(), page.history.url.search]).toEqual([[jane], '']);
    expect(browser.cookies.at('shop.test')).toMatchObject([
      { name: 'gr_id', value: jane, attributes: { 'max-age': String(60 * 86_400) } },
    ]);
  });

  test.each([LAST, FIRST])('a refused gr_id is forgotten if there was none before: %j', async (visit) => {
    const browser = new FakeBrowser();
    knows(browser);
    await browser.visit(LINKED, visit);
    expect(namesAt(browser)).toEqual([]);
  });

  test('a refused gr_id restores the previous one on the next page if the visitor left before', async () => {
    const { browser, jane } = await referred();
    browser.hold();
    await browser.visit(LINKED, LAST);
    expect(browser.grId()).toBe(GR_ID);
    knows(browser, 'jane');
    await browser.visit(SHOP, LAST);
    expect([browser.grId(), namesAt(browser)]).toEqual([jane, ['gr_id']]);
  });

  test('a refused gr_id restores the gr_id before an unknown slug that has no response', async () => {
    const { browser, jane } = await referred();
    const respond = browser.hold();
    await browser.visit(`${SHOP}?via=nobody`, LAST);
    await browser.visit(LINKED, LAST);
    await respond(1, UNKNOWN);
    expect(browser.grId()).toBe(GR_ID);
    await respond(2, UNKNOWN);
    expect([browser.grId(), namesAt(browser)]).toEqual([jane, ['gr_id']]);
  });
});

describe('gr_ids of another domain when the first slug stays', () => {
  test('a gr_id of another domain is ignored if the first slug is known', async () => {
    const { browser, jane } = await referred();
    const page = await browser.visit(LINKED, FIRST);
    await page.pass(1000);
    expect([browser.grId(), page.history.url.search, browser.clickedSlugs()]).toEqual([jane, '', ['jane']]);
  });

  test('a gr_id of another domain counts once the first slug is refused', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`, FIRST);
    page.history.pushState(null, '', LINKED);
    expect([browser.slug(), page.history.url.search]).toEqual(['nobody', '']);
    await respond(0, UNKNOWN);
    await page.pass(1000);
    expect([browser.grId(), browser.clickedSlugs(), page.logged]).toEqual([GR_ID, ['nobody', 'john'], []]);
  });

  test('a gr_id counts before a slug of the same address, which counts if the gr_id is refused', async () => {
    const browser = new FakeBrowser();
    knows(browser, 'mary');
    const page = await browser.visit(`${LINKED}&via=mary`, FIRST);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['mary', ['john', 'mary']]);
  });

  test('a gr_id of another domain waits once, however often the page navigates', async () => {
    const { browser } = await referred();
    const { cookies } = browser;
    let reads = 0;
    const read = cookies.read.bind(cookies);
    cookies.read = (url) => {
      reads += 1;
      return read(url);
    };
    const page = await browser.visit(`${LINKED}&via=mary`, FIRST);
    const readsBy = (path: string) => {
      const before = reads;
      page.history.pushState(null, '', path);
      return reads - before;
    };
    const [first] = Array.from({ length: 8 }, (_, index) => readsBy(`/${index}`));
    expect(readsBy('/last')).toBe(first);
  });
});

describe('gr_ids in an address with a slug', () => {
  test('a gr_id next to a slug is not sent if the slug is accepted', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${LINKED}&via=jane`, LAST);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs(), namesAt(browser)]).toEqual(['jane', ['jane'], ['gr_id']]);
  });

  test.each([
    ['counts if it is accepted', ['jane', 'john'], 'john'],
    ['restores the gr_id before both if it is refused', ['jane'], 'jane'],
  ])('a gr_id next to a slug is checked after the slug was refused, and %s', async (_, slugs, restored) => {
    const { browser } = await referred();
    knows(browser, ...slugs);
    const page = await browser.visit(`${LINKED}&via=nobody`, LAST);
    expect([browser.grId(), page.history.url.search]).toEqual([GR_ID, '?via=nobody']);
    await page.pass(1000);
    expect([browser.slug(), namesAt(browser)]).toEqual([restored, ['gr_id']]);
    expect(browser.clickedSlugs()).toEqual(['jane', 'nobody', 'john']);
  });

  test('a gr_id next to a slug is checked on the next page, if the visitor left before the refusal', async () => {
    const browser = new FakeBrowser();
    browser.hold();
    await browser.visit(`${LINKED}&via=nobody`, LAST);
    knows(browser, 'john');
    const page = await browser.visit(SHOP, LAST);
    await page.pass(1000);
    expect([browser.grId(), namesAt(browser)]).toEqual([GR_ID, ['gr_id']]);
    expect(browser.clickedSlugs()).toEqual(['nobody', 'nobody', 'john']);
  });

  test('a gr_id does not prevent a retry of the slug, after navigation without a page load', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(SHOP, LAST);
    browser.respond = () => new Error('Failed to fetch');
    page.history.pushState(null, '', `${LINKED}&via=jane`);
    await settled();
    await browser.visit(SHOP, LAST);
    expect([browser.clickedSlugs(), page.logged]).toEqual([['jane', 'jane'], []]);
  });
});

test('a refused click restores nothing after the gr_id of another domain was adopted', async () => {
  const { browser } = await referred();
  const respond = browser.hold();
  await browser.visit(`${SHOP}?via=nobody`);
  await browser.visit(LINKED, LAST);
  await respond(1, UNKNOWN);
  expect(browser.grId()).toBe(GR_ID);
  await respond(2, 204);
  expect([browser.grId(), namesAt(browser)]).toEqual([GR_ID, ['gr_id']]);
});
