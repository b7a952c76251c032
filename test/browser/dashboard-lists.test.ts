import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { copyWith } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();

interface Stored {
  readonly attributes: Readonly<Record<string, unknown>> & { readonly slug: string };
}

async function opened(page: Page): Promise<string> {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'advocates');
  await dashboard.open(page, token, '#/advocates');
  return token;
}

const rowOf = (page: Page, text: string) => rowsOf(page, 'Advocates').filter({ hasText: text });
const press = (page: Page, row: string, name: string) =>
  rowOf(page, row).getByRole('button', { name, exact: true }).click();
const save = (page: Page) => dialog(page, 'Advocate').getByRole('button', { name: 'Save' }).click();
const closed = (page: Page) => dialog(page, 'Advocate').waitFor({ state: 'detached' });

test('an advocate is created, found, edited, deactivated, activated and erased', async () => {
  const page = await dashboard.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const token = await opened(page);
  const read = async () => (await dashboard.call<Stored>('/v2/advocates/jane', undefined, token)).attributes;
  await page.getByText('No advocates yet.').waitFor();
  await page.getByRole('button', { name: 'Add advocate' }).click();
  await field(page, 'Advocate', 'Email').fill('jane@partners.example');
  await field(page, 'Advocate', 'Slug').fill('jane');
  await field(page, 'Advocate', 'Your id').fill('partner-1');
  await field(page, 'Advocate', 'Commission').fill('12.5');
  await save(page);
  await closed(page);
  await rowOf(page, 'jane@partners.example').getByText('12.5%').waitFor();
  const copy = rowOf(page, 'jane').getByRole('button', { name: 'Copy link' });
  expect(await copyWith(copy)).toBe('https://beans.example/?via=jane');

  await press(page, 'jane', 'Edit');
  await field(page, 'Advocate', 'First name').fill('Jane');
  await field(page, 'Advocate', 'Commission').fill('');
  await dashboard.call('/v2/advocates/jane', { last_name: 'Doe' }, token, 'PATCH');
  await save(page);
  await closed(page);
  await rowOf(page, 'Jane Doe').getByText('20%').waitFor();
  expect(await read()).toMatchObject({ uid: 'partner-1', last_name: 'Doe', commission_percentage: null });

  await press(page, 'Jane Doe', 'Deactivate');
  await rowOf(page, 'paused').waitFor();
  await press(page, 'Jane Doe', 'Activate');
  await rowOf(page, 'paused').waitFor({ state: 'detached' });

  await dashboard.advocateOf(token, { first_name: 'Other' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await rowOf(page, 'Other').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('JANE@partners.example');
  await rowOf(page, 'Other').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await rowOf(page, 'Other').waitFor();

  await press(page, 'Jane Doe', 'Edit');
  await field(page, 'Advocate', 'Type erase to confirm').fill('erase');
  await dialog(page, 'Advocate').getByRole('button', { name: 'Erase' }).click();
  await closed(page);
  await rowOf(page, 'Erased').waitFor();
  expect(await read()).toMatchObject({ email: null, first_name: null, uid: null, active: false });
  expect(await rowOf(page, 'Erased').getByRole('button').count()).toBe(0);
  expect(dashboard.complaints).toEqual([]);
});

test('an advocate whose response was lost is created once', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  let tries = 0;
  await page.route('**/v2/advocates', async (route) => {
    tries += 1;
    if (tries === 1) await route.fetch();
    await (tries === 1 ? route.abort() : route.continue());
  });
  await page.getByRole('button', { name: 'Add advocate' }).click();
  await field(page, 'Advocate', 'Email').fill('Sam@partners.example');
  await field(page, 'Advocate', 'First name').fill('Sam');
  await save(page);
  await dialog(page, 'Advocate').getByRole('alert').waitFor();
  await save(page);
  await closed(page);
  await rowOf(page, 'Sam').waitFor();
  expect([tries, await dashboard.call<Stored[]>('/v2/advocates', undefined, token)]).toMatchObject([1, [{}]]);
});

test("an advocate's page opens in a tab without the program's token, and all tokens of an advocate are revoked", async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), press(page, 'Ada', 'Open page')]);
  await tab.getByText('Signed in as Ada').waitFor();
  expect(new URL(tab.url()).hash).toBe('');
  expect(await tab.evaluate("[opener, sessionStorage.getItem('referral-dashboard-token')]")).toEqual([null, null]);
  const { attributes } = await dashboard.call<Stored>(`/v2/advocates/${slug}/tokens`, {}, token);
  await press(page, 'Ada', 'End sessions');
  await dialog(page, 'End sessions').getByRole('button', { name: 'End sessions' }).click();
  await page.getByText('The sessions of').waitFor();
  // The service has not read this token before.
  const headers = { authorization: `Bearer ${String(attributes['token'])}` };
  expect((await fetch(`${dashboard.url()}/v2/affiliate`, { headers })).status).toBe(401);
  expect(dashboard.complaints).toEqual([]);
});

const drawer = (page: Page) => dialog(page, 'Referral');
const pressIn = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true }).click();

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
  await pressIn(page, 'Set state');
  await drawer(page).getByText('became rejected').waitFor();
  await state.selectOption('churned');
  await pressIn(page, 'Set state');
  await drawer(page).getByRole('alert').waitFor();
  await state.selectOption('converted');
  await pressIn(page, 'Set state');
  await drawer(page).getByText('became converted').nth(1).waitFor();
  expect(await drawer(page).getByRole('alert').count()).toBe(0);

  await drawer(page).getByRole('button', { name: 'Record payment' }).click();
  await field(page, 'Record payment', 'Payment id').fill('in_1');
  await field(page, 'Record payment', 'Amount').fill('1000');
  await field(page, 'Record payment', 'Currency').fill('JPY');
  await dialog(page, 'Record payment').getByRole('button', { name: 'Save' }).click();
  await rowsOf(page, 'Entries').filter({ hasText: '¥200' }).waitFor();
  await field(page, 'Referral', 'Note').fill('The card was stolen');
  await pressIn(page, 'Void');
  await rowsOf(page, 'Entries').filter({ hasText: 'The card was stolen' }).filter({ hasText: '-¥200' }).waitFor();

  await field(page, 'Referral', 'New advocate').fill(bob);
  await pressIn(page, 'Move');
  await drawer(page).getByText(`moved from ${ada} to ${bob}`).waitFor();
  await rowsOf(page, `Entries of ${ada}`).nth(2).waitFor();

  await field(page, 'Referral', 'Type erase to confirm').fill('erased');
  await pressIn(page, 'Erase');
  await field(page, 'Referral', 'Type erase to confirm').fill('erase');
  expect(await drawer(page).getByText('was erased').count()).toBe(0);
  await pressIn(page, 'Erase');
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

test('ids, notes and metadata full of code are shown as text', async () => {
  const hostile = ['<img src=x onerror="document.title=1">', '=HYPERLINK("https://evil.example")', '😀'.repeat(60)];
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program);
  const slug = await dashboard.advocateOf(token, { first_name: hostile[0] });
  for (const [index, text] of hostile.entries()) {
    await dashboard.referralOf(token, slug, { uid: text, sub_id: text, metadata: { [`f${index}`]: text } });
  }
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  for (const text of hostile) await page.getByRole('button', { name: text }).waitFor();
  await page.getByRole('button', { name: hostile[0] ?? '' }).click();
  await drawer(page).getByText('f0', { exact: true }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Referrals – Beans & Co');
  expect(dashboard.complaints).toEqual([]);
});
