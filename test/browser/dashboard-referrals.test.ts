import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const drawer = (page: Page) => dialog(page, 'Referral');
const press = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true }).click();

test('a referral is rejected, restored, moved, paid, voided and erased, and the API says what it refuses', async () => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, 'read', 'track', 'advocates', 'payouts');
  const [ada, bob] = [await dashboard.advocateOf(token), await dashboard.advocateOf(token, { first_name: 'Bob' })];
  const id = await dashboard.referralOf(token, ada, { email: 'ana@shop.example', metadata: { plan: 'pro' } });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, `#/referrals?id=${id}`);
  await drawer(page).getByText('pro', { exact: true }).waitFor();
  const state = drawer(page).getByRole('combobox', { name: 'New state' });
  await state.selectOption('rejected');
  await press(page, 'Set state');
  await drawer(page).getByText('became rejected').waitFor();
  await state.selectOption('churned');
  await press(page, 'Set state');
  await drawer(page).getByRole('alert').waitFor();
  await state.selectOption('converted');
  await press(page, 'Set state');
  await drawer(page).getByText('became converted').nth(1).waitFor();
  expect(await drawer(page).getByRole('alert').count()).toBe(0);

  await drawer(page).getByRole('button', { name: 'Record payment' }).click();
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('1000');
  await field(page, 'Record payment', 'Currency').fill('JPY');
  await dialog(page, 'Record payment').getByRole('button', { name: 'Save' }).click();
  await rowsOf(page, 'Entries').filter({ hasText: '¥200' }).waitFor();
  await field(page, 'Referral', 'Note').fill('The card was stolen');
  await press(page, 'Void');
  await rowsOf(page, 'Entries').filter({ hasText: 'The card was stolen' }).filter({ hasText: '-¥200' }).waitFor();
  expect(await drawer(page).getByRole('button', { name: 'Void' }).count()).toBe(0);

  await field(page, 'Referral', 'New advocate').fill('nobody');
  await press(page, 'Move');
  await drawer(page).getByRole('alert').waitFor();
  await field(page, 'Referral', 'New advocate').fill(bob);
  await press(page, 'Move');
  await drawer(page).getByText(`moved from ${ada} to ${bob}`).waitFor();
  await rowsOf(page, `Entries of ${ada}`).nth(2).waitFor();

  await field(page, 'Referral', 'Type erase to confirm').fill('erased');
  await press(page, 'Erase');
  await field(page, 'Referral', 'Type erase to confirm').fill('erase');
  expect(await drawer(page).getByText('was erased').count()).toBe(0);
  await press(page, 'Erase');
  await drawer(page).getByText('was erased').waitFor();
  await page.keyboard.press('Escape');
  await rowsOf(page, 'Referrals').filter({ hasText: 'Erased' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals');
  expect(dashboard.complaints).toEqual([]);
});

test('a payment and a referral whose responses are lost are written once', async () => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program);
  const slug = await dashboard.advocateOf(token);
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  const lost: string[] = [];
  await page.route(/\/v2\/(?:tracking\/conversion|payments)$/, async (route) => {
    const url = route.request().url();
    if (lost.includes(url)) return route.continue();
    lost.push(url);
    await route.fetch();
    await route.abort();
  });
  const save = (name: string) => dialog(page, name).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill(slug);
  await field(page, 'New referral', 'Your id').fill('1001');
  await save('New referral');
  await dialog(page, 'New referral').getByRole('alert').waitFor();
  await save('New referral');
  await drawer(page).getByRole('button', { name: 'Record payment' }).click();
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('10');
  await save('Record payment');
  await dialog(page, 'Record payment').getByRole('alert').waitFor();
  await save('Record payment');
  await rowsOf(page, 'Entries').filter({ hasText: '$2.00' }).waitFor();
  expect(await rowsOf(page, 'Entries').count()).toBe(2);
  expect(await dashboard.call<object[]>('/v2/referrals', undefined, token)).toHaveLength(1);
  expect(lost).toHaveLength(2);
});

test('a search finds a referral by exact email, your id and referral id, and says if there is none', async () => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program);
  const slug = await dashboard.advocateOf(token);
  const id = await dashboard.referralOf(token, slug, { email: 'ana@shop.example', uid: 'ben@shop.example' });
  await dashboard.referralOf(token, slug, { email: 'ben@shop.example', uid: '1002' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  const search = page.getByRole('searchbox', { name: 'Search' });
  for (const [text, count] of [
    ['ana@shop.example', 1],
    [id, 1],
    ['ben@shop.example', 2],
    ['1002', 1],
  ] as const) {
    await search.fill('nothing');
    await page.getByText('No referral has exactly this email or id.').waitFor();
    await search.fill(text);
    await rowsOf(page, 'Referrals').nth(count).waitFor();
    expect(await rowsOf(page, 'Referrals').count()).toBe(count + 1);
  }
});

test('ids, notes and metadata full of code are shown as text', async () => {
  const hostile = ['<img src=x onerror="document.title=1">', '=HYPERLINK("https://evil.example")', '😀'.repeat(60)];
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program);
  const slug = await dashboard.advocateOf(token, { first_name: hostile[0] });
  for (const [index, text] of hostile.entries()) {
    await dashboard.referralOf(token, slug, { uid: text, sub_id: text, metadata: { [`f${index}`]: text } });
  }
  const page = await dashboard.newPage({ viewport: { width: 320, height: 800 } });
  await dashboard.open(page, token, '#/referrals');
  for (const text of hostile) await page.getByRole('button', { name: text }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await page.getByRole('button', { name: hostile[0] ?? '' }).click();
  await drawer(page).getByText('f0', { exact: true }).waitFor();
  expect(
    await drawer(page)
      .getByText(hostile[0] ?? '')
      .count(),
  ).toBeGreaterThan(2);
  expect(await drawer(page).evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Referrals – Beans & Co');
  expect(dashboard.complaints).toEqual([]);
});
