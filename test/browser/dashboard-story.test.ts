import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { FOCUSED, fill, press, reach } from '../support/browser/keyboard.ts';
import { numberIn, region, rowsOf } from '../support/browser/portal-page.ts';
import { startReceiver } from '../support/events/receiver.ts';

const dashboard = useDashboardPages();

test('with the keyboard only, a merchant signs in, records a first payment and settles it', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), 'read', 'track', 'advocates', 'payouts');
  const page = await dashboard.newPage();
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).waitFor();
  const { keyboard } = page;
  await reach(page, 'Program token');
  await keyboard.type(token);
  await keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Overview' }).waitFor();
  const checklist = region(page, 'Checklist');
  await checklist.getByRole('listitem').nth(4).waitFor();
  expect([await checklist.getByText('Done:').count(), await checklist.getByRole('listitem').count()]).toEqual([1, 5]);

  await follow(page, 'Advocates');
  await press(page, 'Add advocate');
  await fill(page, 'Email', 'jane@partners.example');
  await fill(page, 'First name', 'Jane');
  await fill(page, 'Slug', 'jane');
  await keyboard.press('Enter');
  await rowsOf(page, 'Advocates').filter({ hasText: 'jane' }).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('Add advocate');

  await follow(page, 'Referrals');
  await press(page, 'Add referral');
  await fill(page, 'Advocate', 'jane');
  await fill(page, 'Email', 'ana@shop.example');
  await keyboard.press('Enter');
  await dialog(page, 'Referral').getByText('became converted').waitFor();
  await press(page, 'Record payment');
  await fill(page, 'Payment id', 'in_1');
  await fill(page, 'Amount', '49.999');
  await keyboard.press('Enter');
  await dialog(page, 'Record payment').getByRole('alert').getByText('at most 2 decimals').waitFor();
  await field(page, 'Record payment', 'Amount').fill('');
  await fill(page, 'Amount', '49.90');
  await keyboard.press('Enter');
  await dialog(page, 'Referral').getByText('became paid').waitFor();
  await rowsOf(page, 'Entries').filter({ hasText: '$49.90' }).filter({ hasText: '$9.98' }).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('Record payment');
  await keyboard.press('Escape');
  await dialog(page, 'Referral').waitFor({ state: 'detached' });

  await follow(page, 'Money');
  await press(page, 'Settle');
  await fill(page, 'Reference', 'Transfer 1');
  await keyboard.press('Enter');
  await rowsOf(page, 'Statements').filter({ hasText: '-$9.98' }).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('The settlement of jane is recorded.');

  await follow(page, 'Overview');
  await checklist.getByText('Put the script into your pages').waitFor();
  // Statistics arrive a moment after the change.
  while ((await checklist.locator('.done').count()) < 4) {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }
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

const SCREENS = [320, 1440].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })));

test('no view and no dialog breaks an accessibility rule or is wider than the screen, light or dark', async () => {
  const token = await dashboard.tokenOf(await dashboard.aProgram(), ...SCOPES);
  await fillProgram(token);
  // The page's Content-Security-Policy would block the script of the check.
  const page = await dashboard.newPage({ bypassCSP: true });
  const faults: string[] = [];
  const check = async (state: string) => {
    for (const { width, scheme } of SCREENS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      const found = await violations(page);
      if ((await page.evaluate('document.documentElement.scrollWidth')) !== width) found.push('too wide');
      faults.push(...found.map((fault) => `${state}, ${width} px, ${scheme}: ${fault}`));
    }
  };
  const checkRead = async (state: string) => {
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await check(state);
  };
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).waitFor();
  await check('sign in');
  await dashboard.open(page, token);
  await page.getByRole('figure', { name: 'Chart' }).waitFor();
  await checkRead('Overview');
  for (const [view, dialogs] of DIALOGS) {
    await viewLink(page, view).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
    await checkRead(view);
    for (const [button, name = button] of dialogs) {
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await dialog(page, name).waitFor();
      await checkRead(name);
      if (button === 'ana@shop.example') {
        await dialog(page, name).getByRole('button', { name: 'Record payment' }).click();
        await check('Record payment');
        await page.keyboard.press('Escape');
        await dialog(page, 'Record payment').waitFor({ state: 'detached' });
      }
      if (name === 'New token') {
        await dialog(page, name).getByRole('button', { name: 'Save' }).click();
        await field(page, name, 'Token').waitFor();
        await check('Token');
      }
      await page.keyboard.press('Escape');
      await dialog(page, name).waitFor({ state: 'detached' });
    }
  }
  await page.route('**/v2/**', (route) => route.fulfill({ status: 401, json: { error: 'Expired.' } }));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await dialog(page, 'Your session has expired').waitFor();
  await check('expired');
  expect(faults).toEqual([]);
});

const SCOPES = ['read', 'track', 'advocates', 'payouts', 'admin'];

/** The dialogs of each view: the button that opens it, and its name if that is another. */
const DIALOGS = [
  [
    'Referrals',
    [
      ['Add referral', 'New referral'],
      ['ana@shop.example', 'Referral'],
    ],
  ],
  ['Advocates', [['Add advocate', 'Advocate'], ['Edit', 'Advocate'], ['Adjust']]],
  ['Money', [['Settle'], ['Adjust'], ['Settle page']]],
  [
    'Developers',
    [
      ['Create token', 'New token'],
      ['Revoke'],
      ['Add webhook', 'New webhook'],
      ['Rotate'],
      ['Delete'],
      ['Disconnect Stripe'],
    ],
  ],
] as const;

/** One row of each list, with a payment, a self-referral, a webhook that failed, and a connection to Stripe. */
async function fillProgram(token: string): Promise<void> {
  const slug = await dashboard.advocateOf(token, { email: 'ada@partners.example', first_name: 'Ada' });
  await dashboard.call(`/v2/advocates/${await dashboard.advocateOf(token)}`, { active: false }, token, 'PATCH');
  const { url } = await startReceiver((response) => response.writeHead(500).end());
  await dashboard.call('/v2/webhooks', { url }, token);
  const secret = { secret: 'whsec_only_for_this_test_0123456789' };
  await dashboard.call('/v2/integrations/stripe', secret, token, 'PUT');
  await dashboard.call('/v2/tokens', { name: 'shop', scopes: ['read'] }, token);
  await dashboard.referralOf(token, slug, { email: 'ada+shop@partners.example' });
  const id = await dashboard.referralOf(token, slug, { email: 'ana@shop.example', metadata: { plan: 'pro' } });
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 4900, currency: 'usd' }, token);
}
