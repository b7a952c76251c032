import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const SETTLEMENTS = '**/v2/settlements';

interface Entry {
  readonly attributes: { readonly commission: number; readonly note: string | null; readonly reference: string | null };
}

/** A program in which an advocate earned $246.90, and the page that shows it. */
async function opened(advocates = 1) {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, 'read', 'track', 'advocates', 'payouts');
  const slugs: string[] = [];
  for (let count = 0; count < advocates; count += 1) {
    const slug = await dashboard.advocateOf(token);
    await earn(token, slug, 123_450);
    slugs.push(slug);
  }
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/money');
  await rowsOf(page, 'Statements').nth(advocates).waitFor();
  const [slug = ''] = slugs;
  return { page, token, slug, slugs };
}

async function earn(token: string, slug: string, amount: number, currency = 'usd'): Promise<void> {
  const uid = crypto.randomUUID();
  await dashboard.referralOf(token, slug, { uid });
  await dashboard.call('/v2/payments', { uid, payment_id: `in_${uid}`, amount, currency }, token);
}

const entriesOf = async (token: string, slug: string, kind: string) =>
  (await dashboard.call<Entry[]>(`/v2/ledger?affiliate_slug=${slug}&kind_eq=${kind}`, undefined, token)).map(
    ({ attributes }) => attributes,
  );
const rowOf = (page: Page, slug: string) => rowsOf(page, 'Statements').filter({ hasText: slug });
const save = (page: Page, name: string) => dialog(page, name).getByRole('button', { name: 'Save' }).click();

test('a settlement whose response was lost is sent again and pays once', async () => {
  const { page, token, slug } = await opened();
  const ids: string[] = [];
  await page.route(SETTLEMENTS, async (route) => {
    ids.push(route.request().postDataJSON().settlement_id);
    await route.fetch();
    await (ids.length === 1 ? route.abort() : route.fallback());
  });
  await rowOf(page, slug).getByRole('button', { name: 'Settle', exact: true }).click();
  expect(await field(page, 'Settle', 'Amount').inputValue()).toBe('246.90');
  await field(page, 'Settle', 'Reference').fill('SEPA 7');
  await save(page, 'Settle');
  await dialog(page, 'Settle').getByText('It is not known whether').waitFor();
  expect(await field(page, 'Settle', 'Amount').isDisabled()).toBe(true);
  await save(page, 'Settle');
  await dialog(page, 'Settle').waitFor({ state: 'detached' });
  expect(new Set(ids).size).toBe(1);
  expect(await entriesOf(token, slug, 'settlement')).toMatchObject([{ commission: -24_690, reference: 'SEPA 7' }]);
  expect(dashboard.complaints).toEqual([]);
});

test('a settlement that arrives first is shown, and the amount is not paid again', async () => {
  const { page, token, slug } = await opened();
  await rowOf(page, slug).getByRole('button', { name: 'Settle', exact: true }).click();
  const other = { affiliate_slug: slug, settlement_id: 'other', amount: 20_000, currency: 'usd' };
  await dashboard.call('/v2/settlements', other, token);
  await save(page, 'Settle');
  const alert = page.getByRole('alert').filter({ hasText: 'Another settlement was recorded' });
  await alert.getByText('It was $246.90, and is $46.90 now.').waitFor();
  expect(await entriesOf(token, slug, 'settlement')).toHaveLength(1);
});

