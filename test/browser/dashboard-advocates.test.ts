import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { advocateRow, button, hashOf, tab, told, useAdvocatePages } from '../support/browser/advocates.ts';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field } from '../support/browser/dashboard-page.ts';
import { numberIn, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useAdvocatePages();

const heading = (page: Page, name: string) => page.getByRole('columnheader', { name });
const nameOrder = (page: Page) => rowsOf(page, 'Advocates').getByRole('link').allTextContents();

/** Presses an item of the menu of a row. */
async function choose(page: Page, name: string, item: string): Promise<void> {
  await button(page, `Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('half a name finds an advocate, and headings sort the others by their lifetime numbers', async () => {
  const token = await dashboard.aToken();
  const ada = await dashboard.advocateOf(token, { first_name: 'Ada', last_name: 'Lovelace' });
  const grace = await dashboard.advocateOf(token, { first_name: 'Grace', last_name: 'Hopper', slug: 'grace' });
  await dashboard.advocateOf(token, { first_name: 'Zoe', last_name: 'Quill' });
  await dashboard.customerOf(token, ada, 10_000);
  await dashboard.customerOf(token, grace, 4000);
  await dashboard.referralOf(token, grace);
  await dashboard.countedAll(token, 3);
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/advocates');
  await advocateRow(page, 'Ada Lovelace').filter({ hasText: '€20.00' }).waitFor();
  expect(await nameOrder(page)).toEqual(['Ada Lovelace', 'Grace Hopper', 'Zoe Quill']);
  expect(await heading(page, 'Earned').getAttribute('aria-sort')).toBe('descending');
  await page.getByText('All time', { exact: true }).waitFor();
  await advocateRow(page, 'Ada').getByText('not by link').waitFor();
  expect(await advocateRow(page, 'Zoe').getByText('not by link').count()).toBe(0);
  await button(heading(page, 'Sign-ups'), 'Sign-ups').click();
  await page.locator('[aria-sort=descending]', { hasText: 'Sign-ups' }).waitFor();
  await rowsOf(page, 'Advocates').nth(1).filter({ hasText: 'Grace' }).waitFor();
  expect(await nameOrder(page)).toEqual(['Grace Hopper', 'Ada Lovelace', 'Zoe Quill']);
  expect(hashOf(page)).toBe('#/advocates?sort=conversions');

  await page.getByRole('searchbox', { name: 'Search' }).fill('HOP gra');
  await page.getByText('Sorting is off during a search.').waitFor();
  await advocateRow(page, 'Ada').waitFor({ state: 'detached' });
  await advocateRow(page, 'Grace Hopper').filter({ hasText: '€8.00' }).waitFor();
  expect(await button(heading(page, 'Sign-ups'), 'Sign-ups').count()).toBe(0);
  expect(hashOf(page)).toBe('#/advocates?sort=conversions');
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody');
  await page.getByText('No advocate matches.').waitFor();
  await button(page, 'Show all').click();
  await advocateRow(page, 'Zoe Quill').waitFor();
  await advocateRow(page, 'Grace Hopper').getByRole('cell').nth(3).click();
  await numberIn(page, 'Due').getByText('€8.00').waitFor();
  expect(hashOf(page)).toBe('#/advocates/grace');
});

test('a menu copies, opens and pauses a link, and Undo makes the link work again', async () => {
  const page = await dashboard.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const token = await dashboard.aToken();
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  const isActive = async () => (await dashboard.attributesOf(token, slug))['active'];
  await dashboard.open(page, token, '#/advocates');
  await choose(page, 'Ada', 'Copy link');
  await told(page, 'Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`https://beans.example/?via=${slug}`);
  const [opened] = await Promise.all([page.context().waitForEvent('page'), choose(page, 'Ada', 'Open their page')]);
  await opened.getByText('Signed in as Ada').waitFor();
  expect(new URL(opened.url()).hash).toBe('');
  expect(await opened.evaluate("[opener, sessionStorage.getItem('referral-dashboard-token')]")).toEqual([null, null]);

  await choose(page, 'Ada', 'Pause link');
  await advocateRow(page, 'Ada').getByText('Paused', { exact: true }).waitFor();
  expect(await isActive()).toBe(false);
  await button(page, 'Undo').click();
  await told(page, 'Undone').waitFor();
  expect([await isActive(), await advocateRow(page, 'Paused').count()]).toEqual([true, 0]);
  await choose(page, 'Ada', 'Pause link');
  await advocateRow(page, 'Paused').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active');
  await page.getByText('No advocate matches.').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Paused');
  await choose(page, 'Ada', 'Resume link');
  await told(page, 'works again').waitFor();
  expect(await isActive()).toBe(true);
});

test('selected advocates change their group and pause together, and their CSV has only them', async () => {
  const token = await dashboard.aToken();
  await dashboard.call('/v2/groups/partners', { title: 'Partners', commission_percentage: 30 }, token, 'PUT');
  for (const first_name of ['Ada', 'Bob', 'Cleo']) await dashboard.advocateOf(token, { first_name });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/advocates');
  for (const name of ['Ada', 'Bob']) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await told(page, '2 selected').waitFor();
  await button(page, 'Set group').click();
  await page.getByRole('menuitem', { name: 'Partners' }).click();
  const inGroup = rowsOf(page, 'Advocates').getByText('Partners', { exact: true });
  await inGroup.nth(1).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines.map((line) => line.split(',')[2])).toEqual(['first_name', 'Ada', 'Bob']);
  expect(lines[1]).toContain(',partners,true,');
  await button(page, 'Undo').click();
  await told(page, 'Undone').waitFor();
  expect(await inGroup.count()).toBe(0);
  await button(page, 'Pause links').click();
  await advocateRow(page, 'Paused').nth(1).waitFor();
  await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption('Partners');
  await page.getByText('No advocate matches.').waitFor();
});

