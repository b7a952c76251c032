import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { violations } from '../support/browser/chromium.ts';
import { dialog } from '../support/browser/dashboard-page.ts';
import { press, reach } from '../support/browser/keyboard.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { closed, drawer, pressIn, row, SCOPES, useReferralPages } from '../support/browser/referrals.ts';
import { newId } from '../support/program.ts';

const dashboard = useReferralPages();
/** For the check of accessibility: what fades has no final colors. */
const STILL = { bypassCSP: true, reducedMotion: 'reduce' } as const;

test('the search finds the beginning of an email, stays out of the address, and explains who is missing', async () => {
  const { token, ada } = await dashboard.twoAdvocates();
  await dashboard.referralOf(token, ada, { email: 'ana@shop.example', uid: null });
  await dashboard.referralOf(token, ada, { email: 'zoe@shop.example', uid: null });
  const page = await dashboard.opened(token);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await row(page, 'Referrals', 'zoe@shop.example').waitFor();
  await search.fill('AN');
  await row(page, 'Referrals', 'zoe@shop.example').waitFor({ state: 'detached' });
  await row(page, 'Referrals', 'ana@shop.example').waitFor();
  expect(page.url()).toMatch(/#\/referrals$/);
  await search.fill('nobody@shop.example');
  await page.getByRole('button', { name: 'Why is this customer missing?' }).click();
  await dialog(page, 'Explanation').getByText('Nothing arrived in the last 30 days').waitFor();
  await pressIn(page, 'Explanation', 'Close');
  await search.fill('');
  await row(page, 'Referrals', 'zoe@shop.example').waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('the list says when customers signed up, not when they visited or when their state changed', async () => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, ...SCOPES);
  await dashboard.advocateOf(token, { first_name: 'Ada', slug: 'ada' });
  const file = join(dashboard.folder(), 'referrals.csv');
  const times = '2025-03-01T12:00:00Z,2025-03-10T12:00:00Z,2025-04-20T12:00:00Z';
  const rows = ['paid', 'churned', 'rejected'].map((state) => `ada,${state}@shop.example,${state},${times}`);
  await writeFile(file, ['advocate_slug,email,state,created_at,converted_at,state_set_at', ...rows].join('\n'));
  await dashboard.admin('referral', 'import', '--program', program, '--file', file);
  const page = await dashboard.opened(token);
  for (const state of ['paid', 'churned', 'rejected']) {
    const signedUp = row(page, 'Referrals', `${state}@shop.example`).getByRole('cell').nth(3);
    await signedUp.filter({ hasText: 'Mar 10, 2025' }).waitFor();
  }
});

test.each(['touch', 'keyboard'] as const)(
  'on a phone, %s suffices to find a customer by half an email, and to read why a code did not count',
  async (by) => {
    const { token, ada, bob } = await dashboard.twoAdvocates();
    await dashboard.call('/v2/codes/BOB10', { affiliate_slug: bob }, token, 'PUT');
    const customer = { gr_id: `${ada}.${newId()}`, code: 'BOB10', email: 'ana@shop.example' };
    const { id } = await dashboard.call<{ id: string }>('/v2/tracking/conversion', customer, token);
    await dashboard.call('/v2/tracking/state', { id, state: 'churned' }, token);
    await dashboard.referralOf(token, bob, { email: `zoe-${'a-long-name-'.repeat(4)}@shop.example` });
    const page = await dashboard.opened(token, '#/referrals', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const link = page.getByRole('link', { name: 'ana@shop.example' });
    await row(page, 'Referrals', 'zoe-').waitFor();
    expect((await row(page, 'Referrals', 'zoe-').boundingBox())?.height).toBeLessThanOrEqual(68);
    if (by === 'touch') await page.getByRole('searchbox', { name: 'Search' }).tap();
    else await reach(page, 'Search');
    await page.keyboard.type('AN');
    await row(page, 'Referrals', 'zoe-').waitFor({ state: 'detached' });
    if (by === 'touch') await link.tap();
    else await press(page, 'ana@shop.example');
    const why = region(page, 'Why this advocate');
    await why.getByText(/: signed up, credited to ada/).waitFor();
    const reason = why.getByText(`The code BOB10 of this customer was of ${bob}. Links come before codes.`);
    await reason.scrollIntoViewIfNeeded();
    const box = await reason.boundingBox();
    expect([box?.x ?? -1, box?.y ?? -1].every((edge) => edge >= 0)).toBe(true);
    await row(page, 'History', 'Cancelled').waitFor();
    expect([await why.getByText('cancelled').count(), await row(page, 'History', 'Signed up').count()]).toEqual([0, 0]);
    if (by === 'touch') await drawer(page).getByRole('button', { name: 'Close' }).tap();
    else await page.keyboard.press('Escape');
    await closed(page, 'Referral');
    expect(page.url()).not.toContain('AN');
    expect(dashboard.complaints).toEqual([]);
  },
);

test('days that are no range change nothing, and the page says which days it takes', async () => {
  const { token, ada } = await dashboard.twoAdvocates();
  await dashboard.referralOf(token, ada, { email: 'ana@shop.example' });
  const page = await dashboard.opened(token, '#/referrals?range=custom&from=2020-02-31&to=2020-01-01');
  const range = page.getByRole('combobox', { name: 'Range' });
  await row(page, 'Referrals', 'ana@shop.example').waitFor();
  expect(await range.locator('option:checked').textContent()).toBe('All time');
  await page.getByText('The range is of the last change.').waitFor();
  await range.selectOption('Custom');
  const { hash } = new URL(page.url());
  await page.getByRole('textbox', { name: 'From' }).fill('2030-01-01');
  await page.getByText('Choose at most 400 days').waitFor();
  expect([
    new URL(page.url()).hash,
    await page.getByRole('textbox', { name: 'From' }).getAttribute('aria-invalid'),
  ]).toEqual([hash, 'true']);
  await page.getByRole('textbox', { name: 'From' }).fill('2020-01-01');
  await page.getByRole('textbox', { name: 'To' }).fill('2020-01-31');
  await page.getByText('No referrals match the filters.').waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals?range=custom&from=2020-01-01&to=2020-01-31');
});

test('filters are in the address, and the file has the rows that they leave', async () => {
  const { token, ada, bob } = await dashboard.twoAdvocates();
  const hostile = ['=HYPERLINK("https://evil.example")', '+1', '-1+cmd', '@SUM(A1)', 'a,"b"'];
  for (const uid of hostile) await dashboard.referralOf(token, ada, { uid, sub_id: uid });
  const rejected = await dashboard.referralOf(token, bob, { uid: 'of-bob' });
  await dashboard.call('/v2/tracking/state', { id: rejected, state: 'rejected' }, token);
  const page = await dashboard.opened(token, '#/referrals?state=converted');
  await rowsOf(page, 'Referrals').nth(hostile.length).waitFor();
  expect(await row(page, 'Referrals', 'of-bob').count()).toBe(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const rows = parse<Record<string, string>>(await readFile(await file.path()), { columns: true }).toReversed();
  const written = hostile.map((text) => (/^[=+\-@]/.test(text) ? `'${text}` : text));
  expect(rows.map(({ uid }) => uid)).toEqual(written);
  expect(rows.map(({ sub_id }) => sub_id)).toEqual(written);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Rejected');
  await row(page, 'Referrals', 'of-bob').waitFor();
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Last month');
  await page.getByText('No referrals match the filters.').waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals?state=rejected&range=last-month');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowsOf(page, 'Referrals')
    .nth(hostile.length + 1)
    .waitFor();
  await page.getByRole('textbox', { name: 'Advocate' }).fill('bob');
  await page.getByRole('option').filter({ hasText: 'Bob' }).click();
  await row(page, 'Referrals', 'a,"b"').waitFor({ state: 'detached' });
  await row(page, 'Referrals', 'of-bob').waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals?advocate=bob');
});

test('the list has the last change first and says so, and one of two filters that cannot be combined is off', async () => {
  const { token, ada, bob } = await dashboard.twoAdvocates();
  await dashboard.referralOf(token, ada, { uid: 'of-ada' });
  await dashboard.referralOf(token, bob, { uid: 'of-bob' });
  const page = await dashboard.opened(token, '#/referrals');
  const changed = page.getByRole('columnheader', { name: 'Last change' });
  expect(await changed.getAttribute('aria-sort')).toBe('descending');
  const flag = page.getByRole('checkbox', { name: 'Possible self-referrals' });
  const advocate = page.getByRole('textbox', { name: 'Advocate' });
  await flag.check();
  await page.getByText('No referrals match the filters.').waitFor();
  expect(await advocate.isDisabled()).toBe(true);
  await flag.uncheck();
  await advocate.fill('bob');
  await page.getByRole('option').filter({ hasText: 'Bob' }).click();
  await row(page, 'Referrals', 'of-ada').waitFor({ state: 'detached' });
  expect([await flag.isDisabled(), await changed.count()]).toEqual([true, 0]);
  await row(page, 'Referrals', 'of-bob').getByRole('link', { name: bob, exact: true }).click();
  await page.waitForURL('**/dashboard#/advocates/bob');
});

test('the list and a referral break no accessibility rule, and a phone shows the first row without scrolling', async () => {
  const { token, ada } = await dashboard.twoAdvocates();
  const id = await dashboard.referralOf(token, ada, { email: 'ana@shop.example' });
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 5000, currency: 'usd' }, token);
  for (const width of [1280, 390]) {
    const page = await dashboard.opened(token, '#/referrals', { viewport: { width, height: 844 }, ...STILL });
    const first = row(page, 'Referrals', 'ana@shop.example');
    await first.waitFor();
    if (width === 390) {
      const box = await first.boundingBox();
      expect(box?.y).toBeLessThanOrEqual(260);
      expect(box?.height).toBeLessThanOrEqual(68);
      expect(await page.getByRole('combobox', { name: 'State' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('combobox', { name: 'State' }).waitFor();
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
    await first.getByRole('link').first().click();
    await row(page, 'Entries', '$10.00').waitFor();
    await region(page, 'Why this advocate').getByText('Credited to ada', { exact: true }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
