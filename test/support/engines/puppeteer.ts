import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type LaunchOptions, launch, type Page } from 'puppeteer-core';
import { chromiumPath, FLAGS, TIMEOUT, userAgent } from '../browser/chromium.ts';
import type { Engine, Settings, Tab, Visitor } from './engine.ts';
import { programOf } from './installed.ts';

type Name = 'Chromium' | 'Firefox';

/** Starts Chromium or Firefox. */
export async function startPuppeteer(name: Name, proxyPort: number): Promise<Engine> {
  const options = name === 'Chromium' ? chromium : firefox;
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const browser = await launch(await options(proxyPort, join(folder, 'plain'), {}));
  let leave: () => Promise<unknown> = async () => undefined;
  const endVisit = () => {
    const end = leave;
    leave = async () => undefined;
    return end();
  };
  const newVisitor = async (settings: Settings = {}): Promise<Visitor> => {
    await endVisit();
    // These settings apply to a whole browser.
    if (settings.refusesCookies || (settings.globalPrivacyControl && name === 'Firefox')) {
      const special = await launch(await options(proxyPort, join(folder, Object.keys(settings).join()), settings));
      leave = () => special.close();
      return visitorIn(special.defaultBrowserContext());
    }
    const context = await browser.createBrowserContext();
    leave = () => context.close();
    return visitorIn(context);
  };
  return {
    name,
    newVisitor,
    cookiesOfVisit: async (url, settled) => {
      const { tab, cookies } = await newVisitor();
      await tab.goto(url);
      await settled;
      return cookies();
    },
    leave: endVisit,
    stop: async () => {
      await endVisit();
      await browser.close();
      await rm(folder, { recursive: true, maxRetries: 10 });
    },
  };
}

const common = { headless: true, timeout: TIMEOUT, protocolTimeout: TIMEOUT } satisfies LaunchOptions;

async function chromium(proxyPort: number, profile: string, settings: Settings): Promise<LaunchOptions> {
  const blockCookies = { profile: { default_content_setting_values: { cookies: 2 } } };
  await mkdir(join(profile, 'Default'), { recursive: true });
  if (settings.refusesCookies) {
    await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(blockCookies));
  }
  const args = [...FLAGS, `--proxy-server=127.0.0.1:${proxyPort}`, `--user-agent=${userAgent('140')}`];
  return { ...common, browser: 'chrome', executablePath: chromiumPath('chromium'), userDataDir: profile, args };
}

async function firefox(proxyPort: number, profile: string, settings: Settings): Promise<LaunchOptions> {
  await mkdir(profile, { recursive: true });
  return {
    ...common,
    browser: 'firefox',
    executablePath: programOf('Firefox', 'firefox-esr'),
    env: { ...process.env, HOME: profile },
    extraPrefsFirefox: {
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': proxyPort,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': proxyPort,
      // Firefox downloads no lists.
      'services.settings.server': 'data:,',
      'privacy.globalprivacycontrol.enabled': settings.globalPrivacyControl ?? false,
      // 2 refuses all cookies, 5 (the default) separates the cookies of other sites.
      'network.cookie.cookieBehavior': settings.refusesCookies ? 2 : 5,
    },
  };
}

async function visitorIn(context: BrowserContext): Promise<Visitor> {
  const newTab = async (): Promise<Tab> => {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    return tabOf(page);
  };
  return { tab: await newTab(), newTab, cookies: () => context.cookies() };
}

const tabOf = (page: Page): Tab => ({
  goto: async (url) => {
    await page.goto(url, { waitUntil: 'domcontentloaded' });
  },
  evaluate: async <Value>(expression: string) => (await page.evaluate(expression)) as Value,
  click: (selector) => page.click(selector),
  type: (selector, text) => page.type(selector, text),
  close: () => page.close(),
});
