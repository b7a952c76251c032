import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { numberIn, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const ALL = ['read', 'track', 'advocates', 'payouts', 'admin'];
const RUNS = '**/v2/payout-runs';
/** For the check of accessibility: what fades has no final colors. */
const STILL = { bypassCSP: true, reducedMotion: 'reduce' } as const;
const MONTH = new Date().toISOString().slice(0, 7);

interface Entry {
  readonly attributes: { readonly commission: number; readonly settlement_id: string | null };
}

/** The fields of an advocate, and what its customer paid. */
interface Earner {
  readonly first_name: string;
  readonly payout_method?: string;
  readonly payout_account?: string;
  readonly amount?: number;
  readonly currency?: string;
}

/** A program with a minimum of $50, whose advocates each earned 246.90, unless another payment is given. */
async function aProgram(...advocates: readonly Earner[]) {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, ...ALL);
  // First, because functions remember a program for half a minute.
  await dashboard.call('/v2/program', { minimum_payout: { usd: 5000 } }, token, 'PATCH');
  const slugs: string[] = [];
  for (const { amount = 123_450, currency = 'usd', ...fields } of advocates) {
    const slug = await dashboard.advocateOf(token, fields);
    await earn(token, slug, amount, currency);
    slugs.push(slug);
  }
  return { program, token, slugs, slug: slugs[0] ?? '' };
}

/** The page of such a program with its balances, which are listed once they are counted. */
async function opened(...advocates: readonly Earner[]) {
  const made = await aProgram(...advocates);
  await listed(made.token, advocates.length);
  const page = await dashboard.newPage();
  await dashboard.open(page, made.token, '#/payouts');
  await rowsOf(page, 'To pay').nth(advocates.length).waitFor();
  return { ...made, page };
}

async function listed(token: string, count: number): Promise<void> {
  while ((await dashboard.call<object[]>('/v2/balances', undefined, token)).length < count);
}

/** Resolves when the totals of an advocate, by which balances are listed, have all that it earned and was paid. */
async function counted(token: string, slug: string, money: { readonly commissions: number; readonly settled: number }) {
  interface Statistics {
    readonly attributes: { readonly total: { readonly money: readonly Readonly<Record<string, unknown>>[] } };
  }
  const path = `/v2/statistics?range=lifetime&affiliate_slug=${slug}`;
  for (;;) {
    const { total } = (await dashboard.call<Statistics>(path, undefined, token)).attributes;
    const [found] = total.money;
    if (found?.['commissions'] === money.commissions && found['settled'] === money.settled) return;
  }
}

async function earn(token: string, slug: string, amount: number, currency = 'usd'): Promise<void> {
  const uid = crypto.randomUUID();
  await dashboard.referralOf(token, slug, { uid });
  await dashboard.call('/v2/payments', { uid, payment_id: `in_${uid}`, amount, currency }, token);
}

async function settlementsOf(token: string, slug: string) {
  const path = `/v2/ledger?affiliate_slug=${slug}&kind_eq=settlement`;
  return (await dashboard.call<Entry[]>(path, undefined, token)).map(({ attributes }) => attributes);
}

const status = (on: Page | Locator, name: string) => on.getByRole('status', { name, exact: true });
const payout = (page: Page) => dialog(page, 'Payout');
const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const row = (page: Page, table: string, text: string) => rowsOf(page, table).filter({ hasText: text });
const review = (page: Page) => page.getByRole('button', { name: 'Pay out' }).click();
const record = (page: Page) => payout(page).getByRole('button', { name: 'Record payout' }).click();

async function download(page: Page, press: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press.click()]);
  return readFile(await file.path(), 'utf8');
}

const ADA = { first_name: 'Ada', payout_method: 'paypal', payout_account: 'ada@pay.example' };
const BOB = { first_name: 'Bob' };

