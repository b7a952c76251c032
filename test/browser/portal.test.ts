import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import { fill, press, reach } from '../support/browser/keyboard.ts';
import { numberIn, numberOf, region, rowsOf, usePortal } from '../support/browser/portal-page.ts';

const portal = usePortal();
afterEach(() => expect(portal.complaints).toEqual([]));

/** The commission of such a payment is not on hold any more. */
const LONG_AGO = { paid_at: Math.floor(Date.now() / 1000) - 100 * 86_400 };
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const goTo = (page: Page, view: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: view, exact: true }).click();

/** Presses a button that copies a text, and waits until the clipboard has it. */
async function copies(copy: Locator, text: string): Promise<void> {
  await copy.click();
  await copy.page().waitForFunction(`navigator.clipboard.readText().then((text) => text === ${JSON.stringify(text)})`);
}

/** The texts of the cells of a table, without its head. */
async function cellsOf(page: Page, table: string): Promise<string[][]> {
  const rows = await rowsOf(page, table).all();
  return Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()));
}

async function download(page: Page, name: string): Promise<string[][]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    region(page, name).getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  return parse(await readFile(await file.path()));
}

test('an advocate shares the link, and sees the next payout, the totals and the numbers of a range', async () => {
  const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
  const [first, second] = [await portal.click(slug, 'news'), await portal.click(slug)];
  await portal.click(slug);
  const [payer] = [await portal.signUp(first), await portal.signUp(second)];
  await portal.pay(payer, 123_450, 'usd', LONG_AGO);
  await portal.pay(payer, 5000, 'jpy', LONG_AGO);
  await portal.call('/v2/settlements', { affiliate_slug: slug, settlement_id: slug, amount: 100, currency: 'usd' });
  await portal.counted(token, { clicks: 3, conversions: 2, paying: 1 }, { usd: 24_590, jpy: 1000 });

  const page = await portal.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await portal.open(page, token);
  const link = `https://northwind.example/?via=${slug}`;
  await box(page, 'Your link').waitFor();
  expect(await box(page, 'Your link').inputValue()).toBe(link);
  await copies(button(page, 'Copy link'), link);
  await button(page, 'QR code').click();
  await dialog(page, 'QR code').getByRole('img', { name: 'QR code of your link' }).waitFor();
  const [image] = await Promise.all([page.waitForEvent('download'), button(page, 'Download QR code').click()]);
  expect((await readFile(await image.path())).subarray(1, 4).toString()).toBe('PNG');
  await page.keyboard.press('Escape');

  await numberIn(page, 'Next payout').waitFor();
  const group = (name: string) => page.getByRole('group', { name, exact: true }).locator('.stat-value');
  const amounts = ['Next payout', 'On hold', 'Earned in total', 'Paid in total'];
  expect(await Promise.all(amounts.map((name) => group(name).allTextContents()))).toEqual([
    ['¥1,000', '$245.90'],
    ['¥0', '$0.00'],
    ['¥1,000', '$246.90'],
    ['¥0', '$1.00'],
  ]);
  await numberOf(page, 'Clicks').getByText('3', { exact: true }).waitFor();
  const numbers = ['Earned', 'Clicks', 'Sign-ups', 'Paying'];
  expect(await Promise.all(numbers.map((name) => numberOf(page, name).textContent()))).toEqual([
    '¥1,000',
    ...['3', '2', '1'],
  ]);
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('USD');
  await numberOf(page, 'Earned').getByText('$246.90', { exact: true }).waitFor();
  await rowsOf(page, 'Best links').nth(2).waitFor();
  expect((await cellsOf(page, 'Best links')).map(([label]) => label)).toEqual(['news', 'Your link']);
  await rowsOf(page, 'Latest referrals').getByText(`${payer}@shop.example`).waitFor();
});

