import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PROGRAM } from '../../functions/openapi/records.ts';
import { runAdmin } from '../support/admin.ts';
import { end, start } from '../support/start.ts';

// npm run pictures: takes the pictures of the pages in the documents, on a service with the demo's data.

/** The views of each page: the name of the picture, and the address. */
const VIEWS = {
  portal: [
    ['home', '#/home'],
    ['links', '#/links'],
    ['referrals', '#/referrals'],
    ['earnings', '#/earnings'],
    ['account', '#/account'],
  ],
  dashboard: [
    ['overview', '#/overview'],
    ['advocates', '#/advocates'],
    ['advocate', '#/advocates/amara-okafor'],
    ['applications', '#/applications'],
    ['referrals', '#/referrals'],
    ['referral', '#/referrals'],
    ['payouts', '#/payouts'],
    ['settings', '#/settings/brand'],
    ['developers', '#/developers/script'],
  ],
} as const;

const SCREENS = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const satisfies Record<string, BrowserContextOptions>;

const DOCS = join(import.meta.dirname, '../../docs');
const PICTURES = join(DOCS, 'pictures');

const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
const service = await start({ DATA_DIR: folder });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await rm(PICTURES, { recursive: true, force: true });
  await mkdir(PICTURES);
  const program = await newProgram();
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const kind of ['portal', 'dashboard'] as const) {
      const link = kind === 'portal' ? printed(/^Advocate's page: +(\S+)/m) : await dashboardOf(PROGRAM.id);
      const page = await open(link, options);
      for (const [name, hash] of VIEWS[kind]) {
        await page.evaluate(`location.hash = '${hash}'`);
        await settle(page);
        if (name === 'referral') await page.getByRole('table', { name: 'Referrals' }).getByRole('link').first().click();
        await settle(page);
        await page.screenshot({ path: join(PICTURES, `${kind}-${name}-${screen}.png`) });
      }
      await page.close();
    }
    for (const [name, link] of [
      ['portal-sign-in', printed(/^Account by email: +(\S+)/m)],
      ['dashboard-start', await dashboardOf(program)],
    ] as const) {
      const page = await open(link, options);
      await page.screenshot({ path: join(PICTURES, `${name}-${screen}.png`) });
      await page.close();
    }
  }
  await takeDemo();
} finally {
  await browser.close();
  await end(service, 'SIGTERM');
  await rm(folder, { recursive: true });
}

async function open(link: string, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage({ ...options, locale: 'en-US', reducedMotion: 'reduce' });
  await page.goto(link);
  await settle(page);
  return page;
}

/** Waits until a view has read what it shows. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Creates a program without anything. Returns its id. */
async function newProgram(): Promise<string> {
  const site = ['--site-url', 'https://beans.example', '--commission-percentage', '20'];
  return (await admin('program', 'create', '--name', 'Beans & Co', ...site)).id;
}

/** A link to the dashboard of a program. It signs in once. */
async function dashboardOf(program: string): Promise<string> {
  return (await admin('dashboard', '--program', program, '--base-url', service.url)).url;
}

async function admin(...args: readonly string[]) {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = await runAdmin([...args, '--json'], { PATH, DATA_DIR: folder });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
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
  for (const frame of frames) await frame.getByRole('link', { name: 'Referrals', exact: true }).click();
  await page.getByRole('button', { name: 'Simulate a payment' }).click();
  const row = { hasText: 'ada@shop.example' };
  for (const frame of frames) await frame.getByRole('row').filter(row).getByText('Paying').waitFor();
  await page.screenshot({ path: join(DOCS, 'demo.png') });
  await page.close();
}

function printed(pattern: RegExp): string {
  const [, found] = pattern.exec(service.printed) ?? [];
  if (found === undefined) throw new Error(`npm start does not print ${pattern}.`);
  return found;
}
