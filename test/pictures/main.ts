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
  await payCustomers();
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
} finally {
  await browser.close();
  await end(service, 'SIGTERM');
  await rm(folder, { recursive: true });
}

/** Records payments of the demo's customers, because the demo has no ledger. */
async function payCustomers(): Promise<void> {
  type List = { data: { id: string }[] };
  const list: List = await call('/v2/referrals?affiliate_slug=amara-okafor&state_eq=paid&per_page=8');
  for (const [index, { id }] of list.data.entries()) {
    await call('/v2/payments', { id, payment_id: `picture-${index}`, amount: 2900 + index * 1500, currency: 'usd' });
  }
  const settlement = { affiliate_slug: 'amara-okafor', settlement_id: 'payout-1', amount: 8000, currency: 'usd' };
  await call('/v2/settlements', { ...settlement, reference: 'Transfer of the month' });
}

async function call<Json>(path: string, body?: object): Promise<Json> {
  const response = await fetch(`${service.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${printed('Program')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body) ?? null,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}

function printed(name: string): string {
  return new RegExp(`^${name} token: +(\\S+)`, 'm').exec(service.printed)?.[1] ?? '';
}
