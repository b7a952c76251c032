import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import {
  FOREIGN_BODIES,
  NOT_THE_SERVICE,
  numberIn,
  numberOf,
  rowsOf,
  usePortal,
} from '../support/browser/portal-page.ts';

const portal = usePortal();
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const REQUESTS = /\/v[12]\//;

async function opened(token: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await portal.newPage(options);
  await portal.open(page, token);
  await heading(page, 'Home').waitFor();
  await page.getByText(/^Signed in as/).waitFor();
  return page;
}

test('the token leaves the address, stays in the tab, and is forgotten by signing out', async () => {
  const { token } = await portal.anAdvocate();
  const page = await opened(token);
  expect(page.url()).toBe(`${portal.url()}/portal`);
  expect(await page.evaluate('JSON.stringify([localStorage.length, document.cookie])')).toBe('[0,""]');
  await page.reload();
  await heading(page, 'Home').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Open this page from your account').waitFor();
  await page.reload();
  await heading(page, 'Open this page from your account').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  expect(portal.complaints).toEqual([]);
});

test('a token that expires is asked for in place, and the view and the request stay', async () => {
  const { slug, token } = await portal.anAdvocate();
  await portal.signUp(await portal.click(slug));
  const page = await opened(token);
  await page.getByRole('link', { name: 'Referrals', exact: true }).click();
  await rowsOf(page, 'Referrals').nth(1).waitFor();
  await page.route(REQUESTS, async (route) => {
    const isOld = (await route.request().allHeaders())['authorization'] === `Bearer ${token}`;
    await (isOld ? route.fulfill({ status: 401, json: { error: 'The token is not valid.' } }) : route.continue());
  });
  await page.getByRole('combobox', { name: 'State' }).selectOption('Signed up');
  await alert(page, 'Your session has expired').waitFor();
  await page.evaluate("location.hash = 'token=rta_wrong'");
  await alert(page, 'This link has expired as well.').waitFor();
  await page.evaluate(`location.hash = 'token=${await portal.tokenOf(slug)}'`);
  await alert(page, 'Your session has expired').waitFor({ state: 'detached' });
  await rowsOf(page, 'Referrals').nth(1).waitFor();
  expect(page.url()).toBe(`${portal.url()}/portal#/referrals?state=converted`);
});

test('a link that has expired before it is opened shows how to get another one', async () => {
  const { token } = await portal.anAdvocate();
  const page = await portal.newPage();
  await portal.open(page, 'rta_expired');
  await alert(page, 'Your session has expired').waitFor();
  await heading(page, 'Open this page from your account').waitFor();
  await page.evaluate(`location.hash = 'token=${token}'`);
  await heading(page, 'Home').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a link of another advocate is used only after a question', async () => {
  const [ada, bob] = [await portal.anAdvocate(), await portal.anAdvocate({ first_name: 'Bob' })];
  const page = await opened(ada.token);
  const follow = () => page.evaluate(`location.hash = 'token=${bob.token}'`);
  await follow();
  await alert(page, 'This link opens another account').getByRole('button', { name: 'Stay here' }).click();
  await page.getByText('Signed in as Ada').waitFor();
  await follow();
  await page.getByRole('button', { name: 'Open the other account' }).click();
  await page.getByText('Signed in as Bob').waitFor();
  await page.reload();
  await page.getByText('Signed in as Bob').waitFor();
});

test('the page of a deactivated advocate says that the link is paused', async () => {
  const { slug, token } = await portal.anAdvocate();
  await portal.call(`/v2/advocates/${slug}`, { active: false }, undefined, 'PATCH');
  const page = await portal.newPage();
  await portal.open(page, token, 'earnings');
  await alert(page, 'Your link is paused').waitFor();
  await page.getByText('No payouts yet.').waitFor();
});

