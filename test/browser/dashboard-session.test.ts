import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, field, signOut, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { region } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
/** The token in a link. */
const tokenIn = (url: string) => /#token=(\w+)$/.exec(url)?.[1] ?? '';
const stored = (page: Page) => page.evaluate<string>("sessionStorage.getItem('referral-dashboard-token') ?? ''");
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const programName = (page: Page) => page.getByRole('banner').getByText('Beans & Co', { exact: true });

interface TokenObject {
  readonly id: string;
  readonly attributes: {
    readonly name: string | null;
    readonly scopes: string[];
    readonly created_at: number;
    readonly expires_at: number | null;
  };
}

const lifeOf = ({ attributes }: TokenObject) => Number(attributes.expires_at) - attributes.created_at;

test('a link with the scope admin works once, and signing out revokes its token', async () => {
  const program = await dashboard.aProgram();
  const observer = await dashboard.tokenOf(program, 'read', 'admin');
  const tokens = async () =>
    (await dashboard.call<TokenObject[]>('/v2/tokens', undefined, observer)).filter(
      ({ attributes }) => attributes.name === 'dashboard',
    );
  const { url, id } = await dashboard.linkOf(program);
  const [first] = await tokens();
  const page = await dashboard.newPage();
  const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.goto(url);
  expect((await revoked).url()).toBe(`${dashboard.url()}/v2/tokens/${id}`);
  await programName(page).waitFor();
  const [second, ...others] = await tokens();
  expect([others, second?.id === id, second?.attributes.scopes]).toEqual([[], false, first?.attributes.scopes]);
  if (!first || !second) throw new Error('A token is missing.');
  // The page learns the service's time with the program, a moment before it creates the token.
  expect(second.attributes.expires_at).toBeGreaterThanOrEqual(Number(first.attributes.expires_at));
  expect(lifeOf(second)).toBeLessThanOrEqual(lifeOf(first));
  expect(page.url()).toBe(`${dashboard.url()}/dashboard`);
  expect(await stored(page)).not.toBe(tokenIn(url));

  await page.reload();
  await programName(page).waitFor();
  expect(await tokens()).toEqual([second]);
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await signOut(page);
  await ended;
  expect([await tokens(), await stored(page)]).toEqual([[], '']);
  await page.getByRole('textbox', { name: 'Program token' }).waitFor();
  expect(dashboard.complaints).toEqual([]);
});

test('an exchange that gets no response is completed later', async () => {
  const { url, id } = await dashboard.linkOf(await dashboard.aProgram());
  const page = await dashboard.newPage();
  for (const method of ['POST', 'DELETE']) {
    await page.route(/\/v2\/tokens/, (route) =>
      route.request().method() === method ? route.abort() : route.continue(),
    );
    const ended = page.waitForEvent('requestfailed', (request) => request.method() === method);
    await (method === 'POST' ? page.goto(url) : page.reload());
    await ended;
    await region(page, 'Getting started').waitFor();
    expect((await stored(page)) === tokenIn(url)).toBe(method === 'POST');
    await page.unroute(/\/v2\/tokens/);
  }
  const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.reload();
  expect([(await revoked).status(), (await revoked).url()]).toEqual([204, `${dashboard.url()}/v2/tokens/${id}`]);
});

test('a deployment that sends no emails offers the program token alone', async () => {
  const program = await dashboard.aProgram();
  const page = await dashboard.newPage();
  await page.route('**/v2/apply/*', (route) => route.fulfill({ status: 404, json: { message: 'Not Found' } }));
  await page.goto(`${dashboard.url()}/dashboard#program=pk_${program.replaceAll('-', '')}`);
  await page.getByRole('textbox', { name: 'Program token' }).fill(await dashboard.tokenOf(program));
  expect(await page.getByRole('textbox', { name: 'Email' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await programName(page).waitFor();
});

test('a token that was typed is not exchanged, and a wrong one is refused in place', async () => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, 'read', 'admin');
  const page = await dashboard.newPage();
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).fill('rtp_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert(page, 'This token is not valid, or has expired.').waitFor();
  await dashboard.open(page, token);
  await programName(page).waitFor();
  await region(page, 'Getting started').waitFor();
  expect(await stored(page)).toBe(token);
});

test('a token that expires in the middle of a form is asked for in place, and the form is sent once', async () => {
  const program = await dashboard.aProgram();
  const [token, next] = [await dashboard.tokenOf(program), await dashboard.tokenOf(program)];
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  const page = await dashboard.newPage();
  await dashboard.open(page, token, '#/referrals');
  await page.getByRole('button', { name: 'Add referral' }).click();
  await field(page, 'New referral', 'Advocate').fill(slug);
  await field(page, 'New referral', 'Email').fill('ana@shop.example');
  await page.route('**/v2/**', async (route) => {
    const isOld = (await route.request().allHeaders())['authorization'] === `Bearer ${token}`;
    await (isOld ? route.fulfill({ status: 401, json: { error: 'The token is not valid.' } }) : route.continue());
  });
  await dialog(page, 'New referral').getByRole('button', { name: 'Save' }).click();
  await dialog(page, 'Your session has expired').getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Program token' }).fill(next);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await dialog(page, 'Referral').getByText('ana@shop.example').first().waitFor();
  expect(await alert(page, 'Your session has expired').count()).toBe(0);
  const list = await dashboard.call<object[]>('/v2/referrals', undefined, next);
  expect(list).toHaveLength(1);
  expect(dashboard.complaints).toEqual([]);
});

test('a token without read cannot sign in, and what a token does not allow is not offered', async () => {
  const program = await dashboard.aProgram();
  const page = await dashboard.newPage();
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).fill(await dashboard.tokenOf(program, 'track'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert(page, 'The dashboard needs a program token with the scope read.').waitFor();
  const token = await dashboard.tokenOf(program, 'read', 'track');
  const id = await dashboard.referralOf(token, await dashboard.advocateOf(await dashboard.tokenOf(program)));
  const reader = await dashboard.newPage();
  await dashboard.open(reader, await dashboard.tokenOf(program, 'read'), `#/referrals/${id}`);
  await dialog(reader, 'Referral').getByText('you need the scope “track”').waitFor();
  expect(await dialog(reader, 'Referral').getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
});

test('the address carries the view and its filters, and never a token or an email', async () => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program);
  await dashboard.referralOf(token, await dashboard.advocateOf(token), { email: 'ana@shop.example' });
  const page = await dashboard.newPage();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await dashboard.open(page, token);
  await viewLink(page, 'Referrals').click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Paying');
  await page.getByText('No referrals match the filters.').waitFor();
  expect(new URL(page.url()).hash).toBe('#/referrals?state=paid');
  await page.reload();
  await page.getByText('No referrals match the filters.').waitFor();
  expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('paid');
  await page.goBack();
  await region(page, 'Getting started').waitFor();
  await page.goForward();
  await page.getByRole('searchbox', { name: 'Search' }).fill('ana@shop.example');
  await page.getByRole('link', { name: 'ana@shop.example' }).click();
  await dialog(page, 'Referral').getByText('ana@shop.example').first().waitFor();
  expect(addresses.filter((url) => /rtp_|%40|@/.test(url))).toEqual([]);
  expect(dashboard.complaints).toEqual([]);
});
