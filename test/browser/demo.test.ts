import { expect, test } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import {
  dashboard,
  hold,
  message,
  openReferrals,
  portal,
  press,
  rowOf,
  signUp,
  steps,
  useDemo,
} from '../support/browser/demo-page.ts';

const demo = useDemo();

/** What the advocate's page says that the advocate has earned. */
const earned = (page: Page) => portal(page).getByRole('group', { name: 'Earned in total', exact: true });

test('from / a newcomer opens the demo, signs up, pays and cancels, and both frames show it', async () => {
  const page = await demo.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(demo.url());
  await page.getByRole('link', { name: 'Demo' }).click();
  await page.getByText('Recommended by Amara Okafor').waitFor();
  await steps(page, 'Followed Amara’s link → click recorded').waitFor();
  await portal(page).getByText('Signed in as Amara Okafor').waitFor();
  const before = /€[\d,]+\.\d\d/.exec((await earned(page).getByText('€').textContent()) ?? '')?.[0] ?? '';
  for (const frame of [portal(page), dashboard(page)]) await openReferrals(frame);

  await page.getByLabel('Office').check();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → converted`).waitFor();
  await page.getByRole('heading', { name: 'Your Office subscription' }).waitFor();
  expect([await page.evaluate('document.activeElement.id'), await page.locator('#sign-up').isVisible()]).toEqual([
    'plans-title',
    false,
  ]);
  for (const frame of [portal(page), dashboard(page)]) await rowOf(frame, email).getByText('Signed up').waitFor();

  await press(page, 'Simulate a payment');
  await steps(page, 'Stripe: invoice.paid → 200').waitFor();
  await steps(page, 'Paid for a month → paid').waitFor();
  for (const frame of [portal(page), dashboard(page)]) await rowOf(frame, email).getByText('Paying').waitFor();
  // 30 % of €59.
  await portal(page).getByRole('link', { name: 'Home', exact: true }).click();
  const after = Number(before.replace(/[€,]/g, '')) + 17.7;
  await earned(page)
    .getByText(`€${after.toLocaleString('en-US', { minimumFractionDigits: 2 })}`, { exact: true })
    .waitFor();
  await openReferrals(portal(page));

  await press(page, 'Simulate a cancellation');
  await steps(page, 'Canceled the subscription → churned').waitFor();
  for (const frame of [portal(page), dashboard(page)]) await rowOf(frame, email).getByText('Cancelled').waitFor();
  expect(await steps(page, '→').count()).toBe(4);
  expect(demo.complaints).toEqual([]);
});

test('the demo site shows that the service is down, and recovers when it is back', async () => {
  const page = await demo.visit();
  await demo.stop();
  const email = await signUp(page);
  await message(page, 'The service does not respond.').waitFor();
  await steps(page, `${email} → no response`).waitFor();

  await demo.startAgain();
  await signUp(page, email);
  await openReferrals(portal(page));
  await rowOf(portal(page), email).getByText('Signed up').waitFor();
});

test('no button works while a request is pending', async () => {
  const page = await demo.visit();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(new URL(request.url()).pathname);
  });
  const { release } = await hold(page, '**/demo/payment');
  await page.getByRole('button', { name: 'Simulate a payment' }).dblclick();
  await steps(page, 'Paid for a month → waiting …').waitFor();
  await page.getByRole('button', { name: 'Simulate a cancellation' }).focus();
  await page.keyboard.press('Enter');
  release();
  await steps(page, 'Paid for a month → paid').waitFor();
  expect(requests).toEqual(['/demo/payment']);
});

test('a sign-up whose response is lost can be repeated and counts once', async () => {
  const page = await demo.visit();
  let isLost = true;
  await page.route('**/demo/sign-up', async (route) => {
    const response = await route.fetch();
    await (isLost ? route.abort() : route.fulfill({ response }));
  });
  const email = await signUp(page);
  await steps(page, `${email} → no response`).waitFor();
  isLost = false;
  await press(page, 'Start my subscription');
  await steps(page, `Signed up as ${email} → converted`).waitFor();
});

const WIDE = { width: 1280, height: 800 };

/** The address of the page in a frame. */
const addressOf = (page: Page, path: string) =>
  page.frames().flatMap((frame) => (new URL(frame.url()).pathname === path ? [frame.url()] : []))[0];

test('a change in the shop shows in the dashboard’s view and dialog, which stay as they are', async () => {
  const page = await demo.visit({ viewport: WIDE });
  const merchant = dashboard(page);
  for (const frame of [portal(page), merchant]) await openReferrals(frame);
  await merchant.getByRole('button', { name: 'Filters' }).click();
  await merchant.getByRole('combobox', { name: 'State' }).selectOption('Signed up');
  const email = await signUp(page);
  await rowOf(merchant, email).waitFor();
  expect(addressOf(page, '/dashboard')).toMatch(/\/dashboard#\/referrals\?state=converted$/);

  await merchant.getByRole('button', { name: 'Add referral' }).click();
  const typed = merchant.getByRole('dialog', { name: 'New referral' }).getByRole('textbox', { name: 'Your id' });
  await typed.fill('half typed');
  await press(page, 'Simulate a payment');
  await rowOf(portal(page), email).getByText('Paying').waitFor();
  expect(await typed.inputValue()).toBe('half typed');
  expect(demo.complaints).toEqual([]);
});

test('no address in the history of the page contains a token', async () => {
  const page = await demo.newPage({ viewport: WIDE });
  await page.goto(demo.printedAddress());
  await portal(page).getByText('Signed in as Amara Okafor').waitFor();
  await dashboard(page).getByRole('button', { name: 'Account' }).waitFor();
  expect(page.frames().filter((frame) => /rt[ap]_/.test(frame.url()))).toEqual([]);
  expect(await page.evaluate('history.length')).toBe(2);
  const storage = 'JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])';
  expect(await page.evaluate(storage)).not.toMatch(/rt[ap]_/);
});

/** Opens the settings of payouts in the dashboard, and saves another day. Resolves to the day that stood there. */
async function savePayoutDay(merchant: Page | FrameLocator, day: string): Promise<string> {
  await merchant.getByRole('link', { name: 'Settings', exact: true }).click();
  const sections = merchant.getByRole('navigation', { name: 'Settings' });
  await sections.getByRole('link', { name: 'Payouts', exact: true }).click();
  const field = merchant.getByRole('textbox', { name: 'Payout day', exact: true });
  await field.waitFor();
  const before = await field.inputValue();
  await field.fill(day);
  await merchant.getByRole('button', { name: 'Save', exact: true }).click();
  await merchant.getByRole('status').filter({ hasText: 'Saved.' }).first().waitFor();
  return before;
}

test('the link on the overview opens the dashboard as often as one likes, and settings can be changed there and in the demo', async () => {
  const page = await demo.newPage({ viewport: WIDE });
  for (const [before, day] of [
    ['5', '11'],
    ['11', '12'],
  ] as const) {
    await page.goto(demo.url());
    const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    expect((await revoked).status()).toBe(204);
    expect(await savePayoutDay(page, day)).toBe(before);
  }
  await page.goto(demo.printedAddress());
  await dashboard(page).getByRole('button', { name: 'More', exact: true }).click();
  expect(await savePayoutDay(dashboard(page), '5')).toBe('12');
  expect(demo.complaints).toEqual([]);
});

test('at a width of 320 pixels, tabs show one page at a time', async () => {
  const page = await demo.visit({ viewport: { width: 320, height: 800 } });
  for (const [tab, shown] of [
    ['Advocate', [false, true, false]],
    ['Merchant', [false, false, true]],
    ['Shop', [true, false, false]],
  ] as const) {
    await page.getByRole('radio', { name: tab, exact: true }).check();
    expect([
      await page.getByRole('heading', { name: 'Choose your plan' }).isVisible(),
      await page.locator('#portal').isVisible(),
      await page.locator('#dashboard').isVisible(),
    ]).toEqual(shown);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  }
});
