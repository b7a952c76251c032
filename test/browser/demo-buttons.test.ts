import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { message, press, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const PAYMENT = 'Simulate a payment';
const CANCELLATION = 'Simulate a cancellation';
const SIGN_UP = 'Start my subscription';

/** Signs up a customer referred by Amara, and collects the POST requests of the page from then on. */
async function aCustomer() {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
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

/** Rejects a customer as the merchant's server does. */
async function reject(email: string): Promise<void> {
  const rejected = await demo.call<object>('/v2/tracking/state', { email, state: 'rejected' });
  expect(rejected).toMatchObject({ attributes: { state: 'rejected' } });
}

/** Presses a button with the keyboard, whether it looks disabled or not. */
async function pressKey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

test('no button works while a request is pending', async () => {
  const { page, requests } = await aCustomer();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/demo/payment', async (route) => {
    await released;
    await route.continue();
  });
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

test('a double click signs up once', async () => {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  await page.getByLabel('Email', { exact: true }).fill('double@shop.example');
  await page.getByRole('button', { name: SIGN_UP }).dblclick();
  await steps(page, 'double@shop.example → converted').waitFor();
  expect(await steps(page, 'Signed up').count()).toBe(1);
});

test('the activity log names the events of Stripe', async () => {
  const { page } = await aCustomer();
  await press(page, PAYMENT);
  await steps(page, 'Stripe: invoice.paid → 200').waitFor();
  await press(page, CANCELLATION);
  await steps(page, 'Stripe: customer.subscription.deleted → 200').waitFor();
});

test('a payment of a customer whom the merchant has just rejected is refused, with the reason', async () => {
  const { page, email } = await aCustomer();
  await reject(email);
  await press(page, PAYMENT);
  await steps(page, 'Paid for a month → refused').waitFor();
  await message(page, 'The merchant rejected this referral').waitFor();
});

test('a customer without a referral can pay and cancel', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await message(page, 'without an advocate’s link').waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → not referred`).waitFor();
  await press(page, PAYMENT);
  await steps(page, 'Paid for a month → no referral').waitFor();
  await press(page, CANCELLATION);
  await steps(page, 'Canceled the subscription → no referral').waitFor();
  expect(await enabled(page)).toEqual([PAYMENT]);
});

test('a sign-up whose response is lost can be repeated and counts once', async () => {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
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
