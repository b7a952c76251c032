import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { hold, message, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const CLICK = '**/v2/tracking/click';
const SCRIPT = '**/gr.js';
const LIST = '**/v1/affiliate/referrals?*';

/** Waits until the page has read and shown the list several times. Its reads never overlap. */
async function severalReads(page: Page): Promise<void> {
  for (let read = 1; read <= 5; read += 1) {
    await page.waitForRequest((request) => request.url().includes('/affiliate/referrals?state_eq=clicked'));
  }
}

test('a click is shown as waiting until its response arrives', async () => {
  const page = await demo.newPage();
  const { release } = await hold(page, CLICK);
  await page.goto(demo.printedAddress());
  await severalReads(page);
  expect(await steps(page, '→').allTextContents()).toEqual([
    expect.stringContaining('Followed Amara’s link → waiting …'),
  ]);
  await message(page, 'Waiting for the response of the service').waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await message(page, 'Now choose a plan and sign up').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
});

test('a recorded click is never shown as lost, even if the list is late', async () => {
  const page = await demo.newPage();
  // Every read returns the list from before the click, like a slow response or a lagging index.
  const headers = { authorization: `Bearer ${demo.affiliateToken()}` };
  const before = fetch(`${demo.url()}/v1/affiliate/referrals?state_eq=clicked&per_page=50`, { headers });
  const body = await (await before).text();
  let isLate = true;
  await page.route(LIST, (route: Route) =>
    isLate && route.request().url().includes('state_eq=clicked')
      ? route.fulfill({ body, contentType: 'application/json' })
      : route.continue(),
  );
  await page.goto(demo.printedAddress());
  await severalReads(page);
  isLate = false;
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
});

test('the page waits for a tracking script that loads slowly', async () => {
  const page = await demo.newPage();
  const { release } = await hold(page, SCRIPT);
  await page.goto(demo.printedAddress(), { waitUntil: 'domcontentloaded' });
  await severalReads(page);
  await message(page, 'Loading the tracking script').waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
});

test('another file in place of the tracking script counts as not loaded', async () => {
  const page = await demo.newPage();
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(demo.printedAddress());
  await message(page, 'The tracking script did not load').waitFor();
});

test('the dashboard shows that the list is late, and that it is live again', async () => {
  const page = await demo.newPage();
  const { release } = await hold(page, LIST);
  await page.goto(demo.printedAddress());
  await page.getByText('Waiting for the service …').waitFor();
  await steps(page, 'click recorded').waitFor();
  release();
  await page.getByText('Live,').waitFor();
});

test('a visitor can sign up before the click has its response', async () => {
  const page = await demo.newPage();
  const { release } = await hold(page, CLICK);
  await page.goto(demo.printedAddress());
  await steps(page, 'Followed Amara’s link → waiting …').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await message(page, 'Now simulate the first payment').waitFor();
});

test('the dashboard shows a rate limit and recovers from it', async () => {
  const page = await demo.newPage();
  let isLimited = true;
  await page.route(LIST, (route) =>
    isLimited
      ? route.fulfill({
          status: 429,
          contentType: 'application/json',
          body: '{"message":"Too Many Requests"}',
        })
      : route.continue(),
  );
  await page.goto(demo.printedAddress());
  await page.getByRole('alert').filter({ hasText: 'more requests than it allows' }).waitFor();
  isLimited = false;
  await page.getByText('Live,').waitFor();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
});
