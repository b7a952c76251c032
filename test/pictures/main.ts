import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { end, start } from '../support/start.ts';

// npm run pictures: takes the pictures of the pages in the documents, on a service with the demo's data.

const PICTURES = [
  { file: 'portal.png', width: 1100, height: 860, colorScheme: 'light' },
  { file: 'portal-dark.png', width: 1100, height: 860, colorScheme: 'dark' },
  { file: 'portal-phone.png', width: 390, height: 844, colorScheme: 'light' },
] as const;

const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
const service = await start({ DATA_DIR: folder });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await payCustomers();
  for (const { file, width, height, colorScheme } of PICTURES) {
    const options = { viewport: { width, height }, deviceScaleFactor: 2, colorScheme, locale: 'en-US' } as const;
    const page = await browser.newPage(options);
    await page.goto(`${service.url}/portal#token=${printed('Affiliate')}`);
    await page.getByRole('combobox', { name: 'Range' }).selectOption('90 days');
    await page.getByRole('group', { name: 'Payable' }).waitFor();
    await page.getByRole('table', { name: 'Referrals' }).waitFor();
    await page.getByRole('group', { name: 'Clicks' }).waitFor();
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
    await call('/v2/payments', { id, payment_id: `in_${index}`, amount: 2900 + index * 1500, currency: 'usd' });
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
