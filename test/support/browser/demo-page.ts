import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { newId } from '../program.ts';
import { end, killRemaining, type Started, start } from '../start.ts';
import { useChromium } from './chromium.ts';
import { newDemoFolder } from './demo-folder.ts';

/** Starts the service with its demo for each test of a file, and a Chromium that opens the demo site. */
export function useDemo() {
  const chromium = useChromium();
  const complaints: string[] = [];
  let folder: string;
  let started: Started;
  beforeAll(async () => {
    folder = await newDemoFolder();
  });
  beforeEach(async () => {
    complaints.length = 0;
    started = await start({ DATA_DIR: folder });
  });
  afterEach(killRemaining);
  afterAll(() => rm(folder, { recursive: true }));
  const printedAddress = () => /^Demo site: +(\S+)$/m.exec(started.printed)?.[1] ?? '';
  async function newPage(options?: BrowserContextOptions): Promise<Page> {
    const page = await chromium.newPage({ locale: 'en-US', ...options });
    page.on('console', (message) => {
      // Some tests provoke 4xx responses of the service.
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${started.url}/`)) complaints.push(request.url());
    });
    return page;
  }
  return {
    url: () => started.url,
    dataDir: () => folder,
    /** The address that `npm start` prints. */
    printedAddress,
    /** The affiliate token that `npm start` prints. */
    affiliateToken: () => /^Affiliate token: +(\S+)/m.exec(started.printed)?.[1] ?? '',
    /** Reads from the API with the program token. Resolves to the `data` of the response. */
    read: async <Data>(path: string): Promise<Data> => {
      const [, token = ''] = /^Program token: +(\S+)$/m.exec(started.printed) ?? [];
      const response = await fetch(`${started.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { data: Data }).data;
    },
    stop: () => end(started, 'SIGTERM'),
    startAgain: async () => {
      started = await start({ DATA_DIR: folder, PORT: new URL(started.url).port });
    },
    /** Errors of the pages, violations of their Content-Security-Policy, and requests to other hosts. */
    complaints,
    newPage,
    /** Opens the demo site at the printed address, and waits until the click is recorded. */
    visit: async (options?: BrowserContextOptions): Promise<Page> => {
      const page = await newPage(options);
      await page.goto(printedAddress());
      await steps(page, 'click recorded').waitFor();
      return page;
    },
  };
}

/** The steps in the activity log that contain a text. */
export const steps = (page: Page, text: string) =>
  page.getByRole('log', { name: 'Activity' }).getByRole('listitem').filter({ hasText: text });
/** The advocate's page in its frame. */
export const portal = (page: Page) => page.frameLocator('iframe[title="Advocate’s page"]');
/** The merchant's page in its frame. */
export const dashboard = (page: Page) => page.frameLocator('iframe[title="Merchant’s dashboard"]');
/** Opens the list of referrals in a page. */
export const openReferrals = (frame: FrameLocator) =>
  frame.getByRole('link', { name: 'Referrals', exact: true }).click();
/** The row of a referral in that list. */
export const rowOf = (frame: FrameLocator, text: string) =>
  frame.getByRole('table', { name: 'Referrals', exact: true }).getByRole('row').filter({ hasText: text });
/** The messages to the visitor that contain a text. */
export const message = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
export const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** Signs up with the keyboard, by default as a new customer. Returns the email. */
export async function signUp(page: Page, email = `ada-${newId().slice(-12)}@shop.example`): Promise<string> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Email', { exact: true }).press('Enter');
  return email;
}

/** Fills in the form with which a visitor becomes an advocate. Returns the email. */
export async function fillJoinForm(page: Page): Promise<string> {
  const email = `${newId().slice(-12)}@partners.example`;
  await page.getByLabel('First name', { exact: true }).fill('Ada');
  await page.getByLabel('Last name', { exact: true }).fill('Lovelace');
  await page.getByLabel('Your email').fill(email);
  return email;
}

/** Becomes an advocate with the keyboard. Returns the email. */
export async function becomeAdvocate(page: Page): Promise<string> {
  const email = await fillJoinForm(page);
  await page.getByLabel('Your email').press('Enter');
  await steps(page, 'The shop opened your page').waitFor();
  return email;
}

/**
 * Holds the requests to an address until the test calls `release`; later requests pass. `held` resolves once the first
 * request is held.
 */
export async function hold(page: Page, address: string): Promise<{ held: Promise<void>; release: () => void }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(address, async (route) => {
    held.resolve();
    await released.promise;
    await route.continue();
  });
  return { held: held.promise, release: released.resolve };
}
