import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, referred, UNKNOWN, type Visit } from '../support/browser/fake-browser.ts';
import { FakeLink } from '../support/browser/fake-page.ts';

const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
const QUERY = `gr_id=jane.${ID}`;
const LISTED = { attributes: { domains: 'app.test, Pay.Example' } };

const SHOP = 'https://shop.test/';
const GR_ID = 'john.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
/** A page that was opened by a link from another domain of the merchant. */
const LINKED = `${SHOP}?gr_id=${GR_ID}`;
const DOMAINS = { domains: 'app.test' };
const LAST: Visit = { attributes: DOMAINS };
const FIRST: Visit = { attributes: { ...DOMAINS, attribution: 'first' } };

/** Opens a page through jane's link. */
async function arrive(visit = LISTED) {
  const browser = new FakeBrowser();
  const page = await browser.visit('https://shop.test/?via=jane', visit);
  return { browser, page, grId: browser.grId() };
}

describe('links to another domain of the merchant', () => {
  test.each([
    ['https://app.test/', 'https://app.test/?gr_id=ID'],
    ['https://app.test/join?plan=a%20b&x=1+2#top', 'https://app.test/join?plan=a%20b&x=1+2&gr_id=ID#top'],
    ['https://my.app.test/?', 'https://my.app.test/?gr_id=ID'],
    ['https://www.pay.example/', 'https://www.pay.example/?gr_id=ID'],
    ['https://app.test/?gr_id=old&a=1', 'https://app.test/?a=1&gr_id=ID'],
    ['https://app.test/?old_gr_id=1', 'https://app.test/?old_gr_id=1&gr_id=ID'],
  ])('the link %s becomes %s', async (href, becomes) => {
    const { page, grId = '' } = await arrive();
    expect(page.dispatch('click', new FakeLink(href))).toBe(becomes.replace('ID', grId));
  });

  test.each(['https://notapp.test/', 'https://other.test/?to=app.test', 'mailto:help@app.test'])(
    'the link %s, which leads to no listed domain, stays unchanged',
    async (href) => {
      const { page } = await arrive();
      expect(page.dispatch('click', new FakeLink(href))).toBe(href);
    },
  );

  test.each(['pointerdown', 'contextmenu', 'click'])(
    'a link is decorated once, even by repeated events: %s',
    async (type) => {
      const { page, grId } = await arrive();
      const link = new FakeLink('https://app.test/');
      page.dispatch(type, link);
      expect(page.dispatch(type, link)).toBe(`https://app.test/?gr_id=${grId}`);
    },
  );

  test('a link carries the latest gr_id when it is used', async () => {
    const { browser, page } = await arrive();
    const link = new FakeLink('https://app.test/');
    page.dispatch('click', link);
    page.history.pushState(null, '', '?via=john');
    expect(page.dispatch('click', link)).toBe(`https://app.test/?gr_id=${browser.grId()}`);
    page.gr('consent', false);
    expect(page.dispatch('click', link)).toBe('https://app.test/');
  });

  test('a link carries nothing without data-domains, without a referral and under Global Privacy Control', async () => {
    const link = new FakeLink('https://app.test/');
    const { browser, page } = await arrive({ attributes: { domains: '' } });
    const privatePage = await browser.visit('https://shop.test/', { ...LISTED, globalPrivacyControl: true });
    const direct = await new FakeBrowser().visit('https://shop.test/', LISTED);
    for (const each of [page, privatePage, direct]) expect(each.dispatch('click', link)).toBe('https://app.test/');
  });

  test('a link to the domain of the page itself stays unchanged, even if it is listed', async () => {
    const { page, grId } = await arrive({ attributes: { domains: 'shop.test,app.test' } });
    expect(page.dispatch('click', new FakeLink('https://www.shop.test/'))).toBe('https://www.shop.test/');
    expect(page.dispatch('click', new FakeLink('https://app.test/'))).toBe(`https://app.test/?gr_id=${grId}`);
  });
});

