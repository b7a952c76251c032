import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useChromium } from './chromium.ts';
import { newId } from './program.ts';
import { end, endLeft, type Started, start } from './start.ts';

/** A service with its demo for each test of a file, and Chromium to look at its page. */
export function useDemo() {
  const chromium = useChromium();
  const complaints: string[] = [];
  let folder: string;
  let started: Started;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-page-'));
  });
  beforeEach(async () => {
    complaints.length = 0;
    started = await start({ DATA_DIR: folder });
  });
  afterEach(endLeft);
  afterAll(() => rm(folder, { recursive: true }));
  return {
    url: () => started.url,
    /** The address that the start-up prints. */
    printedAddress: () => /^Demo site: +(\S+)$/m.exec(started.printed)?.[1] ?? '',
    /** The token of the merchant's server that the start-up prints. */
    programToken: () => /^Program token: +(\S+)$/m.exec(started.printed)?.[1] ?? '',
    stop: () => end(started, 'SIGTERM'),
    startAgain: async () => {
      started = await start({ DATA_DIR: folder, PORT: new URL(started.url).port });
    },
    /** What pages did that they should not: failed, met their policy, asked elsewhere. */
    complaints,
    newPage: async (options?: BrowserContextOptions): Promise<Page> => {
      const page = await chromium.newPage(options);
      page.on('console', (message) => {
        // FailedConditions of the service are what some tests are about.
        if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(`${started.url}/`)) complaints.push(request.url());
      });
      return page;
    },
  };
}

/** What just happened, line by line. */
export const steps = (page: Page, text: string) =>
  page.getByRole('log', { name: 'What just happened' }).getByRole('listitem').filter({ hasText: text });
/** The row of the affiliate's table that holds a text. */
export const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
/** The row of the visitor who looks at the page. */
export const ownRow = (page: Page) => page.getByRole('row').filter({ has: page.getByText('you', { exact: true }) });
/** Where the page speaks to the person. */
export const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
export const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** Signs up by the keyboard, as someone new if no email is given. Returns the email. */
export async function signUp(page: Page, email = `ada-${newId().slice(-12)}@shop.example`): Promise<string> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Email').press('Enter');
  return email;
}
