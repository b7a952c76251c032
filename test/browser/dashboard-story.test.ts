import { expect, test } from '@jest/globals';
import { dialog, field, tokenIn, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();

test('a new merchant comes from an empty program to a paid referral and its settlement', async () => {
  const program = await dashboard.aProgram();
  const { url } = await dashboard.linkOf(program);
  const page = await dashboard.newPage();
  await page.goto(url);
  const checklist = region(page, 'Checklist');
  await checklist.getByRole('listitem').nth(4).waitFor();
  expect(await checklist.getByText('Done:').count()).toBe(1);
  expect(await checklist.getByRole('listitem').count()).toBe(5);

  await checklist.getByRole('link', { name: 'Add the first advocate' }).click();
  await page.getByRole('button', { name: 'Add advocate' }).click();
  await field(page, 'Advocate', 'Email').fill('jane@partners.example');
  await field(page, 'Advocate', 'First name').fill('Jane');
  await field(page, 'Advocate', 'Last name').fill('Doe');
  await dialog(page, 'Advocate').getByRole('button', { name: 'Save' }).click();
  await rowsOf(page, 'Advocates').filter({ hasText: 'jane-doe' }).waitFor();

  await viewLink(page, 'Referrals').click();
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill('jane-doe');
  await field(page, 'New referral', 'Email').fill('ana@shop.example');
  await field(page, 'New referral', 'Your id').fill('1001');
  await dialog(page, 'New referral').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Referral').getByText('became converted').waitFor();
  await dialog(page, 'Referral').getByRole('button', { name: 'Record payment' }).click();
  await field(page, 'Record payment', 'Payment id').fill('in_1001');
  await field(page, 'Record payment', 'Amount').fill('49.999');
  await dialog(page, 'Record payment').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Record payment').getByRole('alert').getByText('at most 2 decimals').waitFor();
  await dialog(page, 'Record payment').getByRole('alert').getByText('This did not work').waitFor();
  await field(page, 'Record payment', 'Amount').fill('49.90');
  await dialog(page, 'Record payment').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Referral').getByText('became paid').waitFor();
  await rowsOf(page, 'Entries').filter({ hasText: '$49.90' }).filter({ hasText: '$9.98' }).waitFor();
  await dialog(page, 'Referral').getByRole('button', { name: 'Close' }).click();
  await rowsOf(page, 'Referrals').filter({ hasText: 'paid' }).waitFor();

  await viewLink(page, 'Money').click();
  await rowsOf(page, 'Statements').getByRole('button', { name: 'Settle', exact: true }).click();
  expect(await field(page, 'Settle', 'Amount').inputValue()).toBe('9.98');
  await field(page, 'Settle', 'Reference').fill('Transfer 1');
  await dialog(page, 'Settle').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Settle').waitFor({ state: 'detached' });
  await rowsOf(page, 'Statements').filter({ hasText: '-$9.98' }).waitFor();

  await viewLink(page, 'Overview').click();
  await checklist.getByText('Put the script into your pages').waitFor();
  expect(await checklist.locator('.done').count()).toBe(4);
  const token = await dashboard.tokenOf(program);
  const entries = await dashboard.call<{ attributes: { kind: string; amount: number | null; commission: number } }[]>(
    '/v2/ledger?affiliate_slug=jane-doe',
    undefined,
    token,
  );
  expect(entries.map(({ attributes: { kind, commission } }) => [kind, commission])).toEqual([
    ['settlement', -998],
    ['payment', 998],
  ]);
  expect(tokenIn(page.url())).toBe('');
  expect(dashboard.complaints).toEqual([]);
});