test('an advocate sees which customer earned how much, and downloads the customers of a state', async () => {
  const commission_rules = [
    { amounts: { usd: 2000 }, payments: 1 },
    { percentage: 10, payments: 2 },
  ];
  await portal.call('/v2/groups/readers', { commission_rules }, undefined, 'PUT');
  const { slug, token } = await portal.anAdvocate({ group: 'readers' });
  const [payer] = [
    await portal.signUp(await portal.click(slug, 'news')),
    await portal.signUp(await portal.click(slug)),
  ];
  for (let count = 0; count < 3; count += 1) await portal.pay(payer, 5000);

  const page = await portal.newPage();
  await portal.open(page, token, 'referrals');
  await rowsOf(page, 'Referrals').nth(2).waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Paying');
  await rowsOf(page, 'Referrals').nth(2).waitFor({ state: 'detached' });
  await rowsOf(page, 'Referrals').nth(1).waitFor();
  const [[customer, state, , source, payments, earned] = []] = await cellsOf(page, 'Referrals');
  expect([customer, state, source, payments, earned]).toEqual([
    `${payer}@shop.example`,
    ...['Paying', 'news', '3', '$25.00'],
  ]);
  const sentence = '$20.00 for the first payment, then 10% for the first 2 payments';
  const [columns, ...rows] = await download(page, 'Referrals');
  expect([columns?.slice(0, 3), columns?.at(-1)]).toEqual([['id', 'email', 'state'], 'commission_rules']);
  expect(rows.map((row) => [row[1], row[2], row.at(-1)])).toEqual([[`${payer}@shop.example`, 'paid', sentence]]);
  expect(rows[0]?.[4]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

  await rowsOf(page, 'Referrals').getByText('Paying').click();
  const opened = dialog(page, `${payer}@shop.example`);
  await opened.getByText(sentence, { exact: true }).waitFor();
  await opened.getByText('No rule matches').waitFor();
  const entries = await opened.getByRole('table', { name: 'Entries' }).getByRole('row').all();
  expect(await Promise.all(entries.slice(1).map((row) => row.getByRole('cell').last().textContent()))).toEqual([
    '$0.00',
    '$5.00',
    '$20.00',
  ]);
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});

test('an advocate sees which links work, makes another one, and copies links, codes and resources', async () => {
  const { slug, token } = await portal.anAdvocate();
  await portal.signUp(await portal.click(slug, 'news'));
  await portal.click(slug);
  const code = `ADA${slug.slice(-8)}`.toUpperCase().replaceAll('-', '');
  await portal.call(`/v2/codes/${code}`, { affiliate_slug: slug }, undefined, 'PUT');
  const resources = [
    { title: '<b>Text</b>', text: 'I drink this.\nYou may like it.' },
    { title: 'Banners', url: 'https://northwind.example/banners.zip' },
  ];
  await portal.call('/v2/program/resources', { resources }, undefined, 'PUT');
  const page = await portal.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await portal.open(page, token, 'links');
  await rowsOf(page, 'Links').nth(2).waitFor();
  expect((await cellsOf(page, 'Links')).map((row) => row.slice(0, 4))).toEqual([
    ['news', '1', '1', '0'],
    ['Your link', '1', '0', '0'],
  ]);
  const own = `https://northwind.example/?via=${slug}`;
  await copies(button(page, 'Copy news'), `${own}&gr_sub=news`);
  await copies(button(page, `Copy ${code}`), code);

  await region(page, 'Resources').getByRole('heading', { name: '<b>Text</b>' }).waitFor();
  await copies(button(page, 'Copy <b>Text</b>'), 'I drink this.\nYou may like it.');
  const banners = region(page, 'Resources').getByRole('link', { name: 'northwind.example' });
  expect(await banners.getAttribute('href')).toBe('https://northwind.example/banners.zip');

  await button(page, 'New link').click();
  await box(page, 'Page').fill('/beans?via=other');
  await box(page, 'Label').fill('a & b');
  const made = page.getByRole('status', { name: 'Your new link' });
  const link = `https://northwind.example/beans?via=${slug}&gr_sub=a%20%26%20b`;
  expect(await made.textContent()).toBe(link);
  await copies(dialog(page, 'New link').getByRole('button', { name: 'Copy link' }), link);
  await box(page, 'Page').fill('https://evil.example/');
  await page.getByText('Your link counts only on the site of the program.').waitFor();
  expect(await made.textContent()).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'news' }).click();
  await button(page, 'Label: news ×').waitFor();
  expect(page.url()).toBe(`${portal.url()}/portal#/referrals?label=news`);
});

test('an advocate sees each payout and the customers behind a month, and downloads the months', async () => {
  const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
  const payer = await portal.signUp(await portal.click(slug));
  await portal.pay(payer, 123_450, 'usd', LONG_AGO);
  await portal.pay(payer, 5000, 'jpy', LONG_AGO);
  const settled = { settlement_id: slug, amount: 100, currency: 'usd', reference: 'Transfer 7' };
  await portal.call('/v2/settlements', { affiliate_slug: slug, ...settled });
  const page = await portal.newPage();
  await portal.open(page, token);
  await goTo(page, 'Earnings');
  await page.locator('h1:focus', { hasText: 'Earnings' }).waitFor();
  await rowsOf(page, 'Payouts').nth(1).waitFor();
  expect((await cellsOf(page, 'Payouts')).map((row) => row.slice(1))).toEqual([['Transfer 7', '$1.00']]);
  const month = new Date().toISOString().slice(0, 7);
  expect(await download(page, 'Statements')).toEqual([
    [...STATEMENT_COLUMNS],
    [slug, month, 'jpy', '0', '5000', '0', '1000', '0', '0', '1000', '1000'],
    [slug, month, 'usd', '0.00', '1234.50', '0.00', '246.90', '0.00', '-1.00', '245.90', '245.90'],
  ]);
  await region(page, 'Statements').getByRole('table').getByRole('button').click();
  await rowsOf(page, 'Entries').getByText(`${payer}@shop.example`).nth(1).waitFor();
  expect((await cellsOf(page, 'Entries')).map((row) => [row[1], row.at(-1)])).toEqual([
    ['Payout', '-$1.00'],
    [`${payer}@shop.example`, '¥1,000'],
    [`${payer}@shop.example`, '$246.90'],
  ]);
});

