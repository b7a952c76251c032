import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { copyWith, violations } from '../support/browser/chromium.ts';
import { useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const day: BrowserContextOptions = { colorScheme: 'light', viewport: { width: 1280, height: 800 } };
const night: BrowserContextOptions = { ...day, colorScheme: 'dark' };
const phone: BrowserContextOptions = { ...day, viewport: { width: 320, height: 640 } };

async function visit(path: string, options: BrowserContextOptions = day): Promise<Page> {
  // The page's Content-Security-Policy would block the script of the check.
  const page = await demo.newPage({ ...options, bypassCSP: true });
  await page.goto(`${demo.url()}${path}`);
  return page;
}

const operation = (page: Page, id: string) => page.locator(`#${id}`);
const send = (page: Page, id: string) => operation(page, id).getByRole('button', { name: 'Send' });

/** An operation with a body, a list, an event of a webhook, and the prose: each kind of content. */
const OPENED = '#trackConversionV2, #listReferralsV2, #receiveReferralEvent, #about';

test.each([
  ['by day', day],
  ['by night', night],
  ['on a phone', phone],
])('/docs breaks no accessibility rule and cuts nothing off %s', async (_, options) => {
  const page = await visit('/docs#listReferralsV2', options);
  await send(page, 'listReferralsV2').click();
  await operation(page, 'listReferralsV2').getByText('"data"').first().waitFor();
  const all = `:is(${OPENED}):is(details), :is(${OPENED}) details`;
  await page.evaluate(`document.querySelectorAll('${all}').forEach((each) => { each.open = true; })`);
  await operation(page, 'trackConversionV2').locator('.samples').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
  expect(demo.complaints).toEqual([]);
});

test('the samples of /docs are copied, with the token that the operation requires', async () => {
  const page = await visit('/docs#listReferrals', { ...day, permissions: ['clipboard-read', 'clipboard-write'] });
  const copy = () => copyWith(page.getByRole('button', { name: 'Copy the sample in curl' }));
  expect(await copy()).toContain(`Bearer ${demo.affiliateToken()}'`);
  await page.getByLabel('Affiliate token').fill('rta_other');
  expect(await copy()).toContain("Bearer rta_other'");
});

test.each([
  ['listAdvocates', 'List advocates'],
  ['listReferrals', 'List referrals'],
])('/docs leads to %s, also with the keyboard, and sends it with the token of the demo', async (id, name) => {
  const page = await visit('/docs#getScript');
  await send(page, 'getScript').waitFor();
  const menu = page.getByRole('navigation', { name: 'Operations' });
  const link = menu.getByRole('link', { name: `get ${name}`, exact: true });
  await link.focus();
  await link.press('Enter');
  await send(page, id).click();
  await operation(page, id).locator('.result').getByText('"data"').waitFor();
  expect(await link.getAttribute('aria-current')).toBe('true');
  expect((await operation(page, id).boundingBox())?.y).toBeLessThan(800);
  expect(demo.complaints).toEqual([]);
});

test('/docs sends the examples of Stripe’s event, which the service signs, and has no samples of them', async () => {
  const page = await visit('/docs#receiveStripeEvent');
  const block = operation(page, 'receiveStripeEvent');
  const applied = [];
  for (const label of ['A checkout that was paid', 'A subscription that ended']) {
    await block.getByLabel('Example').selectOption({ label });
    const response = page.waitForResponse('**/v2/integrations/stripe/*');
    await send(page, 'receiveStripeEvent').click();
    applied.push(await (await response).json());
  }
  expect(applied).toEqual([{ applied: 'paid' }, { applied: 'churned' }]);
  expect(await page.locator('.samples').count()).toBe(0);
  expect(demo.complaints).toEqual([]);
});
