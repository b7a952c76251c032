import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import {
  becomeAdvocate,
  dashboardOf,
  fillJoinForm,
  hold,
  message,
  press,
  rowOf,
  signUp,
  steps,
  useDemo,
} from '../support/browser/demo-page.ts';

const demo = useDemo();
const JOIN = 'Become an advocate';

async function visit(): Promise<Page> {
  const page = await demo.newPage();
  await page.goto(demo.printedAddress());
  await steps(page, 'click recorded').waitFor();
  return page;
}

test('the new advocate stays signed in after a reload and the back button, until it signs out', async () => {
  const page = await visit();
  await becomeAdvocate(page);
  await page.reload();
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  await page.goto(`${demo.url()}/`);
  await page.goBack();
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  expect(await page.getByRole('button', { name: JOIN }).isVisible()).toBe(false);
  await press(page, 'Sign out');
  await dashboardOf(page, 'Amara Okafor').waitFor();
  await page.getByRole('button', { name: JOIN }).waitFor();
  await page.getByRole('table', { name: 'latest changes' }).waitFor();
  expect(demo.complaints).toEqual([]);
});

test('a page that was left before the visitor joined in another tab shows the new advocate', async () => {
  const page = await visit();
  await page.goto(`${demo.url()}/`);
  const other = await page.context().newPage();
  await other.goto(demo.printedAddress());
  await becomeAdvocate(other);
  await page.goBack();
  await dashboardOf(page, 'Ada Lovelace').waitFor();
});

test('the dashboard replaces an expired token', async () => {
  const page = await visit();
  await page.getByText('Live,').waitFor();
  const tokens = new Set<string>();
  await page.route('**/v1/affiliate/referrals?*', async (route) => {
    const { authorization = '' } = route.request().headers();
    tokens.add(authorization);
    // The service refuses an expired token exactly like an unknown one.
    const sent = tokens.size > 1 ? authorization : 'Bearer rta_expired';
    await route.continue({ headers: { ...route.request().headers(), authorization: sent } });
  });
  const email = await signUp(page);
  await rowOf(page, email).getByText('converted').waitFor();
  expect(tokens.size).toBe(2);
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a new advocate whose token is late sees why, and then the dashboard', async () => {
  const page = await visit();
  await page.route('**/demo/token', (route) => route.fulfill({ status: 503, body: '{}' }));
  await fillJoinForm(page);
  await press(page, JOIN);
  await message(page, 'Your dashboard appears as soon as the service responds.').waitFor();
  await page.getByRole('alert').filter({ hasText: 'The service does not respond.' }).waitFor();
  await page.unroute('**/demo/token');
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  await page.getByRole('table', { name: 'No referrals yet' }).waitFor();
});

test.each([
  '/v2/affiliate/referrals/counts',
  '/v1/affiliate/referrals?state_eq=clicked',
  // The next page is requested with the new advocate's token, which does not fit the cursor.
  '/v1/affiliate/referrals?per_page=50',
])('%s is not shown if it arrives after the advocate has changed', async (address) => {
  const page = await visit();
  await page.getByText('Live,').waitFor();
  const { held, release } = await hold(page, `**${address}*`);
  await held;
  await fillJoinForm(page);
  await press(page, JOIN);
  await steps(page, 'Joined as Ada → advocate').waitFor();
  await page.evaluate(`window.shown = new Set();
    const caption = document.querySelector('caption');
    const numbers = () => document.getElementById('totals').textContent.replaceAll(/\\D/g, '');
    new MutationObserver(() => shown.add(caption.textContent + ' ' + numbers())).observe(caption, { childList: true })`);
  release();
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  await page.getByRole('table', { name: 'No referrals yet' }).waitFor();
  expect(await page.evaluate('[...shown]')).toEqual(['Loading the referrals … ', 'No referrals yet 00000']);
  expect(await page.locator('#trouble').textContent()).toBe('');
});

test('a token that was requested before the visitor joined is not used', async () => {
  const page = await demo.newPage();
  const [fetched, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = async (route: Route) => {
    const response = await route.fetch();
    fetched.resolve();
    await released.promise;
    await route.fulfill({ response });
  };
  await page.route('**/demo/token', late, { times: 1 });
  await page.goto(demo.printedAddress());
  await fetched.promise;
  await fillJoinForm(page);
  await press(page, JOIN);
  await steps(page, 'Joined as Ada → advocate').waitFor();
  released.resolve();
  await dashboardOf(page, 'Ada Lovelace').waitFor();
  await page.getByRole('table', { name: 'No referrals yet' }).waitFor();
});
