import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { end, start } from '../support/start.ts';

// npm run pictures: takes the pictures of the pages in the documents, on a service with the demo's data.

/** A page with the token that it needs, and the last group and table that it shows. */
const PORTAL = ['portal', 'Affiliate', 'Payable', 'Referrals'] as const;
const DASHBOARD = ['dashboard', 'Program', 'Paying', 'Top advocates'] as const;

const PICTURES = [
  { file: 'portal.png', of: PORTAL, width: 1100, height: 860, colorScheme: 'light' },
  { file: 'portal-dark.png', of: PORTAL, width: 1100, height: 860, colorScheme: 'dark' },
  { file: 'portal-phone.png', of: PORTAL, width: 390, height: 844, colorScheme: 'light' },
  { file: 'dashboard.png', of: DASHBOARD, width: 1100, height: 860, colorScheme: 'light' },
  { file: 'dashboard-dark.png', of: DASHBOARD, width: 1100, height: 860, colorScheme: 'dark' },
] as const;

const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
const service = await start({ DATA_DIR: folder });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const { file, of, width, height, colorScheme } of PICTURES) {
    const [path, token, group, table] = of;
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, locale: 'en-US' });
    await page.addInitScript(`sessionStorage.setItem('referral-${path}-token', '${printed(token)}')`);
    await page.goto(`${service.url}/${path}`);
    await page.getByRole('combobox', { name: 'Range' }).selectOption('90 days');
    await page.getByRole('group', { name: group }).waitFor();
    await page.getByRole('table', { name: table }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.screenshot({ path: join(import.meta.dirname, '../../docs', file) });
    await page.close();
  }
  await takeDemo();
} finally {
  await browser.close();
  await end(service, 'SIGTERM');
  await rm(folder, { recursive: true });
}

/** Takes the picture of the demo after a sign-up and a payment. */
async function takeDemo(): Promise<void> {
  // The service classifies HeadlessChrome as a bot.
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) Chrome/${browser.version().split('.')[0]}.0.0.0 Safari/537.36`;
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US', userAgent });
  await page.goto(`${service.url}/demo?via=amara-okafor`);
  await page.getByText('click recorded').waitFor();
  await page.getByLabel('Email', { exact: true }).fill('ada@shop.example');
  await page.getByRole('button', { name: 'Start my subscription' }).click();
  const frames = [page.frameLocator('#portal'), page.frameLocator('#dashboard')];
  await frames[1]?.getByRole('link', { name: 'Referrals', exact: true }).click();
  await page.getByRole('button', { name: 'Simulate a payment' }).click();
  const row = { hasText: 'ada@shop.example' };
  for (const frame of frames) await frame.getByRole('row').filter(row).getByText('paid').waitFor();
  await page.screenshot({ path: join(import.meta.dirname, '../../docs/demo.png') });
  await page.close();
}

function printed(name: string): string {
  return new RegExp(`^${name} token: +(\\S+)`, 'm').exec(service.printed)?.[1] ?? '';
}