test('"Select all due" skips rows below the minimum and without an account, and files follow the record', async () => {
  const CEM = { first_name: 'Cem', payout_method: 'paypal', payout_account: 'cem@pay.example', amount: 1000 };
  const { page, token, slugs } = await opened(ADA, BOB, CEM);
  await row(page, 'To pay', 'Cem').getByText('Below your minimum of $50.00').waitFor();
  await row(page, 'To pay', 'Bob').getByText('No payout account').waitFor();
  expect(await numberIn(page, 'Owed').textContent()).toBe('$495.80');
  await status(page, 'Selection').getByText('Nobody is selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select all due' }).check();
  await status(page, 'Selection').getByText('1 advocate · $246.90').waitFor();
  await select(page, 'Bob').check();
  await status(page, 'Selection').getByText('2 advocates · $493.80').waitFor();

  await review(page);
  await status(payout(page), 'Total').getByText('$493.80 to 2 advocates').waitFor();
  expect(await field(page, 'Payout', 'Run').inputValue()).toBe(MONTH);
  expect(
    await payout(page)
      .getByRole('button', { name: /^Download/ })
      .count(),
  ).toBe(0);
  await record(page);
  await status(payout(page), 'Total').getByText('Recorded: $493.80 to 2 advocates.').waitFor();
  const file = await download(page, payout(page).getByRole('button', { name: 'Download PayPal file' }));
  expect(file).toContain('ada@pay.example,246.90,USD');
  expect(file.trim().split('\n')).toHaveLength(1);
  await payout(page).getByText('Not in it: Bob (no payout account).').waitFor();
  const csv = await download(page, payout(page).getByRole('button', { name: 'Download CSV' }));
  expect(parse<object>(csv, { columns: true })).toHaveLength(2);
  await payout(page).getByRole('button', { name: 'Done' }).click();

  await row(page, 'To pay', 'Ada').waitFor({ state: 'detached' });
  await row(page, 'Payout history', MONTH).filter({ hasText: '$493.80' }).waitFor();
  await page.getByRole('button', { name: `Files of ${MONTH}` }).click();
  expect(await download(page, page.getByRole('menuitem', { name: 'Download CSV' }))).toBe(csv);
  for (const slug of slugs.slice(0, 2)) {
    const settlement_id = `${MONTH}:usd:${slug}`;
    expect(await settlementsOf(token, slug)).toMatchObject([{ commission: -24_690, settlement_id }]);
  }
  expect(await settlementsOf(token, slugs[2] ?? '')).toEqual([]);
  expect(dashboard.complaints).toEqual([]);
});