describe('gr_ids in the query', () => {
  const APP = { attributes: { domains: 'shop.test' } };

  test('a gr_id in the query is stored and removed from the address bar', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`https://my.app.test/join?a=b%20c&${QUERY}&d#gr_id=1`, APP);
    expect(browser.cookies.at('app.test')).toMatchObject([{ value: `jane.${ID}`, domain: 'app.test' }]);
    expect(page.history.url.href).toBe('https://my.app.test/join?a=b%20c&d#gr_id=1');
    expect([page.history.length, page.history.state]).toEqual([1, { of: 'the page' }]);
  });

  test.each([
    [`?${QUERY}`, ''],
    [`?${QUERY}&a=1`, '?a=1'],
    [`?${QUERY}#top`, '#top'],
    ['?gr_id=junk&a=1', '?a=1'],
    [`?a=%5F&gr%5Fid=jane.${ID}`, '?a=%5F'],
  ])('a gr_id in the query is removed without changing the rest of the address: %s becomes %j', async (query, rest) => {
    const page = await new FakeBrowser().visit(`https://app.test/${query}`, APP);
    expect(page.history.url.href).toBe(`https://app.test/${rest}`);
  });

  test.each([
    ['last', 'jane'],
    ['first', 'john'],
  ])('a gr_id in the query and a cookie: the %s one wins, and the address is cleaned', async (attribution, slug) => {
    const browser = new FakeBrowser();
    await browser.visit('https://app.test/?via=john');
    const page = await browser.visit(`https://app.test/?${QUERY}`, {
      attributes: { ...APP.attributes, attribution },
    });
    await page.pass(1000);
    expect([browser.slug('app.test'), page.history.url.search, page.logged]).toEqual([slug, '', []]);
    expect(new Set(browser.clickedSlugs())).toEqual(new Set(['john', slug]));
  });

  test.each(['jane', 'mary_ann', '_'])(
    'a gr_id is stored with a dot if a payment provider returns it with an underscore: %s',
    async (slug) => {
      const browser = new FakeBrowser();
      const page = await browser.visit(`https://app.test/paid?gr_id=${slug}_${ID}&session=cs_1`, APP);
      expect([browser.grId('app.test'), page.history.url.search]).toEqual([`${slug}.${ID}`, '?session=cs_1']);
      expect(browser.clicks()).toEqual([{ pk: 'pk_1', gr_id: `${slug}.${ID}` }]);
    },
  );

  test.each(['junk', `Ja_ne.${ID}`, `jane.${ID}0`, `jane-${ID}`, `_${ID}`, ''])(
    'a gr_id in the query is not stored if it is not valid: %s',
    async (junk) => {
      const browser = new FakeBrowser();
      await browser.visit(`https://app.test/?gr_id=${junk}`, APP);
      expect(browser.cookies.writes).toBe(0);
    },
  );

  test('a gr_id in the query is ignored without data-domains', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`https://app.test/?${QUERY}`);
    expect([browser.cookies.writes, page.history.url.search]).toEqual([0, `?${QUERY}`]);
  });

  test('a gr_id in the query waits in memory for consent', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`https://app.test/?${QUERY}`, {
      attributes: { ...APP.attributes, consent: 'required' },
    });
    expect([browser.cookies.writes, page.history.url.search]).toEqual([0, `?${QUERY}`]);
    page.gr('consent', true);
    expect([browser.grId('app.test'), page.history.url.search]).toEqual([`jane.${ID}`, '']);
    expect(browser.clickedSlugs()).toEqual(['jane']);
  });

  test('a gr_id stays the same from one domain to another and back', async () => {
    const { browser, page, grId } = await arrive();
    const there = page.dispatch('click', new FakeLink('https://app.test/'));
    const app = await browser.visit(there, APP);
    await browser.visit(app.dispatch('click', new FakeLink('https://shop.test/')), LISTED);
    expect([browser.grId('app.test'), browser.grId('shop.test')]).toEqual([grId, grId]);
    expect(browser.clicks().map(({ gr_id }) => gr_id)).toEqual([grId, grId]);
  });
});

describe('the click of an adopted gr_id', () => {
  test('the click of an adopted gr_id is sent once, with the same id', async () => {
    const browser = new FakeBrowser();
    await browser.visit(LINKED, LAST);
    expect(browser.clicks()).toEqual([{ pk: 'pk_1', gr_id: GR_ID }]);
    expect(browser.cookieNames()).toEqual(['gr_id']);
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
});

test('a refused gr_id restores the previous gr_id for a full lifetime', async () => {
  const { browser, jane } = await referred();
  browser.knows('jane');
  const page = await browser.visit(LINKED, LAST);
  expect([page.id(), page.history.url.search]).toEqual([[jane], '']);
  expect(browser.cookies.at('shop.test')).toMatchObject([
    { name: 'gr_id', value: jane, attributes: { 'max-age': String(60 * 86_400) } },
  ]);
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

describe('gr_ids in an address with a slug', () => {
  test('a gr_id next to a slug is not sent if the slug is accepted', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(`${LINKED}&via=jane`, LAST);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs(), browser.cookieNames()]).toEqual(['jane', ['jane'], ['gr_id']]);
  });

  test.each([
    ['counts if it is accepted', ['jane', 'john'], 'john'],
    ['restores the gr_id before both if it is refused', ['jane'], 'jane'],
  ])('a gr_id next to a slug is checked after the slug was refused, and %s', async (_, slugs, restored) => {
    const { browser } = await referred();
    browser.knows(...slugs);
    const page = await browser.visit(`${LINKED}&via=nobody`, LAST);
    expect([browser.grId(), page.history.url.search]).toEqual([GR_ID, '?via=nobody']);
    await page.pass(1000);
    expect([browser.slug(), browser.cookieNames()]).toEqual([restored, ['gr_id']]);
    expect(browser.clickedSlugs()).toEqual(['jane', 'nobody', 'john']);
  });
});
