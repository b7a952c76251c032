import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { portOf } from '../../bin/local/engine.ts';
import { copyWith, violations } from '../support/browser/chromium.ts';
import { becomeAdvocate, signUp, steps, useDemo } from '../support/browser/demo-page.ts';

const demo = useDemo();
const day: BrowserContextOptions = { colorScheme: 'light', viewport: { width: 1280, height: 800 } };
const night: BrowserContextOptions = { ...day, colorScheme: 'dark' };
const phone: BrowserContextOptions = { ...day, viewport: { width: 390, height: 844 } };

async function visit(path: string, options: BrowserContextOptions = day): Promise<Page> {
  // The page's Content-Security-Policy would block the script of the check.
  const page = await demo.newPage({ ...options, bypassCSP: true });
  await page.goto(`${demo.url()}${path}`);
  return page;
}

const TABS = ['Try', 'Embed', 'Operate'];
const tab = (page: Page, name: string) => page.getByRole('tab', { name });

describe.each([
  ['by day', day],
  ['by night', night],
  ['on a phone', phone],
])('%s', (_, options) => {
  test('/ breaks no accessibility rule and fits the screen', async () => {
    const page = await visit('/', options);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const name of TABS) {
      await tab(page, name).click();
      await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    }
    expect(demo.complaints).toEqual([]);
  });

  test('/demo breaks no accessibility rule, before and after a sign-up and for a new advocate', async () => {
    const page = await visit('/demo?via=amara-okafor', options);
    await steps(page, 'click recorded').waitFor();
    expect(await violations(page)).toEqual([]);
    const email = await signUp(page);
    await steps(page, `${email} → converted`).waitFor();
    await becomeAdvocate(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(demo.complaints).toEqual([]);
  });
});

test('/ copies the HTML snippet, which records a click in another page', async () => {
  const page = await visit('/', { ...day, permissions: ['clipboard-read', 'clipboard-write'] });
  const body = `<!doctype html>${await copyWith(page.getByRole('button', { name: 'Copy: HTML snippet' }))}`;
  // Chromium lets only pages of this machine load a script from it.
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const click = page.waitForResponse('**/v2/tracking/click');
  await page.goto(`http://localhost:${portOf(site)}/?via=amara-okafor`);
  expect((await (await click).allHeaders())['x-click']).toBe('recorded');
  site.closeAllConnections();
  site.close();
});

test('/ has tabs that the keyboard operates, and the address opens one', async () => {
  const page = await visit('/#operate');
  const selected = () => page.getByRole('tab', { selected: true }).textContent();
  const shown = () => page.getByRole('tabpanel').evaluateAll((panels) => panels.map(({ id }) => id));
  await tab(page, 'Operate').waitFor();
  expect([await selected(), await shown()]).toEqual(['Operate', ['operate']]);
  await tab(page, 'Operate').focus();
  for (const [key, name] of [
    ['ArrowRight', 'Try'],
    ['Home', 'Try'],
    ['End', 'Operate'],
  ] as const) {
    await page.keyboard.press(key);
    expect([await selected(), await shown(), new URL(page.url()).hash]).toEqual([
      name,
      [name.toLowerCase()],
      `#${name.toLowerCase()}`,
    ]);
    expect(await tab(page, name).evaluate((element) => element.matches(':focus'))).toBe(true);
  }
  expect(demo.complaints).toEqual([]);
});

test('/ shows all sections without JavaScript', async () => {
  const page = await demo.newPage({ ...day, javaScriptEnabled: false });
  await page.goto(`${demo.url()}/`);
  for (const name of TABS) await page.locator(`#${name.toLowerCase()} h2`).waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
});
