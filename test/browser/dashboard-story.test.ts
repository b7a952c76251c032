import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dialog, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { fill, press, reach } from '../support/browser/keyboard.ts';
import { region, rowsOf } from '../support/browser/portal-page.ts';
import { newId } from '../support/program.ts';
import { until } from '../support/until.ts';

const dashboard = useDashboardPages();

test('with the keyboard only, a merchant who was invited by email brings a program from nothing to its first recorded payout', async () => {
  const program = await dashboard.aProgram();
  await dashboard.admin('program', 'update', '--program', program, '--no-commission-percentage');
  const address = `${newId()}@beans.example`;
  const member = { email: address, name: 'Robin', scopes: ['read', 'track', 'advocates', 'payouts', 'admin'] };
  const token = await dashboard.tokenOf(program, ...member.scopes);
  await dashboard.call('/v2/members', member, token);
  const page = await dashboard.newPage();
  const { keyboard } = page;
  await page.goto(await dashboard.linkTo(address, 'program'));
  await fill(page, 'Email', address);
  await press(page, 'Send sign-in link');
  await page.goto(await dashboard.linkTo(address, 'code'));
  await press(page, 'Continue as Robin');

  await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();
  await region(page, 'Getting started').waitFor();
  await fill(page, 'Percentage', '20');
  await press(page, 'Save');
  await page.getByText('Payments earn advocates nothing').waitFor({ state: 'detached' });
  await fill(page, 'Email', 'jane@partners.example');
  await fill(page, 'First name', 'Jane');
  await press(page, 'Send invitation');
  await region(page, 'Getting started')
    .getByRole('button', { name: 'Invite the first advocate', description: 'Done' })
    .waitFor();

  await follow(page, 'Referrals');
  await press(page, 'Add referral');
  await fill(page, 'Advocate', 'jane');
  await fill(page, 'Email', 'ana@shop.example');
  await press(page, 'Save');
  await dialog(page, 'Referral').waitFor();
  await press(page, 'Change');
  await page.locator('[role=menuitem]:focus').waitFor();
  while ((await page.evaluate('document.activeElement.textContent')) !== 'Record payment') {
    await keyboard.press('ArrowDown');
  }
  await keyboard.press('Enter');
  await fill(page, 'Payment id', 'in_1');
  await fill(page, 'Amount', '49.999');
  await fill(page, 'Currency', 'usd');
  await press(page, 'Save');
  const record = dialog(page, 'Record payment');
  await record.getByRole('alert').getByText('at most 2 decimals').waitFor();
  // Tab selects what the field contains.
  await fill(page, 'Amount', '49.99');
  await press(page, 'Save');
  await rowsOf(page, 'Entries').filter({ hasText: '$49.99' }).filter({ hasText: '$10.00' }).waitFor();
  await keyboard.press('Escape');
  await dialog(page, 'Referral').waitFor({ state: 'detached' });

  await until(async () => (await dashboard.call<unknown[]>('/v2/balances', undefined, token)).length > 0);
  await follow(page, 'Payouts');
  await reach(page, 'Select Jane');
  await keyboard.press('Space');
  await page.getByRole('status', { name: 'Selection' }).getByText('1 advocate · $10.00').waitFor();
  await press(page, 'Pay out');
  await dialog(page, 'Payout').getByRole('status', { name: 'Total' }).getByText('$10.00 to 1 advocate').waitFor();
  await press(page, 'Record payout');
  await dialog(page, 'Payout').getByText('Recorded: $10.00 to 1 advocate.').waitFor();
  await press(page, 'Done');
  await rowsOf(page, 'Payout history').filter({ hasText: '$10.00' }).waitFor();
  expect(dashboard.complaints).toEqual([]);
});

/** Opens a view, whose heading gets the focus. */
async function follow(page: Page, name: string): Promise<void> {
  await press(page, name);
  await page.locator('h1:focus', { hasText: name }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** More than a page of any list. */
const ADVOCATES = 60;
/** The largest number of parallel requests of each view, with the program of the header. */
const MOST_REQUESTS = { overview: 8, advocates: 5, referrals: 5, payouts: 5 } as const;

test('no view of a program with many advocates reads more than a page of them, or sends more requests together than its budget', async () => {
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
  let [running, most] = [0, 0];
  page.on('request', (request) => {
    if (!request.url().includes('/v2/')) return;
    requests.push(new URL(request.url()));
    running += 1;
    most = Math.max(most, running);
  });
  page.on('requestfinished', (request) => {
    if (request.url().includes('/v2/')) running -= 1;
  });
  const views = [
    ['overview', () => page.getByRole('tab', { name: 'Sign-ups', exact: true })],
    ['referrals', () => rowsOf(page, 'Referrals').nth(25)],
    ['advocates', () => rowsOf(page, 'Advocates').nth(25)],
    ['payouts', () => rowsOf(page, 'To pay').nth(25)],
  ] as const;
  for (const [view, first] of views) {
    // Ends the previous page, which may still send requests.
    await page.goto('about:blank');
    requests.length = 0;
    [running, most] = [0, 0];
    await page.goto(`${dashboard.url()}/dashboard#/${view}`);
    await first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    expect([view, requests.filter(({ searchParams }) => searchParams.has('cursor'))]).toEqual([view, []]);
    expect([view, most <= MOST_REQUESTS[view]]).toEqual([view, true]);
  }
  expect(dashboard.complaints).toEqual([]);
});
