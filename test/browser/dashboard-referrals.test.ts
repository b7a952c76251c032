import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
/** For the check of accessibility: what fades has no final colors. */
const STILL = { bypassCSP: true, reducedMotion: 'reduce' } as const;
const ALL = ['read', 'track', 'advocates', 'payouts'];

/** A program with two advocates and a token for everything that the view does. */
async function aProgram() {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), ...ALL);
  const ada = await dashboard.advocateOf(token, { first_name: 'Ada', slug: 'ada' });
  const bob = await dashboard.advocateOf(token, { first_name: 'Bob', slug: 'bob' });
  return { token, ada, bob };
}

async function opened(token: string, hash = '#/referrals', options = {}): Promise<Page> {
  const page = await dashboard.newPage(options);
  await dashboard.open(page, token, hash);
  return page;
}

const drawer = (page: Page) => dialog(page, 'Referral');
const row = (page: Page, table: string, text: string) => rowsOf(page, table).filter({ hasText: text });
const press = (page: Page, box: string, name: string) =>
  dialog(page, box).getByRole('button', { name, exact: true }).click();
const closed = (page: Page, box: string) => dialog(page, box).waitFor({ state: 'detached' });

async function change(page: Page, name: string): Promise<void> {
  await press(page, 'Referral', 'Change');
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function setState(page: Page, state: string): Promise<void> {
  await change(page, 'Change state');
  const group = dialog(page, 'Change state').getByRole('radiogroup', { name: 'New state' });
  await group.getByRole('radio', { name: state, exact: true }).check();
  await press(page, 'Change state', 'Save');
}

test('a referral is rejected, restored, paid, moved and erased, and its commission is withdrawn', async () => {
  const { token, ada, bob } = await aProgram();
  const id = await dashboard.referralOf(token, ada, { email: 'ana@shop.example', metadata: { plan: 'pro' } });
  const page = await opened(token, `#/referrals/${id}`);
  await drawer(page).getByText('pro', { exact: true }).waitFor();
  await drawer(page).getByText('20% of each payment').waitFor();
  await change(page, 'Change state');
  expect(await dialog(page, 'Change state').getByRole('radio', { checked: true }).count()).toBe(0);
  await press(page, 'Change state', 'Close');
  await setState(page, 'Rejected');
  await row(page, 'History', 'Rejected').waitFor();
  await setState(page, 'Cancelled');
  await dialog(page, 'Change state').getByRole('alert').waitFor();
  await press(page, 'Change state', 'Close');
  await setState(page, 'Signed up');
  await row(page, 'History', 'Signed up').nth(1).waitFor();

  await change(page, 'Record payment');
  expect(await field(page, 'Record payment', 'Currency').inputValue()).toBe('');
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('1000');
  await field(page, 'Record payment', 'Currency').fill('JPY');
  await press(page, 'Record payment', 'Save');
  await closed(page, 'Record payment');
  await row(page, 'Entries', 'in_1').filter({ hasText: '¥200' }).filter({ hasText: '20%' }).waitFor();
  await press(page, 'Referral', 'Withdraw commission');
  await dialog(page, 'Withdraw commission').getByText('what is left of ¥200').waitFor();
  await field(page, 'Withdraw commission', 'Note').fill('The card was stolen');
  await press(page, 'Withdraw commission', 'Withdraw commission');
  await closed(page, 'Withdraw commission');
  await row(page, 'Entries', 'The card was stolen').filter({ hasText: '-¥200' }).waitFor();
  expect(await drawer(page).getByRole('button', { name: 'Withdraw commission' }).count()).toBe(0);

  await change(page, 'Move');
  await field(page, 'Move', 'New advocate').fill('bo');
  await dialog(page, 'Move').getByRole('option').filter({ hasText: 'Bob' }).click();
  await press(page, 'Move', 'Save');
  await closed(page, 'Move');
  await row(page, 'History', `Moved from ${ada} to ${bob}`).waitFor();
  await row(page, 'Entries', `for ${ada}`).nth(1).waitFor();

  await change(page, 'Erase');
  await field(page, 'Erase', 'Type erase to confirm').fill('erased');
  await press(page, 'Erase', 'Erase');
  await dialog(page, 'Erase').getByRole('alert').waitFor();
  await field(page, 'Erase', 'Type erase to confirm').fill('erase');
  await press(page, 'Erase', 'Erase');
  await row(page, 'History', 'The customer was erased').waitFor();
  await press(page, 'Referral', 'Close');
  await row(page, 'Referrals', 'Erased').waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals');
  expect(dashboard.complaints).toEqual([]);
});

test('a referral, a payment and a withdrawal whose responses are lost are written once', async () => {
  const { token, ada } = await aProgram();
  const page = await opened(token);
  const lost: string[] = [];
  await page.route(/\/v2\/(?:tracking\/conversion|payments|payments\/void)$/, async (route) => {
    const url = route.request().url();
    if (lost.includes(url)) return route.continue();
    lost.push(url);
    await route.fetch();
    await route.abort();
  });
  const saveTwice = async (name: string, save = 'Save') => {
    await press(page, name, save);
    await dialog(page, name).getByRole('alert').waitFor();
    await press(page, name, save);
    await closed(page, name);
  };
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill(ada);
  await field(page, 'New referral', 'Your id').fill('1001');
  await saveTwice('New referral');
  await change(page, 'Record payment');
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('10');
  await field(page, 'Record payment', 'Currency').fill('usd');
  await saveTwice('Record payment');
  await row(page, 'Entries', '$2.00').waitFor();
  await press(page, 'Referral', 'Withdraw commission');
  await field(page, 'Withdraw commission', 'Note').fill('A mistake');
  await saveTwice('Withdraw commission', 'Withdraw commission');
  await row(page, 'Entries', 'A mistake').waitFor();
  expect(await rowsOf(page, 'Entries').count()).toBe(3);
  expect(await dashboard.call<object[]>('/v2/referrals', undefined, token)).toHaveLength(1);
  expect(lost).toHaveLength(3);
});

test('the search finds the beginning of an email, stays out of the address, and explains who is missing', async () => {
  const { token, ada } = await aProgram();
  await dashboard.referralOf(token, ada, { email: 'ana@shop.example', uid: null });
  await dashboard.referralOf(token, ada, { email: 'zoe@shop.example', uid: null });
  const page = await opened(token);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await row(page, 'Referrals', 'zoe@shop.example').waitFor();
  await search.fill('AN');
  await row(page, 'Referrals', 'zoe@shop.example').waitFor({ state: 'detached' });
  await row(page, 'Referrals', 'ana@shop.example').waitFor();
  expect(page.url()).toMatch(/#\/referrals$/);
  await search.fill('nobody@shop.example');
  await page.getByRole('button', { name: 'Why is this customer missing?' }).click();
  await dialog(page, 'Explanation').getByText('Nothing arrived in the last 30 days').waitFor();
  await press(page, 'Explanation', 'Close');
  await search.fill('');
  await row(page, 'Referrals', 'zoe@shop.example').waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('a referral says why it is of this advocate, and why not of another one', async () => {
  const { token, ada, bob } = await aProgram();
  await dashboard.call('/v2/codes/BOB10', { affiliate_slug: bob }, token, 'PUT');
  const customer = { affiliate_slug: ada, code: 'BOB10', email: 'ana@shop.example' };
  const { id } = await dashboard.call<{ id: string }>('/v2/tracking/conversion', customer, token);
  const page = await opened(token, `#/referrals/${id}`);
  const why = region(page, 'Why this advocate');
  await why.getByText(`Credited to ${ada}`, { exact: true }).waitFor();
  await why.getByText(/: signed up, credited to ada/).waitFor();
  await why.getByText(`Another link or code of this customer was of ${bob}.`).waitFor();
  await why.getByRole('button', { name: 'Why not another advocate?' }).click();
  await why.getByRole('textbox').fill(bob);
  await why.getByRole('button', { name: 'Explain' }).click();
  await why.getByText('Move the referral if that is wrong.').waitFor();
});

test('filters are in the address, and the file has the rows that they leave', async () => {
  const { token, ada, bob } = await aProgram();
  const hostile = ['=HYPERLINK("https://evil.example")', '+1', '-1+cmd', '@SUM(A1)', 'a,"b"'];
  for (const uid of hostile) await dashboard.referralOf(token, ada, { uid, sub_id: uid });
  const rejected = await dashboard.referralOf(token, bob, { uid: 'of-bob' });
  await dashboard.call('/v2/tracking/state', { id: rejected, state: 'rejected' }, token);
  const page = await opened(token, '#/referrals?state=converted');
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

test('ids, notes and fields full of code are shown as text', async () => {
  const hostile = ['<img src=x onerror="document.title=1">', '=HYPERLINK("https://evil.example")', '😀'.repeat(60)];
  const { token } = await aProgram();
  const slug = await dashboard.advocateOf(token, { first_name: hostile[0] });
  for (const [index, text] of hostile.entries()) {
    await dashboard.referralOf(token, slug, { uid: text, sub_id: text, metadata: { [`f${index}`]: text } });
  }
  const page = await opened(token);
  for (const text of hostile) await page.getByRole('link', { name: text, exact: true }).waitFor();
  await page.getByRole('link', { name: hostile[0] ?? '', exact: true }).click();
  await drawer(page).getByText('f0', { exact: true }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Referrals – Beans & Co');
  expect(dashboard.complaints).toEqual([]);
});

test('the list and a referral break no accessibility rule, and a phone shows the first row without scrolling', async () => {
  const { token, ada } = await aProgram();
  const id = await dashboard.referralOf(token, ada, { email: 'ana@shop.example' });
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 5000, currency: 'usd' }, token);
  for (const width of [1280, 390]) {
    const page = await opened(token, '#/referrals', { viewport: { width, height: 844 }, ...STILL });
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
    await first.getByRole('link').click();
    await row(page, 'Entries', '$10.00').waitFor();
    await region(page, 'Why this advocate').getByText('Credited to ada', { exact: true }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
