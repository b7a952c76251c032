import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { region } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';
import { until } from '../support/until.ts';

const dashboard = useDashboardPages();

const step = (page: Page, name: string) => region(page, 'Getting started').getByRole('button', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function aToken(): Promise<string> {
  return dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'payouts', 'admin');
}

/** Reports a visit by the link of an advocate, as the script does. */
async function visit(token: string, slug: string): Promise<void> {
  type Program = { attributes: { public_key: string } };
  const { public_key: pk } = (await dashboard.call<Program>('/v2/program', undefined, token)).attributes;
  await fetch(`${dashboard.url()}/v2/tracking/click`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' },
    body: JSON.stringify({ pk, gr_id: `${slug}.${newId()}` }),
  });
}

test('the test of the script accepts no visit from before it, also if that is read late', async () => {
  const token = await aToken();
  const slug = await dashboard.advocateOf(token);
  await visit(token, slug);
  const page = await dashboard.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v2/referrals?*state_eq=clicked*', async (route) => {
    await released;
    await route.continue();
  });
  await dashboard.open(page, token);
  await step(page, 'Install the script').click();
  const button = page.getByRole('button', { name: 'Test the script' });
  await button.and(page.getByRole('button', { disabled: true })).waitFor();
  await button.click({ force: true });
  expect(page.context().pages().length).toBe(1);
  release();
  const check = page.getByRole('status', { name: 'Script check' });
  await check.getByText('The last visit by this link arrived').waitFor();
  const asked = page.waitForResponse('**/v2/referrals?*state_eq=clicked*');
  await button.click();
  await (await asked).finished();
  await check.getByText('Waiting for the visit').waitFor();
  await visit(token, slug);
  await check.getByText('The script works: the visit arrived').waitFor();
});

test('the device remembers that advocates were shown their page, and that getting started is hidden', async () => {
  const page = await dashboard.newPage();
  await dashboard.open(page, await aToken());
  await region(page, 'Getting started').getByText('Advocates earn 20%.').waitFor();
  await step(page, 'Show advocates their page').click();
  await press(page, 'Advocates can open it');
  await page.reload();
  await region(page, 'Getting started')
    .getByRole('button', { name: 'Show advocates their page', description: 'Done' })
    .waitFor();
  await press(page, 'Hide');
  await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();
  await region(page, 'Numbers').getByText('Nothing happened in these days.').waitFor();
  await page.reload();
  await page.getByRole('group', { name: 'Owed' }).getByText('Nothing', { exact: true }).waitFor();
  expect(await region(page, 'Getting started').count()).toBe(0);
  expect(dashboard.complaints).toEqual([]);
});

test('where it was seen, getting started stays after the first payment, until all six steps are done', async () => {
  const token = await aToken();
  const slug = await dashboard.advocateOf(token);
  await visit(token, slug);
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await region(page, 'Getting started').waitFor();
  const id = await dashboard.referralOf(token, slug);
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 4900, currency: 'eur' }, token);
  type Statistics = { attributes: { total: { paying: number } } };
  const path = '/v2/statistics?range=lifetime';
  await until(async () => (await dashboard.call<Statistics>(path, undefined, token)).attributes.total.paying > 0);
  await page.reload();
  await region(page, 'Getting started').getByText('5 of 6 done').waitFor();
  await press(page, 'Advocates can open it');
  await region(page, 'Getting started').getByText('Everything is set up.').waitFor();
  await page.reload();
  await region(page, 'Latest changes').waitFor();
  expect(await region(page, 'Getting started').count()).toBe(0);
});

test('a program whose customers come by codes is set up without any visit', async () => {
  const token = await aToken();
  const slug = await dashboard.advocateOf(token);
  const id = await dashboard.referralOf(token, slug);
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 4900, currency: 'eur' }, token);
  type Statistics = { attributes: { total: { clicks: number; paying: number } } };
  const total = async () => {
    const path = '/v2/statistics?range=lifetime';
    return (await dashboard.call<Statistics>(path, undefined, token)).attributes.total;
  };
  await until(async () => (await total()).paying > 0);
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await region(page, 'Latest changes').waitFor();
  expect([(await total()).clicks, await region(page, 'Getting started').count()]).toEqual([0, 0]);
});
