import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import { copyWith } from '../support/browser/chromium.ts';
import { numberIn, region, rowsOf, usePortal } from '../support/browser/portal-page.ts';

const portal = usePortal();

async function download(page: Page, name: string): Promise<string[][]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    region(page, name).getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  return parse(await readFile(await file.path()));
}

test('an advocate finds link, numbers, referrals and statements, and downloads them', async () => {
  const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
  const [first, second] = [await portal.click(slug, 'news'), await portal.click(slug)];
  await portal.click(slug);
  const [payer] = [await portal.signUp(first), await portal.signUp(second)];
  await portal.pay(payer, 123_450);
  await portal.pay(payer, 5000, 'jpy');
  await portal.call('/v2/settlements', { affiliate_slug: slug, settlement_id: slug, amount: 100, currency: 'usd' });
  await portal.counted(token, { clicks: 3, conversions: 2, paying: 1 });

  const page = await portal.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await portal.open(page, token);
  const link = `https://northwind.example/?via=${slug}`;
  await page.getByRole('textbox', { name: 'Your link', exact: true }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Your link', exact: true }).inputValue()).toBe(link);
  expect(await copyWith(page.getByRole('button', { name: 'Copy link' }))).toBe(link);
  await page.getByRole('img', { name: 'QR code of your link' }).waitFor();
  const [image] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download QR code' }).click(),
  ]);
  expect((await readFile(await image.path())).subarray(1, 4).toString()).toBe('PNG');

  await numberIn(page, 'Earned').waitFor();
  const numbers = ['Clicks', 'Sign-ups', 'Paying', 'Earned', 'Balance', 'Payable'];
  expect(await Promise.all(numbers.map((name) => numberIn(page, name).textContent()))).toEqual([
    '3',
    '2',
    '1',
    '¥1,000',
    '¥1,000',
    '¥1,000',
  ]);
  expect(await page.getByRole('group', { name: 'Earned' }).textContent()).toContain('$246.90');
  expect(await page.getByRole('group', { name: 'Balance' }).textContent()).toContain('$245.90');
  expect(await page.getByRole('group', { name: 'Sign-ups' }).textContent()).toContain('66.7% of clicks');

  await page.getByRole('figure', { name: 'Chart' }).getByText('Show as table').click();
  expect(await page.getByRole('figure', { name: 'Chart' }).getByRole('row').count()).toBe(31);
  await rowsOf(page, 'Sub ids').nth(2).waitFor();
  expect(await rowsOf(page, 'Sub ids').allTextContents()).toEqual([
    'Sub idSign-upsPayingShare paying',
    'news11100%',
    'Without sub id100%',
  ]);

  await page.getByRole('combobox', { name: 'State' }).selectOption('paid');
  await rowsOf(page, 'Referrals').nth(2).waitFor({ state: 'detached' });
  const [columns, ...rows] = await download(page, 'Referrals');
  expect(columns?.slice(0, 3)).toEqual(['id', 'email', 'state']);
  expect(rows.map((row) => row.slice(1, 3))).toEqual([[`${payer}@shop.example`, 'paid']]);
  expect(rows[0]?.[4]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const statements = await download(page, 'Statements');
  const month = new Date().toISOString().slice(0, 7);
  expect(statements).toEqual([
    [...STATEMENT_COLUMNS],
    [slug, month, 'jpy', '0', '5000', '0', '1000', '0', '0', '1000', '1000'],
    [slug, month, 'usd', '0.00', '1234.50', '0.00', '246.90', '0.00', '-1.00', '245.90', '245.90'],
  ]);

  await region(page, 'Statements').getByRole('table').getByRole('button').click();
  await page.getByText('Payout', { exact: true }).waitFor();
  expect(await page.getByRole('table', { name: 'Entries of' }).getByRole('row').count()).toBe(4);
  expect(portal.complaints).toEqual([]);
});

