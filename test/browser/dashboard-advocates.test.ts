import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const HOSTILE = '<img src=x onerror="document.title=1">';

interface Stored {
  readonly attributes: Readonly<Record<string, unknown>> & { readonly slug: string };
}

async function opened(page: Page, ...scopes: string[]): Promise<string> {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, ...(scopes.length > 0 ? scopes : ['read', 'advocates']));
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
  await field(page, 'Advocate', 'Commission').fill('200');
  await save(page);
  await page.getByRole('alert').getByText('Commission must be a number from 0 to 100').waitFor();
  await field(page, 'Advocate', 'Commission').fill('12.5');
  await save(page);
  await closed(page);
  await rowOf(page, 'jane@partners.example').getByText('12.5%').waitFor();
  await press(page, 'jane', 'Copy link');
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('https://beans.example/?via=jane');

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
  for (const text of ['JANE@partners.example', 'partner-1', 'jane']) {
    await page.getByRole('searchbox', { name: 'Search' }).fill(text);
    await rowOf(page, 'Other').waitFor({ state: 'detached' });
    await rowOf(page, 'Jane Doe').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await rowOf(page, 'Other').waitFor();
  }

  await press(page, 'Jane Doe', 'Edit');
  const erase = dialog(page, 'Advocate').getByRole('button', { name: 'Erase' });
  await erase.click();
  await page.getByRole('alert').getByText('Type the word erase').waitFor();
  expect(await read()).toMatchObject({ email: 'jane@partners.example' });
  await field(page, 'Advocate', 'Type erase to confirm').fill('erase');
  await erase.click();
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

test('any advocate is adjusted in its row, also an erased one without a statement', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page, 'read', 'advocates', 'payouts');
  const slug = await dashboard.advocateOf(token, { slug: 'ada' });
  await dashboard.call(`/v2/advocates/${slug}/erase`, {}, token);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await rowOf(page, 'Erased').waitFor();
  await rowOf(page, 'Erased').getByRole('button', { name: 'Adjust' }).waitFor();
  expect(await rowOf(page, 'Erased').getByRole('button').allTextContents()).toEqual(['Adjust']);
  await press(page, 'Erased', 'Adjust');
  await field(page, 'Adjust', 'Amount').fill('-5');
  await field(page, 'Adjust', 'Note').fill('Paid twice');
  await dialog(page, 'Adjust').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The adjustment of ada is recorded').waitFor();
  type Entry = { attributes: { commission: number; currency: string } };
  const [entry] = await dashboard.call<Entry[]>('/v2/ledger?affiliate_slug=ada', undefined, token);
  expect(entry?.attributes).toMatchObject({ commission: -500, currency: 'usd' });
});

test("an advocate's page opens in a tab without an opener and without the program's token", async () => {
  const page = await dashboard.newPage();
  const token = await opened(page);
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), press(page, 'Ada', 'Open page')]);
  await tab.getByText('Signed in as Ada').waitFor();
  expect(new URL(tab.url()).hash).toBe('');
  expect(await tab.evaluate("[opener, sessionStorage.getItem('referral-dashboard-token')]")).toEqual([null, null]);
  expect(await tab.getByRole('textbox', { name: 'Your link', exact: true }).inputValue()).toContain(slug);
});

test("all tokens of an advocate are revoked after a confirmation, and its page opens also shortly before this one's end", async () => {
  const page = await dashboard.newPage();
  const program = await dashboard.aProgram();
  const admin = await dashboard.tokenOf(program, 'read', 'advocates', 'admin');
  const soon = { scopes: ['read', 'advocates'], expires_in: 600 };
  const created = await dashboard.call<Stored & { attributes: { token: string } }>('/v2/tokens', soon, admin);
  const slug = await dashboard.advocateOf(admin, { first_name: 'Ada' });
  await dashboard.open(page, created.attributes.token, '#/advocates');
  const [tab] = await Promise.all([page.context().waitForEvent('page'), press(page, 'Ada', 'Open page')]);
  await tab.getByText('Signed in as Ada').waitFor();
  const { attributes } = await dashboard.call<Stored>(`/v2/advocates/${slug}/tokens`, {}, admin);
  await press(page, 'Ada', 'End sessions');
  await dialog(page, 'End sessions').getByText('signed out within 30 seconds').waitFor();
  await dialog(page, 'End sessions').getByRole('button', { name: 'End sessions' }).click();
  await page.getByText('The sessions of').waitFor();
  // The service has not read this token before.
  const headers = { authorization: `Bearer ${String(attributes['token'])}` };
  expect((await fetch(`${dashboard.url()}/v2/affiliate`, { headers })).status).toBe(401);
  expect(dashboard.complaints).toEqual([]);
});

test('a token with the scope read shows advocates, and offers no changes', async () => {
  const page = await dashboard.newPage();
  const token = await opened(page, 'read', 'advocates');
  await dashboard.advocateOf(token, { first_name: 'Ada' });
  const reader = await dashboard.newPage();
  const { id } = await dashboard.call<{ id: string }>('/v2/program', undefined, token);
  await dashboard.open(reader, await dashboard.tokenOf(id, 'read'), '#/advocates');
  await rowOf(reader, 'Ada').waitFor();
  expect(await rowOf(reader, 'Ada').getByRole('button').allTextContents()).toEqual(['Copy link']);
  expect(await reader.getByRole('button', { name: 'Add advocate' }).count()).toBe(0);
});

test('advocates are read page by page, with one request for the numbers of a page', async () => {
  const page = await dashboard.newPage();
  const requests: URL[] = [];
  page.on('request', (request) => requests.push(new URL(request.url())));
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'advocates');
  for (let count = 0; count < 26; count += 1) await dashboard.advocateOf(token, { slug: `partner-${count}` });
  await dashboard.open(page, token, '#/advocates');
  await rowOf(page, 'partner-25').getByRole('cell', { name: '0', exact: true }).nth(2).waitFor();
  // The overview, from which the view opens, asks for the best advocates without slugs.
  const isOfPage = ({ pathname, searchParams }: URL) =>
    pathname === '/v2/statistics/advocates' && searchParams.has('slugs');
  expect(requests.filter(isOfPage)).toHaveLength(1);
  await page.getByRole('button', { name: 'Next page' }).click();
  await rowOf(page, 'partner-0').waitFor();
  expect(await rowsOf(page, 'Advocates').count()).toBe(2);
});

test.each([
  [320, 'light'],
  [1440, 'dark'],
] as const)('hostile names are shown as text, and fit %i px (%s)', async (width, colorScheme) => {
  const page = await dashboard.newPage({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
  const token = await opened(page);
  await dashboard.advocateOf(token, { first_name: HOSTILE, last_name: '😀'.repeat(200), uid: `=HYPERLINK("x")` });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await rowOf(page, HOSTILE).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(await violations(page)).toEqual([]);
  await press(page, HOSTILE, 'Edit');
  expect(await field(page, 'Advocate', 'First name').inputValue()).toBe(HOSTILE);
  expect(await violations(page)).toEqual([]);
});
