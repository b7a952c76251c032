import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { end } from '../support/start.ts';
import { startLargeProgram } from './large-program.ts';
import { median } from './report.ts';

// npm run bench:views: how long the views of the pages take with 10,000 advocates and 200,000 referrals until their
// numbers are shown, beside the slowest request of each view without a browser.

const ADVOCATES = 10_000;
const REFERRALS_EACH = 20;
const ROUNDS = 5;

/** The views of the dashboard and the text of the first row or number that each must show. */
const VIEWS = {
  overview: '.stat-value',
  referrals: 'table[aria-label=Referrals] tbody tr',
  advocates: 'table[aria-label=Advocates] tbody tr',
  money: 'table[aria-label=Statements] tbody tr',
};

const folder = await mkdtemp(join(tmpdir(), 'page-times-'));
const started = performance.now();
const { service, token, affiliateToken } = await startLargeProgram(folder, ADVOCATES, REFERRALS_EACH);
console.log(`Filled in ${Math.round((performance.now() - started) / 1000)} s.`);
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const rows: Record<string, object> = {};
  for (const [view, selector] of Object.entries(VIEWS)) {
    rows[`dashboard, ${view}`] = await measure('dashboard', token, `#/${view}`, selector);
  }
  rows['portal'] = await measure('portal', affiliateToken, '', '.stat-value');
  console.table(rows);
} finally {
  await browser.close();
  await end(service, 'SIGTERM');
  await rm(folder, { recursive: true });
}

/** The medians of several openings in milliseconds. */
async function measure(path: string, secret: string, hash: string, selector: string) {
  const key = `referral-${path}-token`;
  const times: Opening[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.newPage();
    await page.addInitScript(`sessionStorage.setItem('${key}', '${secret}')`);
    times.push(await open(page, `${service.url}/${path}${hash}`, selector));
    await page.close();
  }
  const middle = (of: (opening: Opening) => number) => Math.round(median(times.map(of)));
  return {
    'numbers, ms': middle(({ shown }) => shown),
    'everything, ms': middle(({ complete }) => complete),
    'slowest request alone, ms': Math.round(await slowest(times[0]?.requests ?? [], secret)),
    requests: times[0]?.requests.length,
  };
}

interface Opening {
  /** Until the first numbers are shown. */
  readonly shown: number;
  /** Until nothing is being read. */
  readonly complete: number;
  readonly requests: readonly string[];
}

async function open(page: Page, url: string, selector: string): Promise<Opening> {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (/\/v\d\//.test(request.url()) && request.method() === 'GET') requests.push(request.url());
  });
  const start = performance.now();
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  const shown = performance.now() - start;
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  return { shown, complete: performance.now() - start, requests };
}

/** The time of the slowest of some requests, one after the other, without a browser. */
async function slowest(urls: readonly string[], secret: string): Promise<number> {
  let longest = 0;
  for (const url of urls) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      await (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).arrayBuffer();
      times.push(performance.now() - start);
    }
    longest = Math.max(longest, median(times));
  }
  return longest;
}
