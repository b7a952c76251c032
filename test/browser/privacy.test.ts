import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';

const shop = useShop();

/** Opens a landing page. Returns what it has stored and sent. */
async function tracesOn(page: Page, url = shop.url('shop.test', '/?via=jane')) {
  const clicks = countRequests(page);
  await page.goto(url);
  return { id: await grIdOf(page), clicks: await clicks(), cookies: await page.context().cookies() };
}

const NO_TRACES = { id: null, clicks: 0, cookies: [] };

test('nothing is stored or sent before required consent, and nothing remains after it is withdrawn', async () => {
  shop.setContent({ attributes: { 'data-consent': 'required' } });
  const page = await shop.newPage();
  expect(await tracesOn(page)).toEqual(NO_TRACES);
  const result = nextClickResult(page.context());
  await page.evaluate("history.pushState(null, '', '/pricing'), gr('consent', true)");
  expect(await result).toBe('recorded');
  expect(await shop.stored(await grIdOf(page))).toMatchObject({ advocateSlug: 'jane' });
  // Chromium writes cookies asynchronously, but before a page reads them.
  expect(await page.evaluate("gr('consent', false), document.cookie")).toBe('');
  expect([await page.context().cookies(), await grIdOf(page)]).toEqual([[], null]);
});

test('a refusal before the script loads is respected', async () => {
  shop.setContent({ head: "<script>gr('consent', false)</script>" });
  expect(await tracesOn(await shop.newPage())).toEqual(NO_TRACES);
});

test('nothing is stored or sent under Global Privacy Control', async () => {
  const page = await shop.newPage();
  // Chromium does not implement Global Privacy Control. Other browsers expose it as this property.
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })");
  expect(await tracesOn(page)).toEqual(NO_TRACES);
});

test.each([
  ['another origin', 'app.shop.test', null],
  ['the same origin', 'shop.test', expect.stringMatching(/^jane\./)],
])('a page in a frame of %s: %s', async (_, host, grId) => {
  const page = await shop.newPage();
  await page.goto(shop.url(host));
  const landing = shop.url('shop.test', '/?via=jane');
  await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${landing}' }))`);
  const frame = await page.waitForSelector('iframe').then((element) => element.contentFrame());
  await frame?.waitForURL(landing);
  expect(await frame?.evaluate("new Promise((done) => gr('id', done))")).toEqual(grId);
});

test('nothing but the cookie is stored in the browser', async () => {
  const page = await shop.newPage();
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await grIdOf(page);
  const stores = '[localStorage.length, sessionStorage.length, indexedDB.databases(), window.name]';
  expect(await page.evaluate(`Promise.all(${stores})`)).toEqual([0, 0, [], '']);
});
