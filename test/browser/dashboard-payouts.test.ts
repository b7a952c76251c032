import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Route } from 'playwright-core';
import { STATEMENT_COLUMNS } from '../../functions/ledger/rules/statement-file.ts';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field } from '../support/browser/dashboard-page.ts';
import {
  ADA,
  BOB,
  download,
  payout,
  record,
  review,
  row,
  select,
  status,
  usePayoutPages,
} from '../support/browser/payouts-page.ts';
import { numberIn, rowsOf } from '../support/browser/portal-page.ts';
import { until } from '../support/until.ts';

const dashboard = usePayoutPages();
const { earners, opened, listed, counted, earn, settlementsOf } = dashboard;
/** For the check of accessibility: what fades has no final colors. */
const STILL = { bypassCSP: true, reducedMotion: 'reduce' } as const;
const MONTH = new Date().toISOString().slice(0, 7);

test('"Select all due" skips rows below the minimum and without an account, which stand last, and files follow the record', async () => {
  const CEM = { first_name: 'Cem', payout_method: 'paypal', payout_account: 'cem@pay.example', amount: 1000 };
  const { page, token, slugs } = await opened(ADA, { ...BOB, amount: 200_000 }, CEM);
  await row(page, 'To pay', 'Cem').getByText('Below your minimum of $50.00').waitFor();
  await row(page, 'To pay', 'Bob').getByText('No payout account').waitFor();
  expect(await numberIn(page, 'Owed').textContent()).toBe('$648.90');
  expect(await numberIn(page, 'Due').textContent()).toBe('$648.90');
  expect(await numberIn(page, 'On hold').textContent()).toBe('$0.00');
  expect(await page.getByRole('group', { name: 'Overpaid' }).count()).toBe(0);
  expect(await rowsOf(page, 'To pay').getByRole('link').allTextContents()).toEqual(['Ada', 'Cem', 'Bob']);
  await status(page, 'Selection').getByText('Nobody selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select all due' }).check();
  await status(page, 'Selection').getByText('1 advocate · $246.90').waitFor();
  await select(page, 'Bob').check();
  await status(page, 'Selection').getByText('2 advocates · $646.90').waitFor();

  await review(page);
  await status(payout(page), 'Total').getByText('$646.90 to 2 advocates').waitFor();
  expect(await field(page, 'Payout', 'Run').inputValue()).toBe(MONTH);
  expect(
    await payout(page)
      .getByRole('button', { name: /^Download/ })
      .count(),
  ).toBe(0);
  await record(page);
  await status(payout(page), 'Total').getByText('Recorded: $646.90 to 2 advocates.').waitFor();
  const file = await download(page, payout(page).getByRole('button', { name: 'Download PayPal file' }));
  expect(file).toContain('ada@pay.example,246.90,USD');
  expect(file.trim().split('\n')).toHaveLength(1);
  await payout(page).getByText('Not in it: Bob (no payout account).').waitFor();
  const csv = await download(page, payout(page).getByRole('button', { name: 'Download CSV' }));
  expect(parse<object>(csv, { columns: true })).toHaveLength(2);
  await payout(page).getByRole('button', { name: 'Done' }).click();

  await row(page, 'To pay', 'Ada').waitFor({ state: 'detached' });
  await row(page, 'Payout history', MONTH).filter({ hasText: '$646.90' }).waitFor();
  await page.getByRole('button', { name: `Files of ${MONTH}` }).click();
  expect(await download(page, page.getByRole('menuitem', { name: 'Download CSV' }))).toBe(csv);
  for (const [index, commission] of [-24_690, -40_000].entries()) {
    const slug = slugs[index] ?? '';
    expect(await settlementsOf(token, slug)).toMatchObject([{ commission, settlement_id: `${MONTH}:usd:${slug}` }]);
  }
  expect(await settlementsOf(token, slugs[2] ?? '')).toEqual([]);
  expect(dashboard.complaints).toEqual([]);
});

