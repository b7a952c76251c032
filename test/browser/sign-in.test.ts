import { afterEach, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { newAddress, region } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';

const service = useDashboardPages();
const { linkTo } = service;
afterEach(() => expect(service.complaints).toEqual([]));
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const part = (page: Page, name: string) => page.getByRole('form', { name, exact: true });
const sent = (page: Page) => page.getByText('If we know this address, a link is on its way. It works for 15 minutes.');

/** The tokens that a page keeps: for the tab, and on the device. */
const kept = (page: Page, name = 'account') =>
  page.evaluate<string[]>(`[sessionStorage, localStorage].map((each) => each.getItem('referral-${name}-token'))`);

/** The requests of a page to the API, from now on. */
function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v2/')) requests.push(request.url());
  });
  return requests;
}

/** An advocate with an address of its own. `link` asks for a link to sign in. */
async function advocate(fields: object = {}) {
  const address = newAddress();
  const { slug, token } = await service.anAdvocate({ email: address, last_name: 'Lovelace', ...fields });
  const { id } = await service.call<{ id: string }>('/v2/program');
  const pk = `pk_${id.replaceAll('-', '')}`;
  const link = async () => {
    await service.call('/v2/sign-in', { pk, email: address, page: 'portal' });
    return linkTo(address, 'code');
  };
  return { slug, token, address, pk, link };
}

/** Signs in with a link, or with the link that is open. */
async function signIn(page: Page, link: string, isKept = false): Promise<Page> {
  if (link !== '') await page.goto(link);
  await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).setChecked(isKept);
  expect(page.url()).toBe(`${service.url()}/account`);
  await button(page, 'Continue as Ada Lovelace').click();
  await box(page, 'Your link').waitFor();
  await page.getByText('Signed in as Ada Lovelace').waitFor();
  return page;
}

/** Signs out. Resolves to the status, the address and the token of the request. */
async function signOut(page: Page): Promise<unknown[]> {
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await button(page, 'Sign out').click();
  const response = await ended;
  return [response.status(), response.url(), (await response.request().allHeaders())['authorization']];
}

test('an advocate asks for a link, and may ask again after a minute', async () => {
  const { address, pk } = await advocate();
  const page = await service.newPage();
  await page.addInitScript('const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead;');
  await page.goto(`${service.url()}/account`);
  await page.getByText('This address is incomplete.').waitFor();
  await page.goto(`${service.url()}/account#program=${pk}`);
  await box(page, 'Email').waitFor();
  await page.goto(`${service.url()}/account`);
  await page.getByRole('tab', { name: 'Apply' }).waitFor();
  await box(page, 'Email').fill('Ada');
  await box(page, 'Email').press('Enter');
  await page.getByText('Email must be an email address').waitFor();
  await box(page, 'Email').fill(address);
  await button(page, 'Send sign-in link').click();
  await sent(page).waitFor();
  expect(await button(page, 'Send again').getAttribute('aria-disabled')).toBe('true');
  await page.evaluate('window.ahead = 61_000');
  await page.getByRole('button', { name: 'Send again', disabled: false }).waitFor();
  const again = page.waitForResponse('**/v2/sign-in');
  await button(page, 'Send again').click();
  expect((await again).status()).toBe(204);
  await page.goto(await linkTo(address, 'code'));
  await button(page, 'Continue as Ada Lovelace').waitFor();
});

test('an advocate stays signed in on the device, in every tab, until it signs out', async () => {
  const { link } = await advocate();
  const page = await signIn(await service.newPage(), await link(), true);
  const [ofTab, token] = await kept(page);
  expect([ofTab, token]).toEqual([null, expect.stringMatching(/^rta_/)]);
  const tab = await page.context().newPage();
  await tab.goto(`${service.url()}/account`);
  await tab.getByText('Signed in as Ada').waitFor();
  expect(await signOut(page)).toEqual([204, `${service.url()}/v2/session`, `Bearer ${token}`]);
  expect(await kept(page)).toEqual([null, null]);
  await tab.reload();
  await box(tab, 'Email').waitFor();
});

test('sign-in waits until it is known whether people may apply, and then keeps what was typed', async () => {
  const { pk } = await advocate();
  const page = await service.newPage();
  const released = Promise.withResolvers<void>();
  const fail = (route: Route) => released.promise.then(() => route.abort());
  await page.route('**/v2/apply/*', fail, { times: 1 });
  const asked = page.waitForRequest('**/v2/apply/*');
  await page.goto(`${service.url()}/account#program=${pk}`);
  await asked;
  expect(await box(page, 'Email').count()).toBe(0);
  released.resolve();
  await box(page, 'Email').fill('ada@partners.example');
  await button(page, 'Try again').click();
  await page.getByRole('tab', { name: 'Apply' }).waitFor();
  expect(await box(page, 'Email').inputValue()).toBe('ada@partners.example');
});