test('a payout whose response was lost is sent again under the same run, and pays once', async () => {
  const { page, token, slug } = await opened(ADA);
  const sent: unknown[] = [];
  await page.route(RUNS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    sent.push(route.request().postDataJSON());
    if (sent.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await select(page, 'Ada').check();
  await review(page);
  await record(page);
  await payout(page).getByText('It is not known whether this was recorded.').waitFor();
  expect(await field(page, 'Payout', 'Run').isDisabled()).toBe(true);
  await record(page);
  await row(page, 'Payout', 'Ada').getByText('Recorded before').waitFor();
  await status(payout(page), 'Total').getByText('Recorded: $246.90 to 1 advocate.').waitFor();
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(await settlementsOf(token, slug)).toMatchObject([{ commission: -24_690 }]);
});

test('a payout that was left after a lost response is in the history, with its files', async () => {
  const { page, token, slug } = await opened(ADA);
  await page.route(RUNS, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await select(page, 'Ada').check();
  await review(page);
  await field(page, 'Payout', 'Run').fill('lost');
  await record(page);
  await payout(page).getByText('It is not known whether this was recorded.').waitFor();
  await page.keyboard.press('Escape');
  await row(page, 'Payout history', 'lost').filter({ hasText: '$246.90' }).waitFor();
  await page.getByRole('button', { name: 'Files of lost' }).click();
  const file = await download(page, page.getByRole('menuitem', { name: 'Download PayPal file' }));
  expect(file).toContain('ada@pay.example,246.90,USD');
  expect(await settlementsOf(token, slug)).toHaveLength(1);
});

test('a due amount that has changed is shown, and needs another press', async () => {
  const { page, token, slugs } = await opened(ADA, BOB);
  const [ada = '', bob = ''] = slugs;
  await select(page, 'Ada').check();
  await select(page, 'Bob').check();
  await review(page);
  await earn(token, ada, 10_000);
  const other = { affiliate_slug: bob, settlement_id: 'other', amount: 24_690, currency: 'usd' };
  await dashboard.call('/v2/settlements', other, token);
  await record(page);
  await payout(page).getByRole('alert').getByText('What is due has changed').waitFor();
  await row(page, 'Payout', 'Ada').getByText('was $246.90').waitFor();
  await row(page, 'Payout', 'Bob').getByText('Nothing is due any more').waitFor();
  await status(payout(page), 'Total').getByText('$266.90 to 1 advocate').waitFor();
  expect(await settlementsOf(token, ada)).toEqual([]);
  await record(page);
  await status(payout(page), 'Total').getByText('Recorded: $266.90 to 1 advocate.').waitFor();
  expect(await settlementsOf(token, ada)).toMatchObject([{ commission: -26_690 }]);
  expect(await settlementsOf(token, bob)).toHaveLength(1);
});

test('a run that is repeated pays only advocates whom it has not paid', async () => {
  const { page, token, slugs } = await opened(ADA, BOB);
  const [ada = '', bob = ''] = slugs;
  await dashboard.call('/v2/payout-runs', { run: 'again', currency: 'usd', slugs: [ada] }, token);
  await earn(token, ada, 10_000);
  await counted(token, ada, { commissions: 26_690, settled: 24_690 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await row(page, 'To pay', 'Ada').getByText('$20.00').waitFor();
  await row(page, 'Payout history', 'again').waitFor();
  await select(page, 'Ada').check();
  await select(page, 'Bob').check();
  await review(page);
  await field(page, 'Payout', 'Run').fill('again');
  await payout(page).getByText('This run exists.').waitFor();
  await record(page);
  await row(page, 'Payout', 'Ada').filter({ hasText: '$246.90' }).getByText('Recorded before').waitFor();
  await row(page, 'Payout', 'Bob').getByText('Recorded', { exact: true }).waitFor();
  expect(await settlementsOf(token, ada)).toMatchObject([{ commission: -24_690 }]);
  expect(await settlementsOf(token, bob)).toMatchObject([{ commission: -24_690 }]);
});

test('the advocate of the address is selected, and the first SEPA file asks from which account it pays', async () => {
  const bank = { payout_method: 'bank', payout_account: 'DE89370400440532013000', currency: 'eur' };
  const { token, slug } = await aProgram({ first_name: 'Ada', ...bank }, { ...BOB, currency: 'eur' });
  await listed(token, 2);
  const page = await dashboard.newPage();
  await dashboard.open(page, token, `#/payouts?advocate=${slug}`);
  await status(page, 'Selection').getByText('1 advocate · €246.90').waitFor();
  expect([await select(page, 'Ada').isChecked(), await select(page, 'Bob').isChecked()]).toEqual([true, false]);
  await review(page);
  await record(page);
  await payout(page).getByRole('button', { name: 'Download SEPA file' }).click();
  await field(page, 'Your bank account', 'Account holder').fill('Beans & Co');
  await field(page, 'Your bank account', 'IBAN').fill('GB33 BUKB 2020 1555 5555 55');
  const save = dialog(page, 'Your bank account').getByRole('button', { name: 'Save' });
  const file = await download(page, save);
  expect(file).toContain('<InstdAmt Ccy="EUR">246.90</InstdAmt>');
  expect(file).toContain('GB33BUKB20201555555555');
  await payout(page)
    .getByText(/^Downloaded .*\.xml\.$/)
    .waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('the statements of a month are downloaded with all currencies', async () => {
  const { page, token, slug } = await opened(ADA);
  await earn(token, slug, 5000, 'jpy');
  const statements = page.getByRole('region', { name: 'Statements' });
  const csv = await download(page, statements.getByRole('button', { name: 'Download CSV' }));
  const rows = parse<Record<string, string>>(csv, { columns: true });
  expect(Object.keys(rows[0] ?? {})).toEqual([...STATEMENT_COLUMNS]);
  expect(rows.map((each) => Object.values(each)).map((each) => [each[0], each[2], each[4], each.at(-1)])).toEqual([
    [slug, 'jpy', '5000', '1000'],
    [slug, 'usd', '1234.50', '246.90'],
  ]);
});

test('a token without the scope payouts sees what is owed, and what it lacks', async () => {
  const { program, token } = await aProgram(ADA);
  await listed(token, 1);
  const page = await dashboard.newPage();
  await dashboard.open(page, await dashboard.tokenOf(program, 'read'), '#/payouts');
  await page.getByText('you need the permission “payouts”').waitFor();
  await row(page, 'To pay', 'Ada').getByText('$246.90').first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Pay out' }).count()).toBe(0);
});

test('payouts and their dialog break no accessibility rule, and a phone shows the first row without scrolling', async () => {
  const { token } = await aProgram(ADA, BOB);
  await listed(token, 2);
  for (const width of [1280, 390]) {
    const page = await dashboard.newPage({ viewport: { width, height: 844 }, ...STILL });
    await dashboard.open(page, token, '#/payouts');
    await rowsOf(page, 'To pay').nth(2).waitFor();
    if (width === 390) {
      const box = await rowsOf(page, 'To pay').nth(1).boundingBox();
      expect(box?.y).toBeLessThanOrEqual(260);
      expect(box?.height).toBeLessThanOrEqual(68);
    }
    await select(page, 'Ada').check();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
    await review(page);
    await status(payout(page), 'Total').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