test('without a connection, one alert says so, and a retry reads everything', async () => {
  const { slug, token } = await portal.anAdvocate();
  await portal.click(slug);
  await portal.counted(token, { clicks: 1 });
  const page = await portal.newPage();
  await page.route(REQUESTS, (route) => route.abort());
  await portal.open(page, token);
  await alert(page, 'No connection').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.unroute(REQUESTS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await numberIn(page, 'Next payout').waitFor();
  await numberOf(page, 'Clicks').getByText('1', { exact: true }).waitFor();
  await alert(page, 'No connection').waitFor({ state: 'detached' });
});

test('what loaded stays when the service cannot say who the advocate is', async () => {
  const { slug, token } = await portal.anAdvocate();
  await portal.click(slug);
  await portal.counted(token, { clicks: 1 });
  const page = await portal.newPage();
  await page.route('**/v2/affiliate', (route) => route.fulfill({ status: 500, json: { error: 'Broken.' } }));
  await portal.open(page, token);
  await alert(page, 'Broken.').waitFor();
  await numberOf(page, 'Clicks').getByText('1', { exact: true }).waitFor();
});

test.each([
  [{ status: 502, body: '<html>Bad gateway' }, 'The service returned an error (status 502).'],
  [{ status: 404, json: { message: 'Not Found' } }, 'Deploy the newest version.'],
  [{ status: 500, json: { error: '<img src=x onerror=alert(1)>' } }, '<img src=x onerror=alert(1)>'],
])('the response %j is explained once, with a retry that keeps the filters', async (response, sentence) => {
  const { token } = await portal.anAdvocate();
  const page = await opened(token);
  await page.route('**/v2/affiliate/referrals?*', (route) => route.fulfill(response));
  await page.getByRole('link', { name: 'Referrals', exact: true }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Cancelled');
  await page.getByRole('alert').getByText(sentence).waitFor();
  expect([await page.getByRole('alert').count(), await page.locator('img').count()]).toEqual([1, 0]);
  await page.unroute('**/v2/affiliate/referrals?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No referrals match the filters.').waitFor();
  expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('churned');
});

test.each(FOREIGN_BODIES)(
  'the body %j in place of the API’s is explained once, and the page recovers',
  async (body) => {
    const { token } = await portal.anAdvocate();
    const page = await portal.newPage();
    await page.route(REQUESTS, (route) => route.fulfill({ status: 200, body }));
    await portal.open(page, token);
    await page.getByRole('alert').getByText(NOT_THE_SERVICE).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.unroute(REQUESTS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('textbox', { name: 'Your link', exact: true }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(portal.complaints).toEqual([]);
  },
);

const VIEWS = ['Home', 'Links', 'Referrals', 'Earnings', 'Account'];

describe.each([
  [320, 'dark'],
  [1440, 'light'],
] as const)('at %i px, %s', (width, colorScheme) => {
  const options = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
  const show = (page: Page, view: string) => page.getByRole('link', { name: view, exact: true }).click();

  async function isClean(page: Page): Promise<void> {
    await page.locator('main:not(:has([aria-busy=true]))').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }

  test.each(VIEWS)('the view %s breaks no accessibility rule and fits, empty and full', async (view) => {
    const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
    const page = await opened(token, options);
    await page.getByRole('heading', { name: 'Share your link' }).waitFor();
    await show(page, view);
    await isClean(page);
    await portal.call(`/v2/codes/code-${slug}`, { affiliate_slug: slug }, undefined, 'PUT');
    await portal.pay(await portal.signUp(await portal.click(slug, 'news')), 1_234_567_890);
    await portal.counted(token, { clicks: 1, paying: 1 });
    await page.reload();
    await page.getByText(/^Signed in as/).waitFor();
    await isClean(page);
  });

  test('the dialogs and the entries of a month break no accessibility rule and fit', async () => {
    const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
    await portal.pay(await portal.signUp(await portal.click(slug)), 1_234_567_890);
    const page = await opened(token, options);
    await show(page, 'Links');
    await page.getByRole('button', { name: 'New link' }).click();
    await isClean(page);
    await page.keyboard.press('Escape');
    await show(page, 'Referrals');
    await rowsOf(page, 'Referrals').getByText('Paying').click();
    await rowsOf(page, 'Entries').nth(1).waitFor();
    await isClean(page);
    await page.keyboard.press('Escape');
    await show(page, 'Earnings');
    await page.getByRole('table', { name: 'Statements' }).getByRole('button').click();
    await rowsOf(page, 'Entries').nth(1).waitFor();
    await isClean(page);
  });
});