test('a member signs in on the dashboard by the invitation, for the tab, and the token is not exchanged', async () => {
  const admin = await service.tokenOf(await service.aProgram(), 'admin', 'read');
  const address = `${newId()}@beans.example`;
  await service.call('/v2/members', { email: address, name: 'Robin', scopes: ['read', 'admin'] }, admin);
  const page = await service.newPage();
  const requests = requestsOf(page);
  await page.goto(await linkTo(address, 'program'));
  await box(page, 'Email').fill(address);
  await button(page, 'Send sign-in link').click();
  await page.getByText('Use a program token').click();
  await box(page, 'Program token').waitFor();
  await page.goto(await linkTo(address, 'code'));
  await page.getByText('For 7 days.').waitFor();
  await button(page, 'Continue as Robin').click();
  await page.getByRole('banner').getByText('Beans & Co').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await button(page, 'Account').click();
  await page.getByRole('banner').getByText('Signed in as Robin').waitFor();
  const [token, ofDevice] = await kept(page, 'dashboard');
  expect([token, ofDevice]).toEqual([expect.stringMatching(/^rtp_/), null]);
  expect(await signOut(page)).toEqual([204, `${service.url()}/v2/session`, `Bearer ${token}`]);
  expect(await kept(page, 'dashboard')).toEqual([null, null]);
  expect(requests.filter((each) => each.includes('/v2/tokens'))).toEqual([]);
});

test('opening a link uses no code, pressing the button uses it once, and then the page offers another link', async () => {
  const { address, link, pk } = await advocate();
  const url = await link();
  const scanner = await service.newPage();
  const requests = requestsOf(scanner);
  const name = `<img src=x onerror=alert(1)> ${'🎉'.repeat(100)}`;
  await scanner.goto(url.replace(/&name=.*/, `&name=${encodeURIComponent(name)}`));
  await button(scanner, `Continue as ${Array.from(name).slice(0, 80).join('')}`).waitFor();
  expect([requests, await scanner.locator('img').count(), scanner.url()]).toEqual([[], 0, `${service.url()}/account`]);
  await signIn(await service.newPage(), url);
  await scanner.getByRole('button', { name: 'Continue as' }).click();
  await alert(scanner, 'This link no longer works').waitFor();
  await box(scanner, 'Email').fill(address);
  const asked = scanner.waitForRequest('**/v2/sign-in');
  await button(scanner, 'Send sign-in link').click();
  expect((await asked).postDataJSON()).toEqual({ pk, email: address, page: 'portal' });
});

