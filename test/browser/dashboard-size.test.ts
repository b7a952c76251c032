import { expect, test } from '@jest/globals';
import { useDashboardPages } from '../support/browser/dashboard-page.ts';
import { numberIn, rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();
/** More than a page of any list. */
const ADVOCATES = 60;
/** The largest number of requests that a view may need, with the program of the header. */
const MOST_REQUESTS = 9;

test('no view of a program with many advocates waits for more than a page of them', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'payouts', 'admin');
  const add = async (number: number) => {
    const uid = `customer-${number}`;
    await dashboard.referralOf(token, await dashboard.advocateOf(token, { slug: `advocate-${number}` }), { uid });
    await dashboard.call('/v2/payments', { uid, payment_id: uid, amount: 4900, currency: 'usd' }, token);
  };
  for (let number = 0; number < ADVOCATES; number += 1) await add(number);
  const page = await dashboard.newPage();
  await dashboard.open(page, token);
  const requests: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v2/')) requests.push(new URL(request.url()));
  });
  const views = [
    ['overview', () => numberIn(page, 'Sign-ups')],
    ['referrals', () => rowsOf(page, 'Referrals').nth(25)],
    ['advocates', () => rowsOf(page, 'Advocates').nth(25)],
    ['money', () => rowsOf(page, 'Statements').nth(25)],
  ] as const;
  for (const [view, first] of views) {
    // Ends the previous page, which may still send requests.
    await page.goto('about:blank');
    requests.length = 0;
    await page.goto(`${dashboard.url()}/dashboard#/${view}`);
    await first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    expect([view, requests.filter(({ searchParams }) => searchParams.has('cursor'))]).toEqual([view, []]);
    expect([view, requests.length <= MOST_REQUESTS]).toEqual([view, true]);
  }
  expect(dashboard.complaints).toEqual([]);
});
