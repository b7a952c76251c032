import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { cookiesAfterClick, countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';

const shop = useShop();
const CLICK = '**/v2/tracking/click';

/** Waits until the page has marked its click as unsent. */
const markedUnsent = (page: Page) => page.waitForFunction("document.cookie.includes('gr_unsent=')");

test.each([
  ['is blocked', (route: Route) => route.abort('blockedbyclient')],
  ['fails', (route: Route) => route.fulfill({ status: 503 })],
  // The response of the firewall (lib/web-acl.ts). AWS's own 403 has no CORS header, as if the request were blocked.
  [
    'exceeds a limit of the edge',
    (route: Route) =>
      route.fulfill({
        status: 429,
        headers: { 'access-control-allow-origin': '*', 'retry-after': '300' },
        json: { message: 'Too Many Requests' },
      }),
  ],
  ['has no response before the visitor leaves', () => undefined],
])('a click that %s keeps the attribution and is retried on the next page', async (_, hinder) => {
  const page = await shop.newPage();
  let isHindered = true;
  // The route is never removed: removing it would let a waiting request through.
  await page.route(CLICK, (route) => (isHindered ? hinder(route) : route.continue()));
  const sent = page.waitForRequest(CLICK);
  await page.goto(shop.url('www.shop.test', '/?via=jane&gr_sub=spring+%3B'));
  await Promise.all([sent, markedUnsent(page)]);
  const grId = await grIdOf(page);
  expect(grId).toMatch(/^jane\./);
  expect(await shop.stored(grId)).toBeUndefined();

  isHindered = false;
  const result = nextClickResult(page.context());
  await page.goto(shop.url('app.shop.test', '/pricing'));
  expect(await result).toBe('recorded');
  expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', subId: 'spring ;' });
  expect(await cookiesAfterClick(page)).toMatchObject([{ name: 'gr_id', value: grId }]);

  const clicks = countRequests(page);
  await page.goto(shop.url('app.shop.test', '/sign-up'));
  expect(await clicks()).toBe(0);
});

test('a click that fails twice is not retried again', async () => {
  const page = await shop.newPage();
  const clicks = countRequests(page);
  await page.route(CLICK, (route) => route.abort());
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await markedUnsent(page);
  for (const path of ['/a', '/b', '/c']) await page.goto(shop.url('shop.test', path));
  expect(await clicks()).toBe(2);
});

test('a click that fails late is retried on the next page', async () => {
  const page = await shop.newPage();
  const clicks = countRequests(page);
  let fail: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route(CLICK, async (route) => {
    await late;
    await route.fulfill({ status: 503 });
  });
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await page.evaluate("history.pushState(null, '', '/pricing')");
  expect(await clicks()).toBe(1);
  const failed = page.waitForResponse(CLICK);
  fail();
  await failed;
  await page.unroute(CLICK);
  const result = nextClickResult(page.context());
  await page.goto(shop.url('shop.test', '/a'));
  expect(await result).toBe('recorded');
  await page.goto(shop.url('shop.test', '/b'));
  expect(await clicks()).toBe(2);
});

test('a page renders and works while the server of the script hangs', async () => {
  shop.setContent({ body: '<button onclick="this.textContent = \'Pressed\'">Press</button>' });
  const page = await shop.newPage();
  await page.route('**/gr.js', () => undefined);
  await page.goto(shop.url('shop.test', '/?via=jane'), { waitUntil: 'domcontentloaded' });
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length === 1");
  await page.getByText('Press').click();
  await page.getByText('Pressed').waitFor();
  await page.evaluate("gr('track', 'conversion', { email: 'a@example.com' }), gr('ready', () => undefined)");
});

test('a page works without the script if it cannot be loaded', async () => {
  const page = await shop.newPage();
  await page.route('**/gr.js', (route) => route.abort());
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await page.evaluate("gr('id', () => undefined)");
  expect([errors, await page.context().cookies()]).toEqual([[], []]);
});
