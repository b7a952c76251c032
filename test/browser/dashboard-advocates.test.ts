import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { copyWith } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const _HOSTILE = '<img src=x onerror="document.title=1">';

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
