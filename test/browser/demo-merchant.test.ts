import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { MOVED_CUSTOMER } from '../../bin/local/demo/data.ts';
import { becomeAdvocate, hold, message, press, rowOf, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const OTHER_CUSTOMER = 'customer-217@shop.example';
const NOTE = 'Self-referral: the customer is the advocate.';

/** Opens the merchant's view with the keyboard. */
async function visitAsMerchant(): Promise<Page> {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  await asMerchant(page);
  return page;
}

async function asMerchant(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Advocate’s view' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'Who referred this customer?' }).waitFor();
}

async function lookUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Customer’s email').fill(email);
  await page.getByLabel('Customer’s email').press('Enter');
}

const history = (page: Page) => page.getByRole('list', { name: 'History' }).getByRole('listitem');
const customer = (page: Page, email: string) => page.getByRole('heading', { name: email });

/** Moves the referral that is shown to another advocate. */
async function moveTo(page: Page, name: string): Promise<void> {
  await page.getByLabel('New advocate').selectOption({ label: name });
  await press(page, 'Move the referral');
}

test('the merchant looks up the customer that the page proposes, with its history', async () => {
  const page = await visitAsMerchant();
  expect(await page.getByLabel('Customer’s email').inputValue()).toBe(MOVED_CUSTOMER);
  await press(page, 'Look up');
  await customer(page, MOVED_CUSTOMER).waitFor();
  expect(await history(page).allTextContents()).toEqual([
    expect.stringContaining('Followed the link'),
    expect.stringContaining('Signed up reported by the shop'),
    expect.stringContaining('Paid reported by the shop'),
    expect.stringMatching(/^Moved from Amara Okafor to .+ by the shop/),
  ]);
  expect(await page.getByText(NOTE).isVisible()).toBe(false);
  await steps(page, `Looked up ${MOVED_CUSTOMER} → found`).waitFor();
  expect(demo.complaints).toEqual([]);
});

test('a customer moves from one dashboard to the other, and back', async () => {
  const page = await visitAsMerchant();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await lookUp(page, email);
  await customer(page, email).waitFor();
  await moveTo(page, 'Björn Sato');
  await message(page, 'Björn Sato earns the commission now.').waitFor();
  await message(page, 'To have a dashboard of your own: Become an advocate').waitFor();
  await history(page).filter({ hasText: 'Moved from Amara Okafor to Björn Sato by the shop' }).waitFor();
  await steps(page, `Moved ${email} to Björn Sato → moved`).waitFor();
  expect(await page.getByLabel('New advocate').getByRole('option', { name: 'Björn Sato' }).count()).toBe(0);
  await page.getByText('Advocate’s view').click();
  await rowOf(page, email).waitFor({ state: 'detached' });
  await page.getByText('Merchant’s view').click();
  await moveTo(page, 'Amara Okafor');
  await message(page, 'Amara Okafor earns the commission now.').waitFor();
  await page.getByText('Advocate’s view').click();
  await rowOf(page, email).waitFor();
  expect(demo.complaints).toEqual([]);
});

test('a self-referral shows its note to the merchant only', async () => {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  const { email } = await becomeAdvocate(page);
  await page.getByRole('link', { name: 'Follow Ada’s link' }).click();
  await steps(page, 'Followed Ada’s link → click recorded').waitFor();
  const received: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/affiliate/')) received.push(response.text().catch(() => ''));
  });
  const own = await signUp(page, email.replace('@', '+coffee@'));
  // The dashboard may show the sign-up before its response arrives, which proposes the customer to the merchant.
  await steps(page, `${own} → converted`).waitFor();
  await rowOf(page, own).getByText('converted').waitFor();
  expect(await page.getByText(NOTE).isVisible()).toBe(false);
  expect((await Promise.all(received)).join()).not.toMatch(/flag|self_referral/);

  await asMerchant(page);
  await press(page, 'Look up');
  await page.getByText(NOTE).waitFor();
  await moveTo(page, 'Amara Okafor');
  await message(page, 'Amara Okafor earns the commission now.').waitFor();
  await page.getByText(NOTE).waitFor({ state: 'hidden' });
});

