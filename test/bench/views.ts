import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { end, start } from '../support/start.ts';
import { call, fillProgram, slugOf } from './large-program.ts';
import { median, type Row } from './report.ts';

const REFERRALS_EACH = 20;
const ROUNDS = 5;

/** The views of both pages, and the first row or number that each must show. */
const VIEWS = [
  { path: '/dashboard#/overview', selector: '.stat-value' },
  { path: '/dashboard#/referrals', selector: 'table[aria-label=Referrals] tbody tr' },
  { path: '/dashboard#/advocates', selector: 'table[aria-label=Advocates] tbody tr' },
  { path: '/dashboard#/money', selector: 'table[aria-label=Statements] tbody tr' },
  { path: '/portal', selector: '.stat-value' },
];

/** Measures how long the views of the pages take until their first numbers are shown, with many advocates. */
export async function measureViews(advocates: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-views-'));
  const { token } = await fillProgram(folder, advocates, REFERRALS_EACH);
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const service = await start({ DATA_DIR: folder, DEMO: 'off' });
  try {
    const path = `/v2/advocates/${slugOf(1)}/tokens`;
    const created = await call<{ data: { attributes: { token: string } } }>(service, token, path, {});
    const secrets = { dashboard: token, portal: created.data.attributes.token };
    const secretsInPage = `for (const [page, token] of Object.entries(${JSON.stringify(secrets)}))
      sessionStorage.setItem('referral-' + page + '-token', token);`;
    const rows: Row[] = [];
    for (const view of VIEWS) {
      const times = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        times.push(await open(browser, secretsInPage, `${service.url}${view.path}`, view.selector));
      }
      const counted = { advocates, referrals: advocates * REFERRALS_EACH, view: view.path };
      rows.push({ ...counted, 'first numbers, ms': Math.round(median(times)) });
    }
    return rows;
  } finally {
    await browser.close();
    await end(service, 'SIGTERM');
    await rm(folder, { recursive: true });
  }
}

/** Returns the milliseconds until the first numbers are shown. */
async function open(browser: Browser, script: string, url: string, selector: string): Promise<number> {
  const page = await browser.newPage();
  await page.addInitScript(script);
  const start = performance.now();
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  const shown = performance.now() - start;
  await page.close();
  return shown;
}