test('if one of several changes fails, it says why, and Undo takes back the others', async () => {
  const token = await dashboard.aToken();
  for (const first_name of ['Ada', 'Bob', 'Cleo']) {
    await dashboard.advocateOf(token, { first_name, slug: first_name.toLowerCase() });
  }
  const page = await dashboard.newPage();
  await page.route('**/v2/advocates/bob', (route) =>
    route.fulfill({ status: 409, headers: { 'x-request-id': '1' }, json: { error: 'Bob is busy' } }),
  );
  await dashboard.open(page, token, '#/advocates');
  for (const name of ['Ada', 'Bob', 'Cleo']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await button(page, 'Pause links').click();
  await told(page, 'Bob is busy').waitFor();
  await told(page, '2 links are paused.').waitFor();
  const states = () =>
    Promise.all(['ada', 'bob', 'cleo'].map(async (slug) => (await dashboard.attributesOf(token, slug))['active']));
  expect(await states()).toEqual([false, true, false]);
  expect(await advocateRow(page, 'Paused').count()).toBe(2);
  await button(page, 'Undo').click();
  await told(page, 'Undone').waitFor();
  expect(await states()).toEqual([true, true, true]);
});

test('an advocate whose response was lost is created once', async () => {
  const page = await dashboard.newPage();
  const token = await dashboard.aToken();
  await dashboard.open(page, token, '#/advocates');
  await page.getByText('No advocates yet.').waitFor();
  let tries = 0;
  await page.route(/\/v2\/advocates$/, async (route) => {
    tries += 1;
    if (tries === 1) await route.fetch();
    await (tries === 1 ? route.abort() : route.continue());
  });
  await button(page, 'Add advocate').click();
  await field(page, 'Advocate', 'Email').fill('Sam@partners.example');
  await field(page, 'Advocate', 'First name').fill('Sam');
  const save = button(dialog(page, 'Advocate'), 'Save');
  await save.click();
  await dialog(page, 'Advocate').getByRole('alert').waitFor();
  await save.click();
  await advocateRow(page, 'Sam').waitFor();
  expect([tries, await dashboard.call<object[]>('/v2/advocates', undefined, token)]).toMatchObject([1, [{}]]);
});

test.each([
  [390, 844, 'dark'],
  [1280, 800, 'light'],
] as const)('at %i x %i, %s, 24 advocates and one of them have their size, and axe finds no fault', async (...size) => {
  const [width, height, colorScheme] = size;
  const token = await dashboard.aToken();
  for (let index = 0; index < 24; index += 1) await dashboard.advocateOf(token, { first_name: `Person ${index}` });
  const page = await dashboard.newPage({ viewport: { width, height }, colorScheme, bypassCSP: true });
  await dashboard.open(page, token, '#/advocates');
  await rowsOf(page, 'Advocates').nth(24).waitFor();
  const isClean = async () => {
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  };
  await isClean();
  if (width < 640) {
    expect((await rowsOf(page, 'Advocates').nth(1).boundingBox())?.y).toBeLessThan(260);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(2000);
    await button(page, 'Filters').click();
  } else {
    await page.getByRole('button', { name: 'Actions for Person 3', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Pause link' }).waitFor();
    await isClean();
    await page.keyboard.press('Escape');
  }
  await page.getByRole('checkbox', { name: 'Select Person 3' }).check();
  await button(page, 'Import CSV').click();
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email\na@partners.example') };
  await dialog(page, 'Import CSV').getByLabel('CSV file').setInputFiles(file);
  await rowsOf(page, 'Rows').nth(1).waitFor();
  await isClean();
  await button(dialog(page, 'Import CSV'), 'Close').click();
  await button(page, 'Add advocate').click();
  await isClean();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Person 3', exact: true }).click();
  await page.locator('h1:focus').waitFor();
  for (const name of ['Referrals', 'Entries', 'Links and codes', 'Details']) {
    await tab(page, name).click();
    await page.locator('[role=tabpanel] .skeleton').first().waitFor({ state: 'detached' });
    await isClean();
  }
});
