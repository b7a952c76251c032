import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { newAddress, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
afterEach(() => expect(dashboard.complaints).toEqual([]));

const LABEL = 'Your <b>website</b>';
const rowOf = (page: Page, text: string) => rowsOf(page, 'Applications').filter({ hasText: text });
const press = (page: Page, row: string, name: string) =>
  rowOf(page, row).getByRole('button', { name, exact: true }).click();
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

/** A program that takes applications, with a group. */
async function aProgram() {
  const id = await dashboard.aProgram();
  const token = await dashboard.tokenOf(id, 'read', 'advocates', 'admin');
  const application_fields = [{ key: 'website', label: LABEL, kind: 'url' }];
  await dashboard.call('/v2/program/people', { applications: 'review', application_fields }, token, 'PATCH');
  await dashboard.call('/v2/groups/partners', { title: 'Partners', commission_percentage: 30 }, token, 'PUT');
  return { token, pk: `pk_${id.replaceAll('-', '')}` };
}

/** Sends an application, and confirms its email unless told otherwise. Returns the email. */
async function applicationOf(pk: string, fields: object, isConfirmed = true): Promise<string> {
  const email = newAddress();
  await dashboard.call('/v2/applications', { pk, email, answers: {}, ...fields });
  const link = await dashboard.linkTo(email, 'confirm');
  const [, code] = /#confirm=([^&]+)/.exec(link) ?? [];
  if (isConfirmed) await dashboard.call('/v2/applications/confirm', { code });
  return email;
}

test('an application is approved with a group and a link name, another one is declined, and answers stay text', async () => {
  const { pk, token } = await aProgram();
  const website = 'https://mira.example/<img src=x onerror=alert(1)>';
  const mira = await applicationOf(pk, { first_name: 'Mira', last_name: 'Novak', answers: { website } });
  const tom = await applicationOf(pk, { first_name: 'Tom' });
  const ida = await applicationOf(pk, { first_name: 'Ida' }, false);
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/advocates');
  await page.getByRole('link', { name: 'Applications (2)', exact: true }).click();
  await rowOf(page, mira).getByText('Email confirmed', { exact: true }).waitFor();
  for (const text of [LABEL, website]) await rowOf(page, mira).getByText(text, { exact: true }).waitFor();
  expect(await page.locator('img, a[href*=mira], td b').count()).toBe(0);

  await press(page, mira, 'Approve');
  const approve = dialog(page, 'Approve');
  await approve.getByText(mira, { exact: true }).waitFor();
  await approve.getByText('Mira Novak becomes an advocate, and gets an email with the link.').waitFor();
  await approve.getByRole('combobox', { name: 'Group' }).selectOption('Partners');
  await field(page, 'Approve', 'Link name').fill('mira');
  await approve.getByRole('button', { name: 'Approve' }).click();
  await told(page, 'Mira Novak is an advocate now.').waitFor();
  await rowOf(page, mira).waitFor({ state: 'detached' });
  const advocate = await dashboard.call('/v2/advocates/mira', undefined, token);
  expect(advocate).toMatchObject({ attributes: { group: 'partners', email: mira, first_name: 'Mira' } });

  await press(page, tom, 'Decline');
  const decline = dialog(page, 'Decline');
  await decline.getByText('Tom gets no link and is not told.').waitFor();
  await decline.getByLabel('Note').fill('<i>Not yet</i>');
  await decline.getByRole('checkbox', { name: 'Send an email' }).check();
  await decline.getByText('Tom gets no link and an email with the note.').waitFor();
  await decline.getByRole('button', { name: 'Decline' }).click();
  await told(page, 'The application of Tom is declined.').waitFor();
  await page.getByText('No application waits.').waitFor();
  const state = page.getByRole('combobox', { name: 'State' });
  await state.selectOption('Declined');
  await rowOf(page, tom).getByText('<i>Not yet</i>', { exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/applications?state=rejected');
  await state.selectOption('Not confirmed');
  await rowOf(page, ida).getByText('Email not confirmed').waitFor();
  expect(await rowOf(page, ida).getByRole('button').count()).toBe(0);
  await state.selectOption('Approved');
  await rowOf(page, mira).getByRole('link', { name: 'mira' }).click();
  await page.getByRole('heading', { name: 'Mira Novak' }).waitFor();
});

test('an application that somebody else has declined cannot be approved, and leaves the list with the dialog', async () => {
  const { pk, token } = await aProgram();
  const email = await applicationOf(pk, { first_name: 'Mira' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/applications');
  await press(page, email, 'Approve');
  const [application] = await dashboard.call<{ id: string }[]>('/v2/applications', undefined, token);
  await dashboard.call(`/v2/applications/${application?.id}/reject`, { notify: false }, token);
  const approve = dialog(page, 'Approve');
  await approve.getByRole('button', { name: 'Approve' }).click();
  await approve.getByRole('alert').getByText('Somebody else has decided on this application.').waitFor();
  await approve.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No application waits.').waitFor();
});

test('a deployment without emails has no applications, and who may not decide on them is told which scope it takes', async () => {
  const { token } = await aProgram();
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  const page = await dashboard.newPage();
  const missing = { status: 404, json: { message: 'Not Found' } };
  await page.route(/\/v2\/(?:applications|program\/people)/, (route) => route.fulfill(missing));
  await dashboard.open(page, token, '#/applications');
  await page.getByText('Deploy it with emails=on.').waitFor();
  await page.getByRole('link', { name: 'All advocates' }).click();
  await page.getByRole('link', { name: 'Ada', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Applications' }).count()).toBe(0);
  const left = page.waitForResponse('**/v2/program/people');
  await page.getByRole('link', { name: 'Ada', exact: true }).click();
  await left;
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(new URL(page.url()).hash).toBe(`#/advocates/${slug}`);

  const reader = await dashboard.newPage();
  await dashboard.open(reader, await dashboard.tokenOf(await dashboard.aProgram(), 'read'), '#/applications');
  await reader.getByText('you need the scope “advocates”').waitFor();
});

test.each([
  [390, 844, 'dark'],
  [1280, 800, 'light'],
] as const)(
  'at %i x %i, %s, axe finds no fault in applications and their dialogs',
  async (width, height, colorScheme) => {
    const { pk, token } = await aProgram();
    const email = await applicationOf(pk, { first_name: 'Mira', answers: { website: 'https://mira.example' } });
    const page = await dashboard.newPage({ viewport: { width, height }, colorScheme, bypassCSP: true });
    await dashboard.open(page, token, '#/applications');
    await rowOf(page, email).waitFor();
    const isClean = async () => {
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    };
    await isClean();
    const state = page.getByRole('combobox', { name: 'State' });
    expect(await state.count()).toBe(width < 640 ? 0 : 1);
    if (width < 640) await page.getByRole('button', { name: 'Filters' }).click();
    await state.waitFor();
    for (const name of ['Decline', 'Approve']) {
      await press(page, email, name);
      await dialog(page, name).waitFor();
      await isClean();
      await page.keyboard.press('Escape');
      await page.locator('button:focus', { hasText: name }).waitFor();
    }
  },
);