test('"Select all due" selects the advocates of all pages on any page, and the advocate of the address stands first', async () => {
  const COUNT = 52;
  const { token } = await earners();
  const slugs: string[] = [];
  for (let number = 1; number <= COUNT; number += 1) {
    const slug = await dashboard.advocateOf(token, { ...ADA, first_name: `Person ${number}` });
    const bonus = {
      affiliate_slug: slug,
      adjustment_id: slug,
      commission: 10_000 - number,
      currency: 'usd',
      note: 'Thanks',
    };
    await dashboard.call('/v2/adjustments', bonus, token);
    slugs.push(slug);
  }
  const last = slugs.at(-1) ?? '';
  for (const slug of slugs) await counted(token, slug, { commissions: 0, settled: 0 });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, `#/payouts?advocate=${last}`);
  await status(page, 'Selection').getByText('1 advocate · $99.48').waitFor();
  expect(
    await rowsOf(page, 'To pay')
      .filter({ hasText: `Person ${COUNT}` })
      .count(),
  ).toBe(1);
  await page.getByRole('region', { name: 'To pay' }).getByRole('button', { name: 'Next page' }).click();
  await row(page, 'To pay', 'Person 51').waitFor();
  expect(await rowsOf(page, 'To pay').count()).toBe(3);
  await page.getByRole('checkbox', { name: 'Select all due' }).check();
  await status(page, 'Selection').getByText(`${COUNT} advocates · $5,186.22`).waitFor();
  await select(page, 'Person 51').uncheck();
  await status(page, 'Selection')
    .getByText(`${COUNT - 1} advocates`)
    .waitFor();
  expect(await page.getByRole('checkbox', { name: 'Select all due' }).isChecked()).toBe(false);
});

test('what is selected before the program was read stays, and “Select all due” waits for its minimum', async () => {
  const { page } = await opened(ADA, { ...ADA, first_name: 'Cem', amount: 1000 });
  for (const [selected, press] of [
    ['1 advocate · $2.00', () => select(page, 'Cem').check()],
    ['1 advocate · $246.90', () => page.getByRole('checkbox', { name: 'Select all due' }).check()],
  ] as const) {
    const held = Promise.withResolvers<Route>();
    await page.route('**/v2/program', held.resolve, { times: 1 });
    await page.reload();
    await rowsOf(page, 'To pay').nth(2).waitFor();
    await press();
    await (await held.promise).continue();
    await page.getByText('Beans & Co').first().waitFor();
    await status(page, 'Selection').getByText(selected).waitFor();
  }
});

test('a selection ends when a refresh shows another currency, so that no payout mixes currencies', async () => {
  const { page, token, slug } = await opened(ADA);
  await select(page, 'Ada').check();
  await status(page, 'Selection').getByText('1 advocate · $246.90').waitFor();
  await earn(token, slug, 999_900, 'eur');
  const currency = async () =>
    (await dashboard.call<{ attributes: { currency: string } }[]>('/v2/balances', undefined, token))[0]?.attributes
      .currency;
  await until(async () => (await currency()) === 'eur');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await row(page, 'To pay', 'Ada').getByText('€1,999.80').waitFor();
  await page.getByText('Also: $246.90').waitFor();
  await status(page, 'Selection').getByText('Nobody selected').waitFor();
  expect(await select(page, 'Ada').isChecked()).toBe(false);
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('USD');
  await status(page, 'Selection').getByText('Nobody selected').waitFor();
  await row(page, 'To pay', 'Ada').getByText('$246.90').waitFor();
});

test('the advocate of the address is selected, and the first SEPA file asks from which account it pays', async () => {
  const bank = { payout_method: 'bank', payout_account: 'DE89370400440532013000', currency: 'eur' };
  const { token, slug } = await earners({ first_name: 'Ada', ...bank }, { ...BOB, currency: 'eur' });
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
  const { program, token } = await earners(ADA);
  await listed(token, 1);
  const page = await dashboard.newPage();
  await dashboard.open(page, await dashboard.tokenOf(program, 'read'), '#/payouts');
  await page.getByText('you need the scope “payouts”').waitFor();
  await row(page, 'To pay', 'Ada').getByText('$246.90').first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Pay out' }).count()).toBe(0);
});

test('payouts and their dialog break no accessibility rule, and a phone shows the first row without scrolling', async () => {
  const { token } = await earners(ADA, BOB);
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
