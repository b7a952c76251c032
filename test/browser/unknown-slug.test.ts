import { describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { cookiesAfterClick, countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';

const shop = useShop();
const CLICK = '**/v2/tracking/click';
const DAY = 86_400;

/** Holds the clicks of a page until the returned function is called. */
async function holdClicks(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(CLICK, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Opens the shop through jane's link, and waits until the click is recorded. Returns the `gr_id`. */
async function referred(page: Page): Promise<string | null> {
  const result = nextClickResult(page.context());
  await page.goto(shop.url('www.shop.test', '/?via=jane'));
  expect(await result).toBe('recorded');
  await cookiesAfterClick(page);
  return grIdOf(page);
}

/** Waits until a page has a `gr_id` of this slug, and no click without a response. */
async function settledOn(page: Page, slug: string): Promise<string | null> {
  await page.waitForFunction(`/^gr_id=${slug}\\.[^;]*$/.test(document.cookie)`);
  return grIdOf(page);
}

const setAttribution = (attribution: string) =>
  shop.setContent({ attributes: { 'data-attribution': attribution, 'data-cookie-days': '30' } });

test('an unknown slug after a known one restores the previous gr_id for a full lifetime', async () => {
  setAttribution('last');
  const page = await shop.newPage();
  const jane = await referred(page);
  const refusal = page.waitForResponse(CLICK);
  await page.goto(shop.url('www.shop.test', '/?ref=producthunt'));
  expect([(await refusal).status(), await settledOn(page, 'jane')]).toEqual([400, jane]);
  const before = Date.now() / 1000;
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'gr_id', value: jane, domain: '.shop.test', sameSite: 'Lax' });
  // Chromium rounds the expiry, and the page has stored the cookie a moment ago.
  expect(Math.abs((cookie?.expires ?? 0) - before - 30 * DAY)).toBeLessThan(DAY);
});

describe.each(['last', 'first'])('the attribution "%s"', (attribution) => {
  test('an unknown slug before a known one is forgotten', async () => {
    setAttribution(attribution);
    const page = await shop.newPage();
    const refusal = page.waitForResponse(CLICK);
    await page.goto(shop.url('shop.test', '/?via=nobody'));
    await refusal;
    await page.waitForFunction("document.cookie === ''");
    const result = nextClickResult(page.context());
    await page.goto(shop.url('shop.test', '/?via=jane'));
    expect([await result, await grIdOf(page)]).toEqual(['recorded', await settledOn(page, 'jane')]);
  });

  test.each([
    ['blocked', (route: Route) => route.abort('blockedbyclient')],
    ['failed with 503', (route: Route) => route.fulfill({ status: 503 })],
    ['answered with 429', (route: Route) => route.fulfill({ status: 429 })],
    [
      'refused in a response that the page may not read',
      (route: Route) =>
        route.fulfill({
          status: 400,
          headers: {
            'x-error-code': 'invalid_affiliate_slug',
            'access-control-allow-origin': 'https://elsewhere.test',
          },
        }),
    ],
    ['not answered before the visitor leaves', () => undefined],
  ])('the next page knows an unknown slug whose click is %s', async (_, hinder) => {
    setAttribution(attribution);
    const page = await shop.newPage();
    const jane = attribution === 'last' ? await referred(page) : undefined;
    let isHindered = true;
    // The route is never removed: removing it would let a waiting request through.
    await page.route(CLICK, (route) => (isHindered ? hinder(route) : route.continue()));
    const sent = page.waitForRequest(CLICK);
    await page.goto(shop.url('www.shop.test', '/?via=nobody'));
    await sent;
    expect(await grIdOf(page)).toMatch(/^nobody\./);

    isHindered = false;
    // Where the first slug stays, the unknown one was the first. Once it is refused, the slug of this page counts.
    await page.goto(shop.url('app.shop.test', attribution === 'last' ? '/pricing' : '/pricing?via=jane'));
    const grId = await settledOn(page, 'jane');
    if (jane) expect(grId).toBe(jane);
    while (!(await shop.stored(grId)));

    const clicks = countRequests(page);
    await page.goto(shop.url('app.shop.test', '/sign-up'));
    expect([await grIdOf(page), await clicks()]).toEqual([grId, 0]);
  });

  test('a slow refusal takes effect on the page that has changed its address meanwhile', async () => {
    setAttribution(attribution);
    const page = await shop.newPage();
    const jane = attribution === 'last' ? await referred(page) : undefined;
    const release = await holdClicks(page);
    await page.goto(shop.url('www.shop.test', '/?via=nobody'));
    expect(await grIdOf(page)).toMatch(/^nobody\./);
    await page.evaluate(`history.pushState(null, '', '/pricing${jane ? '' : '?via=jane'}')`);
    expect(await grIdOf(page)).toMatch(/^nobody\./);
    release();
    const grId = await settledOn(page, 'jane');
    if (jane) expect(grId).toBe(jane);
    while (!(await shop.stored(grId)));
  });
});

test('several blocked clicks of unknown slugs in a row restore the gr_id before all of them', async () => {
  const page = await shop.newPage();
  const jane = await referred(page);
  let isHindered = true;
  await page.route(CLICK, (route) => (isHindered ? route.abort() : route.continue()));
  for (const slug of ['nobody', 'noone']) {
    await page.goto(shop.url('www.shop.test', `/?via=${slug}`));
    expect(await grIdOf(page)).toMatch(new RegExp(`^${slug}\\.`));
  }
  isHindered = false;
  await page.goto(shop.url('www.shop.test', '/?via=nothing'));
  expect(await settledOn(page, 'jane')).toBe(jane);
});

test('a refusal in one tab does not replace the gr_id that another tab has stored since', async () => {
  const page = await shop.newPage();
  await referred(page);
  const release = await holdClicks(page);
  await page.goto(shop.url('www.shop.test', '/?via=nobody'));
  expect(await grIdOf(page)).toMatch(/^nobody\./);
  const tab = await page.context().newPage();
  await tab.goto(shop.url('app.shop.test', '/?via=john'));
  const john = await settledOn(tab, 'john');
  const refusal = page.waitForResponse(CLICK);
  release();
  await refusal;
  // The page handles the response before it handles this one, which is requested later.
  await page.evaluate("fetch('/').then((response) => response.text())");
  expect([await grIdOf(page), await grIdOf(tab)]).toEqual([john, john]);
});

test('a mark with a deeper path, which the script cannot delete, does not hide the mark of the click', async () => {
  const page = await shop.newPage();
  const jane = await referred(page);
  await page.context().addCookies([{ name: 'gr_unsent', value: 'junk/junk', domain: 'www.shop.test', path: '/shop' }]);
  const refusal = page.waitForResponse(CLICK);
  await page.goto(shop.url('www.shop.test', '/shop/shoes?via=nobody&gr_sub=spring'));
  expect((await refusal).request().postDataJSON()).toMatchObject({ sub_id: 'spring' });
  await page.waitForFunction(`document.cookie.includes('gr_id=${jane}')`);
});

test('nothing is restored if consent is withdrawn while an unknown slug has no response', async () => {
  shop.setContent({ attributes: { 'data-consent': 'required' }, head: "<script>gr('consent', true)</script>" });
  const page = await shop.newPage();
  await referred(page);
  const release = await holdClicks(page);
  await page.goto(shop.url('www.shop.test', '/?via=nobody'));
  expect(await grIdOf(page)).toMatch(/^nobody\./);
  await page.evaluate("gr('consent', false)");
  const refusal = page.waitForResponse(CLICK);
  release();
  await refusal;
  await page.evaluate("fetch('/').then((response) => response.text())");
  expect([await page.evaluate('document.cookie'), await grIdOf(page)]).toEqual(['', null]);
});

describe("a visitor of an advocate's link, then of one that a launch site has extended, who signs up", () => {
  test.each([
    ['on the same page', (page: Page) => settledOn(page, 'jane')],
    [
      'on the next page, to which the visitor goes immediately',
      async (page: Page) => {
        await page.goto(shop.url('app.shop.test', '/sign-up'));
        return settledOn(page, 'jane');
      },
    ],
  ])('a sign-up %s is credited to the advocate', async (_, signUp) => {
    const page = await shop.newPage();
    const jane = await referred(page);
    await page.goto(shop.url('www.shop.test', '/?ref=producthunt'));
    const grId = await signUp(page);
    expect(grId).toBe(jane);
    const email = `${grId?.slice(-12)}@example.com`;
    expect(await shop.reportConversion({ gr_id: grId, email })).toBe(201);
    // The click has become the referral.
    expect(await shop.stored(jane)).toMatchObject({ advocateSlug: 'jane', state: 'converted', email });
  });
});
