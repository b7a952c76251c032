import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // RFC 2606 keeps .test for tests: every such host is this machine, so that one server has many domains.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/**
 * A Chromium for the tests of a file. Each page has a profile of its own (cookies, storage), which is gone after the
 * test; pages that share one are made by `page.context().newPage()`. Every host name `….test` leads to this machine.
 */
export function useChromium() {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable(), args: FLAGS });
  }, 60_000);
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(() => browser.close());
  return {
    newPage: async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext({ userAgent: userAgent(browser.version()), ...options });
      contexts.push(context);
      return context.newPage();
    },
  };
}

/** `CHROMIUM`, else the one that is on the `PATH`. */
function executable(): string {
  const { CHROMIUM, PATH = '' } = process.env;
  const found =
    CHROMIUM ??
    PATH.split(delimiter)
      .map((folder) => join(folder, 'chromium'))
      .find(existsSync);
  if (!found) throw new Error('There is no Chromium: install the package chromium, or name one in CHROMIUM.');
  return found;
}

/** What Chromium says of itself with a window: headless it calls itself HeadlessChrome, which the service takes for a bot. */
function userAgent(version: string): string {
  const [major] = version.split('.');
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