test('an advocate whose group has rules reads what they pay, and why a payment earns nothing', async () => {
  const commission_rules = [
    { amounts: { usd: 2000 }, payments: 1 },
    { percentage: 10, payments: 2 },
  ];
  await portal.call('/v2/groups/creators', { commission_rules }, undefined, 'PUT');
  const { slug, token } = await portal.anAdvocate({ group: 'creators' });
  const payer = await portal.signUp(await portal.click(slug));
  for (let count = 0; count < 3; count += 1) await portal.pay(payer, 5000);

  const page = await portal.newPage();
  await portal.open(page, token);
  const sentence = '$20.00 for the first payment, then 10% for the first 2 payments';
  await region(page, 'Terms').getByText(sentence, { exact: true }).waitFor();
  expect(await region(page, 'Terms').getByText('Duration').count()).toBe(0);
  await rowsOf(page, 'Referrals').getByText(sentence, { exact: true }).waitFor();
  const [columns, row] = await download(page, 'Referrals');
  expect([columns?.at(-1), row?.at(-1)]).toEqual(['commission_rules', sentence]);
  await region(page, 'Statements').getByRole('table').getByRole('button').click();
  await page.getByText('No commission: no rule matches.').waitFor();
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  expect(portal.complaints).toEqual([]);
});

test('a link that has expired before it is opened shows how to get another one', async () => {
  const { token } = await portal.anAdvocate();
  const page = await portal.newPage();
  await portal.open(page, 'rta_expired');
  await page.getByRole('alert').getByText('Your session has expired').waitFor();
  await page.getByRole('heading', { name: 'Open this page from your account' }).waitFor();
  await page.evaluate(`location.hash = 'token=${token}'`);
  await numberIn(page, 'Clicks').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('an advocate builds a link to a page with a sub id', async () => {
  const { slug, token } = await portal.anAdvocate();
  const page = await portal.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await portal.open(page, token);
  await page.getByRole('textbox', { name: 'Page', exact: true }).fill('/beans?via=other');
  await page.getByRole('textbox', { name: 'Sub id', exact: true }).fill('a & b');
  const made = page.getByRole('status', { name: 'Your deep link' });
  const link = `https://northwind.example/beans?via=${slug}&gr_sub=a%20%26%20b`;
  expect(await made.textContent()).toBe(link);
  expect(await copyWith(page.getByRole('button', { name: 'Copy deep link' }))).toBe(link);
  await page.getByRole('textbox', { name: 'Page', exact: true }).fill('https://evil.example/');
  await page.getByText('This page is on another site').waitFor();
  expect(await made.textContent()).toBe('');
});

test('names and sub ids of strangers are shown as text, and are no formulas in a file', async () => {
  const hostile = [
    '=HYPERLINK("https://evil.example")',
    '<img src=x onerror="alert(1)">',
    'gpj מבצע [1]',
    '😀'.repeat(60),
  ];
  const { slug, token } = await portal.anAdvocate({
    first_name: '<img src=x onerror="document.title=1">',
    last_name: '{{7*7}}%s',
  });
  for (const subId of hostile) await portal.signUp(await portal.click(slug, subId));
  const page = await portal.newPage();
  await portal.open(page, token);
  await page.getByText('Signed in as <img src=x onerror="document.title=1"> {{7*7}}%s').waitFor();
  await rowsOf(page, 'Referrals').nth(4).waitFor();
  await rowsOf(page, 'Sub ids').nth(4).waitFor();
  for (const subId of hostile) {
    expect(await rowsOf(page, 'Referrals').filter({ hasText: subId }).count()).toBe(1);
  }
  expect(await page.locator('img').count()).toBe(0);
  const rows = await download(page, 'Referrals');
  expect(rows.slice(1).map((row) => row[6])).toEqual(hostile.toReversed().map((text) => text.replace(/^=/, "'=")));
  expect(portal.complaints).toEqual([]);
});

test('a long list is read page by page', async () => {
  const { slug, token } = await portal.anAdvocate();
  for (let count = 0; count < 12; count += 1) await portal.signUp(await portal.click(slug));
  const page = await portal.newPage();
  await portal.open(page, token);
  await page.getByRole('button', { name: 'Next page' }).click();
  await rowsOf(page, 'Referrals').nth(3).waitFor({ state: 'detached' });
  expect(await rowsOf(page, 'Referrals').count()).toBe(3);
  expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Previous page' }).click();
  await rowsOf(page, 'Referrals').nth(10).waitFor();
  expect(portal.complaints).toEqual([]);
});
