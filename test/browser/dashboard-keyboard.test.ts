import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();

/** The name of the element with the focus, as assistive technology reads it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === document.body) return 'nothing';
  return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
})()`;
/** More than the elements of any view. */
const MOST = 100;

test('with the keyboard only, a merchant signs in, records a first payment and settles it', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'payouts');
  const page = await dashboard.newPage();
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).waitFor();
  const { keyboard } = page;
  await reach(page, 'Program token');
  await keyboard.type(token);
  await keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();

  await follow(page, 'Advocates');
  await press(page, 'Add advocate');
  await fill(page, 'Email', 'jane@partners.example');
  await fill(page, 'First name', 'Jane');
  await fill(page, 'Slug', 'jane');
  await keyboard.press('Enter');
  await rowsOf(page, 'Advocates').filter({ hasText: 'jane' }).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('Add advocate');

  await follow(page, 'Referrals');
  await press(page, 'Add referral');
  await fill(page, 'Advocate', 'jane');
  await fill(page, 'Email', 'ana@shop.example');
  await keyboard.press('Enter');
  await dialog(page, 'Referral').getByText('became converted').waitFor();
  await press(page, 'Record payment');
  await fill(page, 'Payment id', 'in_1');
  await fill(page, 'Amount', '49.90');
  await keyboard.press('Enter');
  await dialog(page, 'Referral').getByText('became paid').waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('Record payment');
  await keyboard.press('Escape');
  await dialog(page, 'Referral').waitFor({ state: 'detached' });

  await follow(page, 'Money');
  await press(page, 'Settle');
  await fill(page, 'Reference', 'Transfer 1');
  await keyboard.press('Enter');
  await rowsOf(page, 'Statements').filter({ hasText: '-$9.98' }).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('The settlement of jane is recorded.');
  expect(dashboard.complaints).toEqual([]);
});

/** Opens a view, whose heading gets the focus. */
async function follow(page: Page, name: string): Promise<void> {
  await press(page, name);
  await page.locator('h1:focus', { hasText: name }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByText(name, { exact: true }).first().waitFor();
  await reach(page, name);
  await page.keyboard.press('Enter');
}

async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).waitFor();
  await reach(page, name);
  await page.keyboard.type(text);
}

/** Presses Tab until an element has the focus. After the last element, the first one follows. */
async function reach(page: Page, name: string): Promise<void> {
  for (let count = 0; count < MOST; count += 1) {
    if ((await page.evaluate(FOCUSED)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${name}".`);
}
