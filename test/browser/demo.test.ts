import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dashboard, message, portal, press, rowOf, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();

/** Opens the demo site at the printed address. */
async function visit(): Promise<Page> {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  return page;
}

/** What the advocate's page says that the advocate has earned this month. */
const earned = (page: Page) =>
  portal(page).getByRole('group', { name: 'Earned', exact: true }).locator('.stat-value').first();

test('from / a newcomer opens the demo, signs up, pays and cancels, and both frames show it', async () => {
  const page = await demo.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(demo.url());
  await page.getByRole('link', { name: 'Demo' }).click();
  await page.getByText('Recommended by Amara Okafor').waitFor();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await portal(page).getByText('Signed in as Amara Okafor').waitFor();
  await dashboard(page).getByRole('link', { name: 'Referrals', exact: true }).click();
  const before = (await earned(page).textContent()) ?? '';
  expect(before).toMatch(/^€\d+\.\d\d$/);

  await page.getByLabel('Office').check();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → converted`).waitFor();
  await page.getByRole('heading', { name: 'Your Office subscription' }).waitFor();
  expect([await page.evaluate('document.activeElement.id'), await page.locator('#sign-up').isVisible()]).toEqual([
    'plans-title',
    false,
  ]);
  for (const frame of [portal(page), dashboard(page)]) await rowOf(frame, email).getByText('converted').waitFor();

  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();
  for (const frame of [portal(page), dashboard(page)]) await rowOf(frame, email).getByText('paid').waitFor();
  // 30 % of €59.
  await portal(page)
    .getByText(`€${(Number(before.slice(1)) + 17.7).toFixed(2)}`)
    .first()
    .waitFor();

  await press(page, 'Simulate a cancellation');
  await steps(page, 'Canceled the subscription → churned').waitFor();
  for (const frame of [portal(page), dashboard(page)]) await rowOf(frame, email).getByText('churned').waitFor();
  expect(await steps(page, '→').count()).toBe(4);
  expect(demo.complaints).toEqual([]);
});

test('the demo site continues after a reload', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → converted`).waitFor();
  await message(page, 'Now simulate the first payment').waitFor();
  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();

  await page.reload();
  await steps(page, `Came back as ${email} → paid`).waitFor();
  await message(page, 'Now simulate the cancellation').waitFor();
  expect(await page.locator('#sign-up').isVisible()).toBe(false);
  await press(page, 'Simulate a cancellation');
  await steps(page, 'Canceled the subscription → churned').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('the demo site explains that an email already belongs to a customer', async () => {
  const page = await visit();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await press(page, 'Start over as a new visitor');
  await steps(page, 'click recorded').waitFor();
  await signUp(page, email);
  await message(page, 'This email already belongs to a customer').waitFor();
  await steps(page, `Signed up as ${email} → refused`).waitFor();
  await page.getByText('Try again, with another email').waitFor();
  expect(demo.complaints).toEqual([]);
});

test('the demo site shows that the service is down, and recovers when it is back', async () => {
  const page = await visit();
  await steps(page, 'click recorded').waitFor();
  await demo.stop();
  const email = await signUp(page);
  await message(page, 'The service does not respond.').waitFor();
  await steps(page, `${email} → no response`).waitFor();

  await demo.startAgain();
  await signUp(page, email);
  await rowOf(portal(page), email).getByText('converted').waitFor();
});

test('the demo site starts over as a new visitor with a new click', async () => {
  const page = await visit();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await press(page, 'Start over as a new visitor');
  await steps(page, 'click recorded').waitFor();
  expect(await steps(page, email).count()).toBe(0);
  await page.getByLabel('Email', { exact: true }).waitFor();
});
