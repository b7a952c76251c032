import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { dialog, field, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { FOREIGN_BODIES, NOT_THE_SERVICE, numberOf, recordWaits, region } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const customer = (page: Page) => page.getByRole('link', { name: 'ana@shop.example' }).first();
const allRead = (page: Page) => page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });

/** A program with a referral, which is counted, so that the overview has numbers. */
async function aProgram() {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates');
  const slug = await dashboard.advocateOf(token, { slug: 'ada' });
  const id = await dashboard.referralOf(token, slug, { email: 'ana@shop.example' });
  await dashboard.countedAll(token, 1);
  return { token, id };
}

async function fillReferral(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill('ada');
  await field(page, 'New referral', 'Your id').fill('1001');
}

const save = (page: Page) => dialog(page, 'New referral').getByRole('button', { name: 'Save' }).click();

test('without a connection, one bar says so, and what is shown and typed stays until the connection returns', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await customer(page).waitFor();
  await fillReferral(page);
  await page.context().setOffline(true);
  await save(page);
  await dialog(page, 'New referral').getByRole('alert').getByText('The service does not respond.').waitFor();
  expect(await field(page, 'New referral', 'Your id').inputValue()).toBe('1001');
  await page.context().setOffline(false);
  await save(page);
  await dialog(page, 'New referral').waitFor({ state: 'detached' });
  await dialog(page, 'Referral').waitFor();
  await page.keyboard.press('Escape');

  const list = '**/v2/referrals?*';
  const held = Promise.withResolvers<Route>();
  await page.route(list, held.resolve, { times: 1 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const route = await held.promise;
  const response = await route.fetch();
  await page.context().setOffline(true);
  await alert(page, 'No connection').waitFor();
  await route.fulfill({ response });
  await allRead(page);
  expect(await alert(page, 'No connection').count()).toBe(1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await allRead(page);
  expect([await page.getByRole('alert').count(), await customer(page).count()]).toEqual([1, 1]);
  const again = page.waitForResponse(list);
  await page.context().setOffline(false);
  // Nobody presses a button.
  expect((await again).status()).toBe(200);
  await alert(page, 'No connection').waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test('when the service responds again, what was lost is read again, although the browser never was without a connection', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await customer(page).waitFor();
  const list = '**/v2/referrals?*';
  await page.route(list, (route) => route.abort());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await alert(page, 'No connection').waitFor();
  await allRead(page);
  await page.unroute(list);
  const again = page.waitForResponse(list);
  await customer(page).click();
  expect((await again).status()).toBe(200);
  await alert(page, 'No connection').waitFor({ state: 'detached' });
});

test('a request that is always lost, while others succeed, is repeated a few times only, and leaves a button', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  const list = '**/v2/referrals?*';
  let lost = 0;
  await page.route(list, (route) => {
    lost += 1;
    return route.abort();
  });
  await dashboard.open(page, token, '#/referrals');
  await page.getByText('Not loaded.').waitFor();
  for (const uid of ['1', '2', '3', '4', '5']) {
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    await page.getByRole('button', { name: 'Add referral' }).click();
    await field(page, 'New referral', 'Advocate').fill('ada');
    await field(page, 'New referral', 'Your id').fill(uid);
    await save(page);
    await dialog(page, 'Referral').getByRole('heading', { name: 'Why this advocate' }).waitFor();
    await allRead(page);
    await page.keyboard.press('Escape');
  }
  expect(lost).toBeLessThan(20);
  const retry = alert(page, 'The service does not respond.').getByRole('button', { name: 'Try again' });
  expect(await retry.count()).toBe(1);
  await page.unroute(list);
  await retry.click();
  await customer(page).waitFor();
});

test('a view says once what failed, what was read stays, and "Try again" repeats only the requests that failed', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  const failing = /\/v2\/(?:statistics\?|referrals\?per_page)/;
  await page.route(failing, (route) => route.fulfill({ status: 500, json: { error: 'The service stumbled.' } }));
  await dashboard.open(page, token);
  await alert(page, 'The service stumbled.').waitFor();
  await allRead(page);
  expect(await page.getByRole('alert').count()).toBe(1);
  await region(page, 'Numbers').getByText('Not loaded.').waitFor();
  await region(page, 'Now').waitFor();

  await page.unroute(failing);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Try again' }).click();
  await numberOf(page, 'Sign-ups').getByText('1', { exact: true }).waitFor();
  await alert(page, 'The service stumbled.').waitFor({ state: 'detached' });
  expect(requests).toEqual(expect.arrayContaining(['/v2/statistics', '/v2/referrals']));
  expect(requests.filter((path) => ['/v2/balances', '/v2/program'].includes(path))).toEqual([]);
  expect(dashboard.complaints).toEqual([]);
});

test('a dialog shows its own error, and another one can be opened', async () => {
  const { token, id } = await aProgram();
  const page = await dashboard.newPage();
  await page.route('**/v2/referrals/lookup', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await dashboard.open(page, token, `#/referrals/${id}`);
  const failed = dialog(page, 'Referral').getByRole('alert').getByText('The service returned an error (status 502).');
  await failed.waitFor();
  await page.unroute('**/v2/referrals/lookup');
  await dialog(page, 'Referral').getByRole('button', { name: 'Try again' }).click();
  await dialog(page, 'Referral').getByText('ana@shop.example').first().waitFor();
  expect(await failed.count()).toBe(0);
});

test('a page says after 5 seconds that it waits for an answer', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.clock.install();
  await dashboard.open(page, token);
  await allRead(page);
  await page.route('**/v2/referrals?*', async (route) => {
    await released;
    await route.continue();
  });
  const request = page.waitForRequest('**/v2/referrals?*');
  await viewLink(page, 'Referrals').click();
  await request;
  const slow = page.getByRole('status').getByText('The service takes longer than usual.');
  expect(await slow.count()).toBe(0);
  await page.clock.fastForward('00:05');
  await slow.waitFor();
  release();
  await customer(page).waitFor();
  await slow.waitFor({ state: 'detached' });
});

test('“Undo” outlasts later messages, and ends after 10 seconds', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'advocates');
  await dashboard.advocateOf(token, { first_name: 'Ada' });
  const page = await dashboard.newPage();
  await page.clock.install();
  await dashboard.open(page, token, '#/advocates');
  const menu = page.getByRole('button', { name: /^Actions for Ada/ });
  const choose = async (item: string) => {
    await menu.click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await menu.waitFor();
  // Only `runFor` makes time pass.
  await page.clock.pauseAt(Date.now() + 60_000);
  await choose('Pause link');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  for (let count = 2; count <= 5; count += 1) {
    await choose('Copy link');
    await page
      .locator('.toast')
      .nth(Math.min(count, 3) - 1)
      .waitFor();
  }
  await page.clock.runFor(9900);
  expect(await page.locator('.toast').allTextContents()).toEqual([expect.stringMatching(/paused.*Undo$/)]);
  await page.clock.runFor(200);
  await page.locator('.toast').waitFor({ state: 'detached' });
});

