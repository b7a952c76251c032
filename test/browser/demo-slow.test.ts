import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { said, signUp, steps, useDemo } from '../support/demo-page.ts';

const demo = useDemo();
const CLICK = '**/v2/tracking/click';
const SCRIPT = '**/gr.js';
const LIST = '**/demo/referrals?*';

/** Holds the requests of an address until the test releases them. What is asked for later passes. */
async function hold(page: Page, address: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until the page has read the list several times and shown what it read: it does one after the other. */
async function severalLooks(page: Page): Promise<void> {
  for (let look = 1; look <= 5; look += 1) {
    await page.waitForRequest((request) => request.url().includes('/demo/referrals?state_eq=clicked'));
  }
}

test('a click whose response is late is waited for, and recorded when the response arrives', async () => {
  const page = await demo.newPage();
  const release = await hold(page, CLICK);
  await page.goto(demo.printedAddress());
  await severalLooks(page);
  expect(await steps(page, '→').allTextContents()).toEqual([
    expect.stringContaining('Followed Amara’s link → waiting …'),
  ]);
  await said(page, 'Waiting for the response of the service').waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await said(page, 'Now choose a plan and sign up').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
});

test('a click that was recorded is never shown as lost because the list is late', async () => {
  const page = await demo.newPage();
  // Every look gets the list as it was before the click, as from a slow response or a lagging index.
  const before = fetch(`${demo.url()}/demo/referrals?state_eq=clicked&per_page=50`);
  const body = await (await before).text();
  let isLate = true;
  await page.route(LIST, (route: Route) =>
    isLate && route.request().url().includes('state_eq=clicked')
      ? route.fulfill({ body, contentType: 'application/json' })
      : route.continue(),
  );
  await page.goto(demo.printedAddress());
  await severalLooks(page);
  isLate = false;
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  expect(await steps(page, '→').count()).toBe(1);
});

test('a tracking script that loads slowly is waited for', async () => {
  const page = await demo.newPage();
  const release = await hold(page, SCRIPT);
  await page.goto(demo.printedAddress(), { waitUntil: 'domcontentloaded' });
  await severalLooks(page);
  await said(page, 'Loading the tracking script').waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
});

test('something else in place of the tracking script counts as no script', async () => {
  const page = await demo.newPage();
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(demo.printedAddress());
  await said(page, 'The tracking script did not load').waitFor();
});

test('a list that is late shows as such, and as live when it arrives', async () => {
  const page = await demo.newPage();
  const release = await hold(page, LIST);
  await page.goto(demo.printedAddress());
  await page.getByText('Waiting for the service …').waitFor();
  await steps(page, 'click recorded').waitFor();
  release();
  await page.getByText('Live,').waitFor();
});

test('a visitor who signs up before the response to the click becomes a customer, and the story stays true', async () => {
  const page = await demo.newPage();
  const release = await hold(page, CLICK);
  await page.goto(demo.printedAddress());
  await steps(page, 'Followed Amara’s link → waiting …').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  release();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await said(page, 'Now simulate the first payment').waitFor();
});

test('a list that the service limits shows why, and continues', async () => {
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
