import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';

/** The arguments of every Chromium of the tests. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One server has many domains. RFC 2606 reserves .test for tests.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/** Milliseconds after which a step fails and names what it waited for: before jest's `testTimeout`, which names only the test. */
export const TIMEOUT = 240_000;

/**
 * Starts a Chromium for the tests of a file. Each page has its own profile (cookies, storage) until the test ends; use
 * `page.context().newPage()` for pages that share one. Every host name `….test` resolves to this machine.
 */
export function useChromium() {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    // The headless shell takes a seventh of the processor time for each page.
    const executablePath = chromiumPath('chromium-headless-shell', 'chromium');
    browser = await chromium.launch({ executablePath, args: FLAGS, timeout: TIMEOUT });
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
      context.setDefaultTimeout(TIMEOUT);
      contexts.push(context);
      return context.newPage();
    },
  };
}

/**
 * Opens an address in a Chromium without a debugger, because a connected debugger hinders prerendering. Tests observe the
 * requests of the page. Returns the function that stops Chromium.
 */
export async function openChromium(url: string, ...more: readonly string[]): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const args = ['--headless', ...FLAGS, ...more, `--user-agent=${userAgent('140')}`, `--user-data-dir=${profile}`, url];
  // Detached, so that its whole process group can be stopped.
  const child = spawn(chromiumPath('chromium'), args, { stdio: 'ignore', detached: true });
  const exited = once(child, 'exit');
  return async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await exited;
    await rm(profile, { recursive: true, maxRetries: 10 });
  };
}

/** Returns the path in `CHROMIUM`, or else the first of these programs on the `PATH`. */
export function chromiumPath(...names: readonly string[]): string {
  const { CHROMIUM, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const found = CHROMIUM ?? names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (!found) throw new Error('Chromium was not found. Install the package chromium, or set CHROMIUM to its path.');
  return found;
}

/** The user agent of a Chromium with a window: the service classifies HeadlessChrome as a bot. */
export function userAgent(major = ''): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The accessibility rules that a page breaks, each with an element that breaks it, as `rule: selector`. */
export async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const results: AxeResults = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}

/** Presses a button that copies a text. Resolves to the text in the clipboard. */
export async function copyWith(button: Locator): Promise<string> {
  const page = button.page();
  // "Copied" disappears after 2.5 seconds, so the wait starts before the press.
  await Promise.all([page.getByRole('status').filter({ hasText: 'Copied' }).waitFor(), button.click()]);
  return page.evaluate('navigator.clipboard.readText()');
}
