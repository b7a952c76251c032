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
  // The response of the firewall (lib/operations/web-acl.ts). AWS's own 403 has no CORS header, as if the request were blocked.
  [
    'exceeds a limit of the edge',
    (route: Route) =>
      route.fulfill({
        status: 429,
        headers: { 'access-control-allow-origin': '*', 'retry-after': '300' },
        json: { message: 'Too Many Requests' },
      }),
  ],
  [
    'gets a refusal that the page may not read',
    (route: Route) =>
      route.fulfill({
        status: 400,
        headers: { 'x-error-code': 'invalid_affiliate_slug', 'access-control-allow-origin': 'https://elsewhere.test' },
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

const DAY = 86_400;

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

test('an unknown slug after a known one restores the previous gr_id for a full lifetime', async () => {
  shop.setContent({ attributes: { 'data-cookie-days': '30' } });
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

test("a sign-up after an advocate's link, then one that a launch site has extended, is credited to the advocate", async () => {
  const page = await shop.newPage();
  const jane = await referred(page);
  await page.goto(shop.url('www.shop.test', '/?ref=producthunt'));
  // The visitor goes to the next page immediately.
  await page.goto(shop.url('app.shop.test', '/sign-up'));
  const grId = await settledOn(page, 'jane');
  expect(grId).toBe(jane);
  const email = `${grId?.slice(-12)}@example.com`;
  expect(await shop.reportConversion({ gr_id: grId, email })).toBe(201);
  // The click has become the referral.
  expect(await shop.stored(jane)).toMatchObject({ advocateSlug: 'jane', state: 'converted', email });
});
