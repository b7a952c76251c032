import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import {
  FOREIGN_BODIES,
  NOT_THE_SERVICE,
  numberIn,
  region,
  rowsOf,
  usePortal,
} from '../support/browser/portal-page.ts';

const portal = usePortal();
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const REQUESTS = /\/v[12]\//;

async function opened(token: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await portal.newPage(options);
  await portal.open(page, token);
  await numberIn(page, 'Clicks').waitFor();
  await page.getByText(/^Signed in as/).waitFor();
  return page;
}

test('the token leaves the address, stays in the tab, and is forgotten by signing out', async () => {
  const { token } = await portal.anAdvocate();
  const page = await opened(token);
  expect(page.url()).toBe(`${portal.url()}/portal`);
  expect(await page.evaluate('JSON.stringify([localStorage.length, document.cookie])')).toBe('[0,""]');
  await page.reload();
  await numberIn(page, 'Clicks').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Open this page from your account' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Open this page from your account' }).waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  expect(portal.complaints).toEqual([]);
});

test('a token that expires is asked for in place, and the request is repeated with the next one', async () => {
  const { slug, token } = await portal.anAdvocate();
  await portal.signUp(await portal.click(slug));
  const page = await opened(token);
  await page.getByRole('textbox', { name: 'Page', exact: true }).fill('/typed');
  await page.route(REQUESTS, async (route) => {
    const isOld = (await route.request().allHeaders())['authorization'] === `Bearer ${token}`;
    await (isOld ? route.fulfill({ status: 401, json: { error: 'The token is not valid.' } }) : route.continue());
  });
  await page.getByRole('combobox', { name: 'State' }).selectOption('converted');
  await alert(page, 'Your session has expired').waitFor();
  await page.evaluate("location.hash = 'token=rta_wrong'");
  await alert(page, 'This link has expired as well.').waitFor();
  await page.evaluate(`location.hash = 'token=${await portal.tokenOf(slug)}'`);
  await alert(page, 'Your session has expired').waitFor({ state: 'detached' });
  await rowsOf(page, 'Referrals').nth(1).waitFor();
  expect(await page.getByRole('textbox', { name: 'Page', exact: true }).inputValue()).toBe('/typed');
  expect(page.url()).toBe(`${portal.url()}/portal`);
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

test('without a connection, one alert says so, and a retry reads everything', async () => {
  const { token } = await portal.anAdvocate();
  const page = await portal.newPage();
  await page.route(REQUESTS, (route) => route.abort());
  await portal.open(page, token);
  await alert(page, 'No connection').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.getByText('Not loaded: no connection.').nth(2).waitFor();
  await page.unroute(REQUESTS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await numberIn(page, 'Clicks').waitFor();
  await alert(page, 'No connection').waitFor({ state: 'detached' });
});

test.each([
  [{ status: 502, body: '<html>Bad gateway' }, 'The service returned an error (status 502).'],
  [{ status: 404, json: { message: 'Not Found' } }, 'Deploy the newest version.'],
  [{ status: 500, json: { error: '<img src=x onerror=alert(1)>' } }, '<img src=x onerror=alert(1)>'],
])('the response %j is explained, with a retry that keeps the filters', async (response, sentence) => {
  const { token } = await portal.anAdvocate();
  const page = await opened(token);
  await page.route('**/v2/affiliate/referrals?*', (route) => route.fulfill(response));
  await page.getByRole('combobox', { name: 'State' }).selectOption('churned');
  await region(page, 'Referrals').getByRole('alert').getByText(sentence).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await page.unroute('**/v2/affiliate/referrals?*');
  await region(page, 'Referrals').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No referrals match the filters.').waitFor();
  expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('churned');
});

test.each(FOREIGN_BODIES)('the body %j in place of the API’s is explained, and the page recovers', async (body) => {
  const { token } = await portal.anAdvocate();
  const page = await portal.newPage();
  await page.route(REQUESTS, (route) => route.fulfill({ status: 200, body }));
  await portal.open(page, token);
  await page.getByRole('main').getByText(NOT_THE_SERVICE).first().waitFor();
  // Until the answer about the advocate arrives, each part shows its own.
  await region(page, 'Statements').waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.unroute(REQUESTS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await numberIn(page, 'Clicks').waitFor();
  await region(page, 'Referrals').getByText('No sign-ups yet.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(portal.complaints).toEqual([]);
});

test.each([
  [320, 'dark'],
  [1440, 'light'],
] as const)(
  'at %i px, %s, the page breaks no accessibility rule and fits, full and empty',
  async (width, colorScheme) => {
    const options = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
    const { slug, token } = await portal.anAdvocate({ commission_percentage: 20 });
    const empty = await opened(token, options);
    await empty.getByText('No payments yet.').waitFor();
    expect(await violations(empty)).toEqual([]);
    await portal.pay(await portal.signUp(await portal.click(slug, 'news')), 1_234_567_890);
    const page = await opened(token, options);
    await region(page, 'Statements').getByRole('table').getByRole('button').click();
    await page.getByText('Payment of a customer').waitFor();
    await page.getByText('Show as table').click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  },
);
