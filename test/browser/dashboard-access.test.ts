import { expect, test } from '@jest/globals';
import { violations } from '../support/browser/chromium.ts';
import { dialog, field, useDashboardPages, viewLink } from '../support/browser/dashboard-page.ts';
import { startReceiver } from '../support/events/receiver.ts';

const dashboard = useDashboardPages();

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