test('before the first payment the numbers have no amount, and say when they were read and with which days they compare', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  await numberOf(page, 'Sign-ups').getByText('1', { exact: true }).waitFor();
  expect(await numberOf(page, 'Revenue').textContent()).toBe('–');
  const said = region(page, 'Numbers').getByText(
    /^Without today, compared with .+ As of \d\d?:\d\d .*UTC\. New events appear/,
  );
  expect(await said.isVisible()).toBe(true);
});

test('a number without values has a sentence and an action, also in the longest range', async () => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/overview?range=12m&measure=revenue');
  await region(page, 'Numbers').getByText('Revenue: nothing in these days.').waitFor();
  await region(page, 'Numbers').getByRole('button', { name: 'Show 30 days' }).click();
  await page.waitForURL(/range=30d/);
  await region(page, 'Numbers').getByRole('button', { name: 'Show 12 months' }).waitFor();
});

test.each(FOREIGN_BODIES)('the body %j in place of the API’s is explained, and the page recovers', async (body) => {
  const { token } = await aProgram();
  const page = await dashboard.newPage();
  const foreign = (url: string) => page.route(url, (route) => route.fulfill({ status: 200, body }));
  await foreign('**/v2/**');
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert(page, NOT_THE_SERVICE).waitFor();
  await page.unroute('**/v2/**');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await numberOf(page, 'Sign-ups').getByText('1', { exact: true }).waitFor();

  await viewLink(page, 'Referrals').click();
  await customer(page).waitFor();
  await fillReferral(page);
  await foreign('**/v2/tracking/*');
  await save(page);
  await dialog(page, 'New referral').getByRole('alert').getByText(NOT_THE_SERVICE).waitFor();
  await page.unroute('**/v2/tracking/*');
  await save(page);
  await dialog(page, 'New referral').waitFor({ state: 'detached' });
  expect(dashboard.complaints).toEqual([]);
});

test.each([
  [429, { 'retry-after': '2' }, 2],
  [503, {}, 1],
])('after a %i with %j, a view and a form say that they wait, and try again', async (status, headers, seconds) => {
  const { token } = await aProgram();
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
  await numberOf(page, 'Sign-ups').getByText('1', { exact: true }).waitFor();
  expect(await waits()).toEqual(said);
  await page.evaluate('waits.clear()');
  await viewLink(page, 'Referrals').click();
  await fillReferral(page);
  await save(page);
  await dialog(page, 'New referral').waitFor({ state: 'detached' });
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
  page.on('requestfailed', (request) => {
    // The page itself ends what it no longer needs.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url());
  });
  const program = await dashboard.aProgram();
  const { token } = await dashboard.anAdvocate();
  await page.goto(
    path === '/portal' ? `${dashboard.url()}/portal#token=${token}` : (await dashboard.linkOf(program)).url,
  );
  await page.getByRole('heading', { level: 1, name: path === '/portal' ? 'Home' : 'Overview' }).waitFor();
  while (requests.length <= 3) await page.waitForEvent('response');
  await allRead(page);
  expect(failed).toEqual([]);
});
