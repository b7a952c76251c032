import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // So that one server has many domains. RFC 2606 keeps .test for tests; co.uk is a public suffix of two labels.
  '--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.example.co.uk 127.0.0.1',
];

/** Playwright waits without a limit of its own: the `testTimeout` of jest is the only guard against hanging. */
const NO_TIMEOUT = 0;

/**
 * A Chromium for the tests of a file. Each page has a profile of its own (cookies, storage), which is gone after the
 * test; pages that share one are made by `page.context().newPage()`. Every host name `….test`
 * and `….example.co.uk` leads to this machine.
 */
export function useChromium() {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable(), args: FLAGS, timeout: NO_TIMEOUT });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(() => browser.close());
  return {
    newPage: async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext({
        userAgent: userAgent(browser.version().split('.')[0]),
        ...options,
      });
      context.setDefaultTimeout(NO_TIMEOUT);
      contexts.push(context);
      return context.newPage();
    },
  };
}

/**
 * A Chromium that nothing looks into, for what it does only then: prerender. Opens an address; what happens shows in the
 * requests of the page. Returns how to end it.
 */
export async function openPlainChromium(url: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const args = ['--headless', ...FLAGS, `--user-agent=${userAgent('140')}`, `--user-data-dir=${profile}`, url];
  // Detached: a group of its own, which ends as a whole.
  const child = spawn(executable(), args, { stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  return async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await rm(profile, { recursive: true, maxRetries: 10 });
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
function userAgent(major = ''): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