test('an advocate changes its account, and the link of the email undoes the change of the payout account', async () => {
  const { slug, address, link } = await advocate({ payout_method: 'paypal', payout_account: 'ada@pay.example' });
  const bonus = { affiliate_slug: slug, adjustment_id: newId(), commission: 500, currency: 'usd', note: 'Bonus' };
  await service.call('/v2/adjustments', bonus);
  const page = await signIn(await service.newPage(), await link());
  await group(page, 'Next payout')
    .getByText(/^Northwind Coffee has not set a payout day$|^so far, on /)
    .waitFor();
  await viewLink(page, 'Account').click();
  await box(page, 'Last name').fill('');
  await box(page, 'Last name').press('Enter');
  await page.getByText('Signed in as Ada', { exact: true }).waitFor();
  const emails = part(page, 'Emails to you');
  await emails.getByRole('checkbox', { name: 'When I am paid' }).uncheck();
  await emails.getByRole('button').click();
  await emails.getByText('Saved.').waitFor();
  const payout = part(page, 'Payout account');
  await payout.getByText('PayPal: ').waitFor();
  await payout.getByRole('combobox', { name: 'Payout method' }).selectOption('Bank transfer');
  await payout.getByRole('textbox', { name: 'Payout account' }).fill('DE02');
  await payout.getByRole('button').click();
  await payout.getByText(/^Payout account must/).waitFor();
  const tooOld = { status: 403, headers: { 'x-error-code': 'sign_in_too_old' }, json: { error: 'Too old.' } };
  await page.route('**/v2/affiliate', (route) => route.fulfill(tooOld));
  await payout.getByRole('textbox', { name: 'Payout account' }).fill('DE02 1203 0000 0000 2020 51');
  await payout.getByRole('button').click();
  await alert(page, 'Sign in again').getByRole('textbox', { name: 'Email' }).waitFor();
  await page.unroute('**/v2/affiliate');
  await payout.getByRole('button').click();
  await payout.getByText('Bank transfer: DE** **** 2051').waitFor();
  await payout.getByText(/^Payouts wait until .* by the link in the email/).waitFor();
  await viewLink(page, 'Home').click();
  await group(page, 'Next payout')
    .getByText(/^Waits until /)
    .waitFor();
  const read = async () => (await service.call<{ attributes: object }>(`/v2/advocates/${slug}`)).attributes;
  expect(await read()).toMatchObject({ first_name: 'Ada', last_name: null, payout_method: 'bank' });
  const undo = await linkTo(address, 'undo');
  const other = await service.newPage();
  const requests = requestsOf(other);
  await other.goto(undo);
  await other.getByRole('heading', { name: 'Undo the change of the payout account' }).waitFor();
  expect([requests, other.url()]).toEqual([[], `${service.url()}/account`]);
  await button(other, 'Undo the change').click();
  await other.getByRole('heading', { name: 'The change is undone' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in again' }).waitFor();
  expect(await read()).toMatchObject({ payout_method: 'paypal', payout_account: 'ada@pay.example' });
  await page.evaluate(`location.hash = ${JSON.stringify(new URL(undo).hash)}`);
  await button(page, 'Undo the change').click();
  await alert(page, 'This link no longer works').waitFor();
});

test('/portal ignores codes and kept tokens, leads from a program to /account, and changes no payout account', async () => {
  const { link, pk, token } = await advocate({ payout_method: 'bank', payout_account: 'DE02120300000000202051' });
  const { hash } = new URL(await link());
  const page = await signIn(await service.newPage(), `${service.url()}/account${hash}`, true);
  const requests = requestsOf(page);
  for (const ignored of [hash, hash.replace('code', 'undo')]) {
    await page.goto('about:blank');
    await page.goto(`${service.url()}/portal${ignored}`);
    await page.getByRole('heading', { name: 'Open this page from your account' }).waitFor();
    expect(await page.locator('input, button').count()).toBe(0);
  }
  expect(requests).toEqual([]);
  await service.openPortal(page, token, 'account');
  await region(page, 'You').getByText('Bank transfer: DE** **** 2051').waitFor();
  expect(await page.locator('input, select').count()).toBe(0);
  const other = await service.newPage();
  await other.goto(`${service.url()}/portal#program=${pk}`);
  await box(other, 'Email').waitFor();
  expect(other.url()).toBe(`${service.url()}/account#program=${pk}`);
});

test('a link continues an expired session in the same view, and a kept token ends when it is refused', async () => {
  const { token, link } = await advocate();
  const page = await service.newPage();
  await page.goto(`${service.url()}/account#token=${token}`);
  await viewLink(page, 'Account').click();
  // Nothing continues before it is known whose page it is.
  await page.getByText('Signed in as Ada Lovelace').waitFor();
  expect(await part(page, 'Payout account').count()).toBe(0);
  const refuse = async () => {
    await page.route('**/v2/affiliate', (route) =>
      route.fulfill({ status: 401, json: { error: 'The token is not valid.' } }),
    );
    await button(page, 'Refresh').click();
    await alert(page, 'Your session has expired').waitFor();
  };
  await refuse();
  await page.unroute('**/v2/affiliate');
  await page.evaluate(`location.hash = ${JSON.stringify(new URL(await link()).hash)}`);
  await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
  await button(page, 'Continue as Ada Lovelace').click();
  await part(page, 'Payout account').waitFor();
  expect([page.url(), (await kept(page))[0]]).toEqual([`${service.url()}/account#/account`, null]);
  await box(page, 'First name').fill('Typed');
  await refuse();
  expect([await kept(page), await box(page, 'First name').inputValue()]).toEqual([[null, null], 'Typed']);
});

test('a deployment that sends no emails offers no sign-in', async () => {
  const { pk } = await advocate();
  const page = await service.newPage();
  await page.route('**/v2/apply/*', (route) => route.fulfill({ status: 404, json: { message: 'Not Found' } }));
  await page.goto(`${service.url()}/account#program=${pk}`);
  await page.getByRole('heading', { name: 'Open this page from your account' }).waitFor();
  expect(await page.locator('input, button').count()).toBe(0);
});

test.each([
  [360, 'dark'],
  [1280, 'light'],
] as const)('at %i px, %s, signing in breaks no accessibility rule and fits', async (width, colorScheme) => {
  const options: BrowserContextOptions = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
  const { link, pk } = await advocate({ payout_method: 'paypal', payout_account: 'ada@pay.example' });
  const page = await service.newPage(options);
  const isClean = async (on = page) => {
    expect(await violations(on)).toEqual([]);
    expect(await on.evaluate('document.documentElement.scrollWidth')).toBe(width);
  };
  await page.goto(`${service.url()}/dashboard#program=${pk}`);
  await box(page, 'Email').fill('nobody@partners.example');
  await button(page, 'Send sign-in link').click();
  await sent(page).waitFor();
  await isClean();
  const url = await link();
  await page.goto(url);
  await button(page, 'Continue as Ada Lovelace').waitFor();
  await isClean();
  const account = await signIn(await service.newPage(options), url);
  await viewLink(account, 'Account').click();
  await part(account, 'Payout account').waitFor();
  await isClean(account);
  await button(page, 'Continue as Ada Lovelace').click();
  await alert(page, 'This link no longer works').waitFor();
  await isClean();
  await page.goto(url.replace('#code', '#undo'));
  await button(page, 'Undo the change').waitFor();
  await isClean();
});
