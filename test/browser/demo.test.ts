import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  dashboard,
  hold,
  message,
  portal,
  press,
  rowOf,
  signUp,
  steps,
  useDemo,
} from '../support/browser/demo-page.ts';

const demo = useDemo();

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
  await steps(page, 'Stripe: invoice.paid → 200').waitFor();
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
  const page = await demo.visit();
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

test('the demo site shows that the service is down, and recovers when it is back', async () => {
  const page = await demo.visit();
  await demo.stop();
  const email = await signUp(page);
  await message(page, 'The service does not respond.').waitFor();
  await steps(page, `${email} → no response`).waitFor();

  await demo.startAgain();
  await signUp(page, email);
  await rowOf(portal(page), email).getByText('converted').waitFor();
});

const PAYMENT = 'Simulate a payment';
const CANCELLATION = 'Simulate a cancellation';
const SIGN_UP = 'Start my subscription';

/** Signs up a customer referred by Amara, and collects the POST requests of the page from then on. */
async function aCustomer() {
  const page = await demo.visit();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(new URL(request.url()).pathname);
  });
  return { page, email, requests };
}

/** Returns the names of the enabled buttons. */
async function enabled(page: Page): Promise<string[]> {
  const names = [PAYMENT, CANCELLATION];
  const states = await Promise.all(names.map((name) => page.getByRole('button', { name }).isEnabled()));
  return names.filter((_, index) => states[index]);
}

/** Presses a button with the keyboard, whether it looks disabled or not. */
async function pressKey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

test('no button works while a request is pending', async () => {
  const { page, requests } = await aCustomer();
  const { release } = await hold(page, '**/demo/payment');
  await page.getByRole('button', { name: PAYMENT }).dblclick();
  await steps(page, 'Paid for a month → waiting …').waitFor();
  expect(await enabled(page)).toEqual([]);
  await pressKey(page, PAYMENT);
  await pressKey(page, CANCELLATION);
  release();
  await steps(page, 'Paid for a month → paid').waitFor();
  expect(await enabled(page)).toEqual([PAYMENT, CANCELLATION]);
  expect(requests).toEqual(['/demo/payment']);
});

test('only buttons for possible state changes are enabled, and the focus stays on the pressed button', async () => {
  const { page, requests } = await aCustomer();
  expect(await enabled(page)).toEqual([PAYMENT, CANCELLATION]);
  await pressKey(page, PAYMENT);
  await steps(page, 'Paid for a month → paid').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('payment');
  await pressKey(page, PAYMENT);
  await steps(page, 'Paid for a month → paid').nth(1).waitFor();

  await pressKey(page, CANCELLATION);
  await steps(page, 'Canceled the subscription → churned').waitFor();
  expect(await enabled(page)).toEqual([PAYMENT]);
  await pressKey(page, CANCELLATION);

  await pressKey(page, PAYMENT);
  await steps(page, 'Paid for a month → paid').nth(2).waitFor();
  expect(requests).toEqual(['/demo/payment', '/demo/payment', '/demo/cancellation', '/demo/payment']);
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
  await press(page, SIGN_UP);
  await steps(page, `Signed up as ${email} → converted`).waitFor();
});

const WIDE = { width: 1280, height: 800 };

/** The address of the page in a frame. */
const addressOf = (page: Page, path: string) =>
  page.frames().flatMap((frame) => (new URL(frame.url()).pathname === path ? [frame.url()] : []))[0];

test('a change in the shop shows in the dashboard’s view and dialog, which stay as they are', async () => {
  const page = await demo.visit({ viewport: WIDE });
  const merchant = dashboard(page);
  await merchant.getByRole('link', { name: 'Referrals', exact: true }).click();
  await merchant.getByRole('combobox', { name: 'State' }).selectOption('converted');
  const email = await signUp(page);
  await rowOf(merchant, email).waitFor();
  expect(addressOf(page, '/dashboard')).toMatch(/\/dashboard#\/referrals\?state=converted$/);

  await merchant.getByRole('button', { name: 'Add referral' }).click();
  const typed = merchant.getByRole('dialog', { name: 'New referral' }).getByRole('textbox', { name: 'Your id' });
  await typed.fill('half typed');
  await press(page, 'Simulate a payment');
  await rowOf(portal(page), email).getByText('paid').waitFor();
  expect(await typed.inputValue()).toBe('half typed');
  expect(demo.complaints).toEqual([]);
});

test('no address in the history of the page contains a token', async () => {
  const page = await demo.newPage({ viewport: WIDE });
  await page.goto(demo.printedAddress());
  await portal(page).getByText('Signed in as Amara Okafor').waitFor();
  await dashboard(page).getByRole('button', { name: 'Sign out' }).waitFor();
  expect(page.frames().filter((frame) => /rt[ap]_/.test(frame.url()))).toEqual([]);
  expect(await page.evaluate('history.length')).toBe(2);
  const storage = 'JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])';
  expect(await page.evaluate(storage)).not.toMatch(/rt[ap]_/);
});

const TOO_WIDE = `[...document.querySelectorAll('body, .shop, .card, .card p, .log, li, button, .plan, .views span')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ outerHTML }) => outerHTML)`;

test.each([320, 768])('at a width of %d pixels, tabs show one page at a time', async (width) => {
  const page = await demo.visit({ viewport: { width, height: 800 } });
  const heading = { name: 'Choose your plan' };
  for (const [tab, shown] of [
    ['Advocate', [false, true, false]],
    ['Merchant', [false, false, true]],
    ['Shop', [true, false, false]],
  ] as const) {
    await page.getByRole('radio', { name: tab, exact: true }).check();
    expect([
      await page.getByRole('heading', heading).isVisible(),
      await page.locator('#portal').isVisible(),
      await page.locator('#dashboard').isVisible(),
    ]).toEqual(shown);
    expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  expect(await page.evaluate(TOO_WIDE)).toEqual([]);
  await page.getByRole('radio', { name: 'Advocate', exact: true }).check();
  await rowOf(portal(page), email).waitFor();
});

test('at a width of 1200 pixels, shop and pages are side by side', async () => {
  const page = await demo.visit({ viewport: { width: 1200, height: 800 } });
  const [shop, left, right] = await Promise.all(
    ['#top', '#portal', '#dashboard'].map((selector) => page.locator(selector).boundingBox()),
  );
  expect([Number(left?.x) > Number(shop?.width) - 1, Number(right?.x) > Number(left?.x)]).toEqual([true, true]);
  expect(await page.getByRole('radio', { name: 'Shop', exact: true }).isVisible()).toBe(false);
  expect(await page.evaluate(TOO_WIDE)).toEqual([]);
});