test('a payout, and the next one, open the customers who earned them', async () => {
  const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
  const [paid, due] = [await portal.signUp(await portal.click(slug)), await portal.signUp(await portal.click(slug))];
  await portal.pay(paid, 10_000, 'usd', LONG_AGO);
  await portal.call('/v2/settlements', { affiliate_slug: slug, settlement_id: slug, amount: 1500, currency: 'usd' });
  for (let count = 0; count < 2; count += 1) await portal.pay(due, 5000, 'usd', LONG_AGO);
  // What is on hold is in neither of them.
  await portal.pay(paid, 7000);
  const bonus = { adjustment_id: slug, commission: 300, currency: 'usd', note: 'Welcome' };
  await portal.call('/v2/adjustments', { affiliate_slug: slug, ...bonus });
  const page = await portal.newPage();
  await portal.open(page, token, 'earnings');
  await numberIn(page, 'Next payout').getByText('$28.00').waitFor();
  await button(page, 'Customers behind $28.00').click();
  await rowsOf(page, 'Customers').getByText(`${due}@shop.example`).waitFor();
  expect(await cellsOf(page, 'Customers')).toEqual([
    [`${due}@shop.example`, '2', '$20.00'],
    ['Bonus or correction', '0', '$3.00'],
  ]);
  await dialog(page, 'Next payout').getByText('Carried over: $5.00').waitFor();
  await page.keyboard.press('Escape');
  await rowsOf(page, 'Payouts').getByRole('button').click();
  await rowsOf(page, 'Customers').getByText(`${paid}@shop.example`).waitFor();
  expect(await cellsOf(page, 'Customers')).toEqual([[`${paid}@shop.example`, '1', '$20.00']]);
  await page.getByText('Carried over: -$5.00').waitFor();
});

test('the keyboard suffices to copy the link, to make another one, and to open a customer and a month', async () => {
  const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
  const payer = await portal.signUp(await portal.click(slug));
  await portal.pay(payer, 5000);
  const page = await portal.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await portal.open(page, token);
  await press(page, 'Copy link');
  await page.getByRole('status').getByText('Copied').waitFor();
  await press(page, 'Links');
  await press(page, 'New link');
  await fill(page, 'Page', '/beans');
  await fill(page, 'Label', 'talk');
  await reach(page, 'Copy link');
  await page.keyboard.press('Enter');
  const link = `https://northwind.example/beans?via=${slug}&gr_sub=talk`;
  await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === ${JSON.stringify(link)})`);
  await page.keyboard.press('Escape');
  await press(page, 'Referrals');
  await press(page, `${payer}@shop.example`);
  await rowsOf(page, 'Entries').nth(1).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: payer }).waitFor();
  await press(page, 'Earnings');
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format();
  await press(page, month);
  await rowsOf(page, 'Entries').getByText(`${payer}@shop.example`).waitFor();
});

test('names and labels of strangers are shown as text, and are no formulas in a file', async () => {
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
  for (const label of hostile) await portal.signUp(await portal.click(slug, label));
  const page = await portal.newPage();
  await portal.open(page, token, 'links');
  await page.getByText('Signed in as <img src=x onerror="document.title=1"> {{7*7}}%s').waitFor();
  await rowsOf(page, 'Links').nth(5).waitFor();
  for (const label of hostile) expect(await rowsOf(page, 'Links').filter({ hasText: label }).count()).toBe(1);
  expect(await page.locator('img').count()).toBe(0);
  await goTo(page, 'Referrals');
  await rowsOf(page, 'Referrals').nth(4).waitFor();
  const rows = await download(page, 'Referrals');
  expect(rows.slice(1).map((row) => row[6])).toEqual(hostile.toReversed().map((text) => text.replace(/^=/, "'=")));
});

test('a long list is read page by page', async () => {
  const { slug, token } = await portal.anAdvocate();
  for (let count = 0; count < 27; count += 1) await portal.signUp(await portal.click(slug));
  const page = await portal.newPage();
  await portal.open(page, token, 'referrals');
  await button(page, 'Next page').click();
  await rowsOf(page, 'Referrals').nth(3).waitFor({ state: 'detached' });
  expect(await rowsOf(page, 'Referrals').count()).toBe(3);
  expect(await button(page, 'Next page').isDisabled()).toBe(true);
  await button(page, 'Previous page').click();
  await rowsOf(page, 'Referrals').nth(25).waitFor();
});
