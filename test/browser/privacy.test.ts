import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { answeredClick, countAsked, grIdOn, useShop } from '../support/shop.ts';

const shop = useShop();

/** Opens a landing page and tells what it has kept and sent. */
async function tracesOn(page: Page, url = shop.url('shop.test', '/?via=jane')) {
  const clicks = countAsked(page);
  await page.goto(url);
  return { id: await grIdOn(page), clicks: await clicks(), cookies: await page.context().cookies() };
}

const NO_TRACES = { id: null, clicks: 0, cookies: [] };

test('where consent is required nothing is kept or sent before it is given, and nothing stays when it is withdrawn', async () => {
  shop.hold({ attributes: { 'data-consent': 'required' } });
  const page = await shop.newPage();
  expect(await tracesOn(page)).toEqual(NO_TRACES);
  const answer = answeredClick(page.context());
  await page.evaluate("history.pushState(null, '', '/pricing'), gr('consent', true)");
  expect(await answer).toBe('recorded');
  expect(await shop.stored(await grIdOn(page))).toMatchObject({ advocateSlug: 'jane' });
  // Chromium writes cookies in its own time, but before a page reads them.
  expect(await page.evaluate("gr('consent', false), document.cookie")).toBe('');
  expect([await page.context().cookies(), await grIdOn(page)]).toEqual([[], null]);
});

test('a refusal before the script has loaded is obeyed', async () => {
  shop.hold({ head: "<script>gr('consent', false)</script>" });
  expect(await tracesOn(await shop.newPage())).toEqual(NO_TRACES);
});

test('under Global Privacy Control nothing is kept or sent', async () => {
  const page = await shop.newPage();
  // Chromium has no such setting of its own; browsers that have one show it in this way.
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })");
  expect(await tracesOn(page)).toEqual(NO_TRACES);
});

test.each([
  ['another origin', 'app.shop.test', null],
  ['its own origin', 'shop.test', expect.stringMatching(/^jane\./)],
])('a page in a frame of %s: %s', async (_, host, grId) => {
  const page = await shop.newPage();
  await page.goto(shop.url(host));
  const landing = shop.url('shop.test', '/?via=jane');
  await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${landing}' }))`);
  const frame = await page.waitForSelector('iframe').then((element) => element.contentFrame());
  await frame?.waitForURL(landing);
  expect(await frame?.evaluate("new Promise((done) => gr('id', done))")).toEqual(grId);
});

test('nothing but the cookie is kept in the browser', async () => {
  const page = await shop.newPage();
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await grIdOn(page);
  const stores = '[localStorage.length, sessionStorage.length, indexedDB.databases(), window.name]';
  expect(await page.evaluate(`Promise.all(${stores})`)).toEqual([0, 0, [], '']);
});
