import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { portOf } from '../../bin/local/engine.ts';
import { violations } from '../support/browser/chromium.ts';
import { dialog, tokenIn, useDashboardPages } from '../support/browser/dashboard-page.ts';
import { rowsOf } from '../support/browser/portal-page.ts';

const dashboard = useDashboardPages();

test.each([
  [320, 'light'],
  [320, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)('at %i pixels in %s mode, overview and referrals break no accessibility rule', async (width, scheme) => {
  const program = await dashboard.aProgram();
  const token = await dashboard.tokenOf(program, 'read', 'track', 'advocates', 'payouts');
  const slug = await dashboard.advocateOf(token, { first_name: 'Ada' });
  const id = await dashboard.referralOf(token, slug, { email: 'ana@shop.example' });
  await dashboard.call('/v2/payments', { id, payment_id: 'in_1', amount: 4900, currency: 'usd' }, token);
  // The page's Content-Security-Policy would block the script of the check.
  const page = await dashboard.newPage({ viewport: { width, height: 900 }, colorScheme: scheme, bypassCSP: true });
  const check = async () => {
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  };
  await page.goto(`${dashboard.url()}/dashboard`);
  await page.getByRole('textbox', { name: 'Program token' }).waitFor();
  await check();
  await dashboard.open(page, token);
  await page.getByRole('region', { name: 'Checklist' }).waitFor();
  await page.getByRole('figure', { name: 'Chart' }).waitFor();
  await check();
  await page.evaluate("location.hash = '#/referrals'");
  await page.getByRole('button', { name: 'ana@shop.example' }).click();
  await rowsOf(page, 'Entries').nth(1).waitFor();
  await check();
  await dialog(page, 'Referral').getByRole('button', { name: 'Record payment' }).click();
  await check();
  await page.keyboard.press('Escape');
  await dialog(page, 'Record payment').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await dialog(page, 'Referral').waitFor({ state: 'detached' });
  await page.waitForFunction("document.activeElement.textContent === 'ana@shop.example'");
});

test('a page of another origin cannot frame the dashboard', async () => {
  const program = await dashboard.aProgram();
  const { url } = await dashboard.linkOf(program, 'read');
  const html = `<!doctype html><title>Stranger</title><iframe src="${url}"></iframe>`;
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const page = await dashboard.newPage();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v2/')) requests += 1;
  });
  const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(`http://localhost:${portOf(site)}/`);
  await refusal;
  expect([requests, await page.frameLocator('iframe').getByRole('textbox').count()]).toEqual([0, 0]);
  expect(tokenIn(url)).not.toBe('');
  site.closeAllConnections();
  site.close();
});
