import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations } from '../support/browser/accessibility.ts';
import { becomeAdvocate, deliveries, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const day: BrowserContextOptions = { colorScheme: 'light', viewport: { width: 1280, height: 800 } };
const night: BrowserContextOptions = { ...day, colorScheme: 'dark' };
const phone: BrowserContextOptions = { ...day, viewport: { width: 390, height: 844 } };

async function visit(path: string, options: BrowserContextOptions = day): Promise<Page> {
  // The page's Content-Security-Policy would block the script of the check.
  const page = await demo.newPage({ ...options, bypassCSP: true });
  await page.goto(`${demo.url()}${path}`);
  return page;
}

describe.each([
  ['by day', day],
  ['by night', night],
  ['on a phone', phone],
])('%s', (_, options) => {
  test('/ breaks no accessibility rule and fits the screen', async () => {
    const page = await visit('/', options);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Copy: Program token' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    // No word is broken at its hyphen.
    const lines = `((text, range) => {
      const start = text.data.search(/sign.ups/);
      range.setStart(text, start);
      range.setEnd(text, start + 'sign-ups'.length);
      return range.getClientRects().length;
    })(document.querySelector('.lead').firstChild, new Range())`;
    expect(await page.evaluate(lines)).toBe(1);
    expect(demo.complaints).toEqual([]);
  });

  test('/demo breaks no accessibility rule, before and after a delivery', async () => {
    const page = await visit('/demo', options);
    await page.getByRole('img', { name: 'Referrals per state' }).waitFor();
    await page.getByText('No deliveries since the start').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Follow Amara’s link' }).click();
    await deliveries(page, 'referral.clicked').locator('summary').click();
    await deliveries(page, '"type": "referral.clicked"').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
  });

  test('/demo breaks no accessibility rule for a new advocate who changes its name, and for the merchant', async () => {
    const page = await visit('/demo?via=amara-okafor', options);
    await becomeAdvocate(page);
    await page.getByText('Change your name').click();
    expect(await violations(page)).toEqual([]);
    await page.getByText('Merchant’s view').click();
    await page.getByLabel('Customer’s email').fill('amara-okafor+76@partners.example');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('Self-referral:').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(demo.complaints).toEqual([]);
  });
});

test('/ copies a line', async () => {
  const page = await visit('/', { ...day, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy: Public key' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^pk_\w+$/);
});
