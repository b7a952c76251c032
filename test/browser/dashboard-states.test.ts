import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, field, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import {
  FOREIGN_BODIES,
  NOT_THE_SERVICE,
  numberIn,
  recordWaits,
  region,
  rowsOf,
} from '../support/browser/portal-page.ts';
import { startReceiver } from '../support/events/receiver.ts';

const dashboard = useDashboardPages();
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' }).click();

const allRead = (page: Page) => page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });

test('the overview lists self-referrals and disabled webhooks until they are dealt with', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'admin');
  const { url } = await startReceiver((response) => response.writeHead(410).end());
  await dashboard.call('/v2/webhooks', { url }, token);
  const slug = await dashboard.advocateOf(token, { email: 'ada@partners.example' });
  const flagged = await dashboard.referralOf(token, slug, { email: 'ada+shop@partners.example' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  const attention = region(page, 'Needs attention');
  await attention.getByText('1 referral of the last 30 days looks like a self-referral.').waitFor();
  // Events are delivered after their change.
  while ((await attention.getByText(`The webhook to ${url} is disabled.`).count()) === 0) {
    const response = page.waitForResponse('**/v2/webhooks');
    await refresh(page);
    await (await response).finished();
    await allRead(page);
  }
  await attention.getByRole('link', { name: 'Review' }).click();
  await rowsOf(page, 'Referrals').filter({ hasText: 'self-referral' }).waitFor();

  await dashboard.call('/v2/tracking/state', { id: flagged, state: 'rejected' }, token);
  await viewLink(page, 'Overview').click();
  await attention.getByText('is disabled.').waitFor();
  await attention.getByText('self-referral').waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test('a program without a rate says so until it has one', async () => {
  const program = await dashboard.aProgram();
  await dashboard.admin('program', 'update', '--program', program, '--no-commission-percentage');
  const page = await dashboard.newPage();
  await dashboard.open(page, await dashboard.tokenOf(program, 'read', 'admin'));
  const notice = alert(page, 'The program has no commission rate');
  await notice.getByRole('link', { name: 'Set the rate' }).click();
  const settings = region(page, 'Settings');
  await settings.getByRole('textbox', { name: 'Commission', exact: true }).fill('0');
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test('a program with rules shows what they pay, and only referrals without terms need attention', async () => {
  const program = await dashboard.aProgram();
  await dashboard.admin('program', 'update', '--program', program, '--no-commission-percentage');
  const token = await dashboard.tokenOf(program, 'read', 'track', 'advocates', 'admin');
  const commission_rules = [{ amounts: { eur: 2000 }, payments: 1 }, { percentage: 10 }];
  await dashboard.call('/v2/groups/creators', { commission_rules }, token, 'PUT');
  const slug = await dashboard.advocateOf(token);
  await dashboard.referralOf(token, slug, { uid: 'before-the-rules' });
  const creator = await dashboard.advocateOf(token, { group: 'creators' });
  await dashboard.referralOf(token, creator, { email: 'ana@shop.example', uid: 'with-rules' });
  for (const uid of ['before-the-rules', 'with-rules']) {
    await dashboard.call('/v2/tracking/state', { uid, state: 'paid' }, token);
  }
  await dashboard.call('/v2/program', { commission_rules: [{ percentage: 30, months: 12 }] }, token, 'PATCH');

  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await region(page, 'Needs attention').getByText('1 paying customer has a referral without a rate').waitFor();
  expect(await alert(page, 'The program has no commission rate').count()).toBe(0);
  await viewLink(page, 'Referrals').click();
  await page.getByRole('button', { name: 'ana@shop.example' }).click();
  const sentence = '€20.00 for the first payment, then 10%';
  await dialog(page, 'Referral').getByText(sentence, { exact: true }).waitFor();
  await dialog(page, 'Referral').getByRole('button', { name: 'Close' }).click();
  await viewLink(page, 'Advocates').click();
  await rowsOf(page, 'Advocates').filter({ hasText: creator }).getByText(sentence, { exact: true }).waitFor();
  const own = rowsOf(page, 'Advocates').filter({ hasText: slug });
  await own.getByText('30% for 12 months', { exact: true }).waitFor();
  await viewLink(page, 'Developers').click();
  const rules = region(page, 'Settings').getByText('Commissions follow rules: 30% for 12 months.');
  await rules.waitFor();
  await region(page, 'Settings').getByRole('textbox', { name: 'Commission', exact: true }).fill('20');
  await region(page, 'Settings').getByRole('button', { name: 'Save settings' }).click();
  await rules.waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test('without a connection, one alert says so, and what is shown and typed stays', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  await dashboard.referralOf(token, slug, { email: 'ana@shop.example' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await page.getByRole('button', { name: 'ana@shop.example' }).waitFor();
  await page.context().setOffline(true);
  await refresh(page);
  await alert(page, 'No connection').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'ana@shop.example' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill(slug);
  await field(page, 'New referral', 'Your id').fill('1001');
  const save = dialog(page, 'New referral').getByRole('button', { name: 'Save' });
  await save.click();
  await dialog(page, 'New referral').getByRole('alert').getByText('The service does not respond.').waitFor();
  expect(await field(page, 'New referral', 'Your id').inputValue()).toBe('1001');
  await page.context().setOffline(false);
  await alert(page, 'No connection').nth(1).waitFor({ state: 'detached' });
  await save.click();
  await dialog(page, 'Referral').getByText('became converted').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test.each(FOREIGN_BODIES)('the body %j in place of the API’s is explained, and the page recovers', async (body) => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  const id = await dashboard.referralOf(token, slug, { email: 'ana@shop.example' });
  const page = await dashboard.newPage();
  const foreign = (url: string) => page.route(url, (route) => route.fulfill({ status: 200, body }));
  await foreign('**/v2/**');
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert(page, NOT_THE_SERVICE).waitFor();
  await page.unroute('**/v2/**');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await numberIn(page, 'Clicks').waitFor();

  await viewLink(page, 'Referrals').click();
  await page.getByRole('button', { name: 'ana@shop.example' }).click();
  const drawer = dialog(page, 'Referral');
  await foreign('**/v2/tracking/*');
  await drawer.getByRole('textbox', { name: 'Type erase to confirm' }).fill('erase');
  await drawer.getByRole('button', { name: 'Erase' }).click();
  await drawer.getByRole('alert').getByText(NOT_THE_SERVICE).waitFor();
  await page.unroute('**/v2/tracking/*');
  await drawer.getByRole('button', { name: 'Erase' }).click();
  await drawer.getByText('was erased').waitFor();
  expect(await dashboard.call('/v2/referrals/lookup', { id }, token)).toMatchObject({ attributes: { email: null } });
  expect(dashboard.complaints).toEqual([]);
});

test.each([
  [429, { 'retry-after': '2' }, 2],
  [503, {}, 1],
])('after a %i with %j, a view and a form say that they wait, and try again', async (status, headers, seconds) => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  const page = await dashboard.newPage();
  const times: Record<string, number[]> = {};
  await page.route(/\/v2\/(?:statistics\?|tracking\/conversion)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const all = [...(times[pathname] ?? []), performance.now()];
    times[pathname] = all;
    await (all.length === 1 ? route.fulfill({ status, headers, json: { message: 'Busy' } }) : route.continue());
  });
  const waits = await recordWaits(page);
  const said = expect.arrayContaining([expect.stringContaining(`The page tries again in ${seconds} second`)]);
  await dashboard.open(page, token);
  await numberIn(page, 'Clicks').waitFor();
  expect(await waits()).toEqual(said);
  await page.evaluate('waits.clear()');
  await page.evaluate("location.hash = '#/referrals'");
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill(slug);
  await field(page, 'New referral', 'Your id').fill('1001');
  await dialog(page, 'New referral').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Referral').getByText('became converted').waitFor();
  expect(await waits()).toEqual(said);
  for (const [first = 0, second = 0] of Object.values(times)) {
    expect(second - first).toBeGreaterThanOrEqual(seconds * 1000 - 50);
  }
  expect(await page.getByRole('alert').count()).toBe(0);
});

test.each(['/dashboard', '/portal'])('%s causes no request that fails', async (path) => {
  const page = await dashboard.newPage();
  const requests: string[] = [];
  const failed: string[] = [];
  page.on('response', (response) => {
    requests.push(response.url());
    if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => failed.push(request.url()));
  const program = await dashboard.aProgram();
  const { token } = await dashboard.anAdvocate();
  await page.goto(
    path === '/portal' ? `${dashboard.url()}/portal#token=${token}` : (await dashboard.linkOf(program)).url,
  );
  await numberIn(page, 'Clicks').waitFor();
  await allRead(page);
  expect([failed, requests.length > 3]).toEqual([[], true]);
});
