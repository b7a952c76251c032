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

/** Refreshes until the text is there: events are delivered after their change. */
async function refreshUntil(page: Page, text: string): Promise<void> {
  while ((await page.getByText(text).count()) === 0) {
    const response = page.waitForResponse('**/v2/webhooks');
    await refresh(page);
    await (await response).finished();
    await allRead(page);
  }
}

test('the overview lists self-referrals and webhooks that are disabled or failing, until they are dealt with', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'admin');
  const [gone, failing, paused] = await Promise.all(
    [410, 500, 200].map((status) => startReceiver((response) => response.writeHead(status).end())),
  );
  for (const receiver of [gone, failing]) await dashboard.call('/v2/webhooks', { url: receiver?.url }, token);
  const { id } = await dashboard.call<{ id: string }>('/v2/webhooks', { url: paused?.url }, token);
  await dashboard.call(`/v2/webhooks/${id}`, { enabled: false }, token, 'PATCH');
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await numberIn(page, 'Clicks').waitFor();
  await allRead(page);
  expect(await page.getByText('Needs attention').count()).toBe(0);

  const slug = await dashboard.advocateOf(token, { email: 'ada@partners.example' });
  const flagged = await dashboard.referralOf(token, slug, { email: 'ada+shop@partners.example' });
  await dashboard.referralOf(token, slug, { email: 'ben@shop.example' });
  await refreshUntil(page, `The webhook to ${gone?.url} is disabled.`);
  await refreshUntil(page, `The webhook to ${failing?.url} has been failing since`);
  const attention = region(page, 'Needs attention');
  await attention.getByText('1 referral of the last 30 days looks like a self-referral.').waitFor();
  expect(await attention.getByRole('listitem').count()).toBe(3);
  await attention.getByRole('link', { name: 'Review' }).click();
  await rowsOf(page, 'Referrals').filter({ hasText: 'self-referral' }).waitFor();
  expect(await rowsOf(page, 'Referrals').count()).toBe(2);

  await dashboard.call('/v2/tracking/state', { id: flagged, state: 'rejected' }, token);
  await viewLink(page, 'Overview').click();
  await attention.getByText('is disabled.').waitFor();
  await attention.getByText('self-referral').waitFor({ state: 'detached' });
  expect(await attention.getByRole('listitem').count()).toBe(2);
  expect(dashboard.complaints).toEqual([]);
});

test('a program without a rate says so in every view until it has one, and lists what earned nothing', async () => {
  const program = await dashboard.aProgram();
  await dashboard.admin('program', 'update', '--program', program, '--no-commission-percentage');
  const token = await dashboard.tokenOf(program, 'read', 'track', 'advocates', 'admin');
  const id = await dashboard.referralOf(token, await dashboard.advocateOf(token));
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 4900, currency: 'usd' }, token);
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  const notice = alert(page, 'The program has no commission rate');
  await region(page, 'Needs attention').getByText('1 paying customer has a referral without a rate').waitFor();
  const first = region(page, 'Checklist').getByRole('listitem').first();
  await first.filter({ hasText: /^Open: Set the commission rate/ }).waitFor();
  for (const view of ['Referrals', 'Advocates', 'Money', 'Developers', 'Overview']) {
    await viewLink(page, view).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
    expect(await notice.count()).toBe(1);
  }
  await notice.getByRole('link', { name: 'Set the rate' }).click();
  const settings = region(page, 'Settings');
  await settings.and(page.locator(':focus')).waitFor();
  await settings.getByRole('textbox', { name: 'Commission', exact: true }).fill('0');
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await notice.waitFor({ state: 'detached' });
  await viewLink(page, 'Overview').click();
  await region(page, 'Needs attention').getByText('without a rate').waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('without a connection, one alert says so, and what is shown and typed stays', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token);
  await dashboard.referralOf(token, slug, { email: 'ana@shop.example' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await page.getByRole('button', { name: 'ana@shop.example' }).waitFor();
  await page.route('**/v2/referrals/lookup', (route) => route.abort());
  await page.getByRole('button', { name: 'ana@shop.example' }).click();
  await dialog(page, 'Referral').getByRole('alert').getByText('No connection').waitFor();
  await page.unroute('**/v2/referrals/lookup');
  await dialog(page, 'Referral').getByRole('button', { name: 'Try again' }).click();
  await dialog(page, 'Referral').getByText('became converted').waitFor();
  await alert(page, 'No connection').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
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

  await foreign('**/v2/**');
  await page.reload();
  await page.getByRole('main').getByText(NOT_THE_SERVICE).first().waitFor();
  // Until the answer about the program arrives, each part shows its own.
  await region(page, 'Latest changes').waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.unroute('**/v2/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await numberIn(page, 'Clicks').waitFor();

  await viewLink(page, 'Referrals').click();
  await foreign('**/v2/referrals/lookup');
  await page.getByRole('button', { name: 'ana@shop.example' }).click();
  const drawer = dialog(page, 'Referral');
  await drawer.getByRole('alert').getByText(NOT_THE_SERVICE).waitFor();
  await page.unroute('**/v2/referrals/lookup');
  await drawer.getByRole('button', { name: 'Try again' }).click();

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
  [503, { 'retry-after': '3' }, 3],
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

test('routes that are not deployed say which setting or version the deployment needs', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram());
  await dashboard.advocateOf(token);
  const page = await dashboard.newPage();
  await page.route(/\/v2\/(?:webhooks|integrations|statistics\/advocates)/, (route) =>
    route.fulfill({ status: 404, json: { message: 'Not Found' } }),
  );
  await dashboard.open(page, token);
  await region(page, 'Top advocates').getByText('Deploy the newest version.').waitFor();
  await region(page, 'Checklist').getByText('Open:').first().waitFor();
  expect(await page.getByText('Needs attention').count()).toBe(0);
  await viewLink(page, 'Developers').click();
  for (const name of ['Webhooks', 'Stripe']) await region(page, name).getByText('Deploy it with events=on').waitFor();
  await viewLink(page, 'Advocates').click();
  await page.getByText('The numbers are left out. This deployment does not have this function yet.').waitFor();
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
  // Without an icon of its own, a browser with a window asks for /favicon.ico.
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('data:,');
  expect([failed, requests.length > 3]).toEqual([[], true]);
});
