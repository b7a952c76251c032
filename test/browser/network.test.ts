import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { answeredClick, countAsked, grIdOn, useShop } from '../support/shop.ts';

const shop = useShop();
const CLICK = '**/v2/tracking/click';

/** Waits until the page has noticed that its click was not sent. */
const failure = (page: Page) => page.waitForFunction("document.cookie.includes('gr_unsent=')");

test.each([
  ['is blocked', (route: Route) => route.abort('blockedbyclient')],
  ['fails', (route: Route) => route.fulfill({ status: 503 })],
])(
  'a click that %s loses nothing of the attribution, and is sent once more on the next page',
  async (_, hinder) => {
    const page = await shop.newPage();
    await page.route(CLICK, hinder);
    await page.goto(shop.url('www.shop.test', '/?via=jane&gr_sub=spring+%3B'));
    await failure(page);
    const grId = await grIdOn(page);
    expect(grId).toMatch(/^jane\./);
    expect(await shop.stored(grId)).toBeUndefined();

    await page.unroute(CLICK);
    const answer = answeredClick(page.context());
    await page.goto(shop.url('app.shop.test', '/pricing'));
    expect(await answer).toBe('recorded');
    expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', subId: 'spring ;' });
    expect(await page.context().cookies()).toMatchObject([{ name: 'gr_id', value: grId }]);

    const clicks = countAsked(page);
    await page.goto(shop.url('app.shop.test', '/sign-up'));
    expect(await clicks()).toBe(0);
  },
);

test('a click that fails twice is not sent a third time', async () => {
  const page = await shop.newPage();
  const clicks = countAsked(page);
  await page.route(CLICK, (route) => route.abort());
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await failure(page);
  for (const path of ['/a', '/b', '/c']) await page.goto(shop.url('shop.test', path));
  expect(await clicks()).toBe(2);
});

test('a page shows and works while the server of the script hangs', async () => {
  shop.hold({ body: '<button onclick="this.textContent = \'Pressed\'">Press</button>' });
  const page = await shop.newPage();
  await page.route('**/gr.js', () => undefined);
  await page.goto(shop.url('shop.test', '/?via=jane'), { waitUntil: 'domcontentloaded' });
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length === 1");
  await page.getByText('Press').click();
  await page.getByText('Pressed').waitFor();
  await page.evaluate("gr('track', 'conversion', { email: 'a@example.com' }), gr('ready', () => undefined)");
});

test('where the script cannot be loaded, the page goes on without it', async () => {
  const page = await shop.newPage();
  await page.route('**/gr.js', (route) => route.abort());
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await page.evaluate("gr('id', () => undefined)");
  expect([errors, await page.context().cookies()]).toEqual([[], []]);
});