test('the merchant sees immediately what happens in the shop', async () => {
  const page = await visitAsMerchant();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await press(page, 'Look up');
  await customer(page, email).waitFor();
  await press(page, 'Simulate a payment');
  await history(page).filter({ hasText: 'Paid' }).waitFor();
  await press(page, 'Simulate a cancellation');
  await history(page).filter({ hasText: 'Canceled' }).waitFor();
});

test('a customer whom nobody referred is not found', async () => {
  const page = await visitAsMerchant();
  await press(page, 'Look up');
  await customer(page, MOVED_CUSTOMER).waitFor();
  await lookUp(page, 'nobody@shop.example');
  await message(page, 'No advocate referred a customer with this email.').waitFor();
  await steps(page, 'Looked up nobody@shop.example → not found').waitFor();
  expect(await page.getByLabel('New advocate').isVisible()).toBe(false);
});

test('a lookup wins over an event in the shop that arrives while it is pending', async () => {
  const page = await visitAsMerchant();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await press(page, 'Look up');
  await customer(page, email).waitFor();
  const { release } = await hold(page, '**/demo/lookup');
  await lookUp(page, OTHER_CUSTOMER);
  await steps(page, `Looked up ${OTHER_CUSTOMER} → waiting …`).waitFor();
  await press(page, 'Simulate a payment');
  await steps(page, 'Paid for a month → paid').waitFor();
  release();
  await customer(page, OTHER_CUSTOMER).waitFor();
  await moveTo(page, 'Grace Moreau');
  await steps(page, `Moved ${OTHER_CUSTOMER} to Grace Moreau → moved`).waitFor();
});

test('a double click looks up once, and the button works again after a failure', async () => {
  const page = await visitAsMerchant();
  const { release } = await hold(page, '**/demo/lookup');
  await page.getByRole('button', { name: 'Look up' }).dblclick();
  await steps(page, `Looked up ${MOVED_CUSTOMER} → waiting …`).waitFor();
  expect(await page.getByRole('button', { name: 'Look up' }).isEnabled()).toBe(false);
  await page.route('**/demo/lookup', (route) => route.abort());
  release();
  await steps(page, 'Looked up').getByText('found').waitFor();
  expect(await steps(page, 'Looked up').count()).toBe(1);
  await press(page, 'Look up');
  await message(page, 'The service does not respond.').waitFor();
  await page.unroute('**/demo/lookup');
  await press(page, 'Look up');
  await steps(page, '→ found').nth(1).waitFor();
});

test('a move to an advocate who was deactivated meanwhile is explained', async () => {
  const page = await visitAsMerchant();
  await press(page, 'Look up');
  await customer(page, MOVED_CUSTOMER).waitFor();
  const path = '/v2/advocates/lena-sato';
  await demo.call(path, { active: false }, 'PATCH');
  await moveTo(page, 'Lena Sato');
  await message(page, 'Lena Sato gets no new referrals. Choose another advocate.').waitFor();
  await steps(page, '→ refused').waitFor();
  await demo.call(path, { active: true }, 'PATCH');
});

test('a move whose response is lost shows in the history', async () => {
  const page = await visitAsMerchant();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await press(page, 'Look up');
  await customer(page, email).waitFor();
  await page.route('**/demo/reassign', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await moveTo(page, 'Chloé Kaya');
  await message(page, 'The service does not respond.').waitFor();
  await history(page).filter({ hasText: 'Moved from Amara Okafor' }).waitFor();
});

test('the page proposes the customer who signed up last, even after a reload', async () => {
  const page = await visitAsMerchant();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  expect(await page.getByLabel('Customer’s email').inputValue()).toBe(email);
  await page.reload();
  await steps(page, `Came back as ${email}`).waitFor();
  expect(await page.getByLabel('Customer’s email').inputValue()).toBe(email);
});