test('a settlement says until when the payout account is pending', async () => {
  const { page, slug } = await opened();
  await page.route(`**/v2/advocates/${slug}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.attributes.payout_pending_until = Date.parse('2100-01-01T12:00:00Z') / 1000;
    await route.fulfill({ response, json });
  });
  await rowOf(page, slug).getByRole('button', { name: 'Settle', exact: true }).click();
  await dialog(page, 'Settle')
    .getByRole('alert')
    .getByText(/^Waits until Jan 1, 2100, .*: the payout account/)
    .waitFor();
});

test('"Settle page" reports the result of each row, and a retry settles only the rest', async () => {
  const { page, token, slugs } = await opened(3);
  const [first = '', second = '', third = ''] = slugs;
  let lost = 0;
  await page.route(SETTLEMENTS, async (route) => {
    const isLost = route.request().postDataJSON().affiliate_slug === second && lost === 0;
    if (isLost) lost += 1;
    if (isLost) await route.fetch();
    await (isLost ? route.abort() : route.continue());
  });
  await page.getByRole('button', { name: 'Settle page' }).click();
  await earn(token, third, 10_000);
  await save(page, 'Settle page');
  const result = (slug: string, text: string) =>
    dialog(page, 'Settle page').getByRole('row').filter({ hasText: slug }).filter({ hasText: text }).waitFor();
  await result(first, 'Recorded');
  await result(second, 'Not known whether it is recorded');
  await result(third, '$266.90 is payable now');
  await save(page, 'Settle page');
  await dialog(page, 'Settle page').getByText('This page is settled.').waitFor();
  for (const [slug, amount] of [
    [first, -24_690],
    [second, -24_690],
    [third, -26_690],
  ] as const) {
    expect((await entriesOf(token, slug, 'settlement')).map(({ commission }) => commission)).toEqual([amount]);
  }
});

test('an adjustment whose response was lost is recorded once, with the amount as it was typed', async () => {
  const { page, token, slug } = await opened();
  await earn(token, slug, 5000, 'jpy');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await rowOf(page, slug).filter({ hasText: '¥1,000' }).getByRole('button', { name: 'Adjust' }).click();
  expect(await field(page, 'Adjust', 'Currency').inputValue()).toBe('jpy');
  await field(page, 'Adjust', 'Note').fill('Correction');
  await field(page, 'Adjust', 'Currency').fill('KWD');
  await field(page, 'Adjust', 'Amount').fill('-0.005');
  let tries = 0;
  await page.route('**/v2/adjustments', async (route) => {
    tries += 1;
    if (tries === 1) await route.fetch();
    await (tries === 1 ? route.abort() : route.continue());
  });
  await save(page, 'Adjust');
  await dialog(page, 'Adjust').getByText('It is not known whether').waitFor();
  await save(page, 'Adjust');
  await dialog(page, 'Adjust').waitFor({ state: 'detached' });
  expect(await entriesOf(token, slug, 'adjustment')).toMatchObject([{ commission: -5, note: 'Correction' }]);
});

test('statements of several currencies are downloaded', async () => {
  const { page, token, slug } = await opened();
  await earn(token, slug, 5000, 'jpy');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await rowOf(page, slug).nth(1).waitFor();
  const rows = await download(page);
  expect(Object.keys(rows[0] ?? {})).toEqual([...STATEMENT_COLUMNS]);
  expect(rows.map((row) => Object.values(row)).map((row) => [row[0], row[2], row[4], row.at(-1)])).toEqual([
    [slug, 'jpy', '5000', '1000'],
    [slug, 'usd', '1234.50', '246.90'],
  ]);
});

async function download(page: Page): Promise<Record<string, string>[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  return parse(await readFile(await file.path()), { columns: true });
}

test('ids that a spreadsheet would run as formulas get an apostrophe in the file', async () => {
  const hostile = ['=HYPERLINK("https://evil.example")', '+1', '-1+cmd', '@SUM(A1)', 'a,"b"'];
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  for (const uid of hostile) await dashboard.referralOf(token, slug, { uid, sub_id: uid });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await rowsOf(page, 'Referrals').nth(hostile.length).waitFor();
  const rows = (await download(page)).toReversed();
  const written = hostile.map((text) => (/^[=+\-@]/.test(text) ? `'${text}` : text));
  expect(rows.map(({ uid }) => uid)).toEqual(written);
  expect(rows.map(({ sub_id }) => sub_id)).toEqual(written);
  expect(rows[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  await page.getByText('Downloaded 5 rows.').waitFor();
  expect(dashboard.complaints).toEqual([]);
});
