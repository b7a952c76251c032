import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Builder, By, Capabilities, Key, type WebDriver } from 'selenium-webdriver';
import { portOf } from '../../../bin/local/engine.ts';
import { TIMEOUT } from '../browser/chromium.ts';
import { type Cookie, type Engine, type Tab, until, type Visitor } from './engine.ts';
import { programOf } from './installed.ts';

/** Milliseconds for the start of a browser, which hangs if another process takes the port that the driver has chosen for it. */
const PATIENCE = 30_000;
const ATTEMPTS = 5;

/** Starts a screen for WebKit. Each visitor is a browser and a driver of its own. */
export async function startWebKit(proxyPort: number): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'webkit-'));
  const screen = spawn(programOf('WebKit', 'Xvfb'), ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(screen.stdio[3] ?? screen, 'data');
  // The sandbox does not work for root.
  const sandbox = process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {};
  const env = { PATH: process.env['PATH'], HOME: folder, DISPLAY: `:${String(display).trim()}`, ...sandbox };
  const binary = programOf('WebKit', 'MiniBrowser');
  const args = ['--enable-itp', `--proxy=http://127.0.0.1:${proxyPort}`];
  let leave: () => Promise<void> = async () => undefined;
  return {
    name: 'WebKit',
    newVisitor: async ({ refusesCookies } = {}) => {
      await leave();
      const policy = refusesCookies ? ['--cookies-policy=never'] : [];
      const session = await startSession({ binary, args: ['--automation', ...args, ...policy] }, env);
      leave = session.end;
      return visitorOf(session.driver);
    },
    // The driver's own sessions store nothing, so they have no tracking prevention with a memory.
    cookiesOfVisit: async (url, settled) => {
      const file = join(await mkdtemp(join(folder, 'visit-')), 'cookies.sqlite');
      const browser = spawn(binary, [...args, `--cookies-file=${file}`, url], { env, stdio: 'ignore' });
      await settled;
      await stop(browser);
      return storedCookies(file);
    },
    leave: () => leave(),
    stop: async () => {
      await leave();
      await stop(screen);
      await rm(folder, { recursive: true, maxRetries: 10 });
    },
  };
}

/** Starts a driver, and through it a browser. */
async function startSession(
  options: { readonly binary: string; readonly args: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<{ driver: WebDriver; end: () => Promise<void> }> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    // With another strategy, opening an address waits until all scripts of the page have loaded.
    pageLoadStrategy: 'none',
    // A script that starts during a navigation may never end. `until` starts it again.
    timeouts: { script: PATIENCE, pageLoad: TIMEOUT },
    'webkitgtk:browserOptions': options,
  });
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await freePort();
    // Detached, so that the browser can be stopped with its driver.
    const program = programOf('WebKit', 'WebKitWebDriver');
    const service = spawn(program, [`--port=${port}`], { env, stdio: 'ignore', detached: true });
    let isRunning = true;
    const exited = once(service, 'exit').finally(() => {
      isRunning = false;
    });
    const end = async () => {
      if (isRunning && service.pid !== undefined) process.kill(-service.pid, 'SIGKILL');
      await exited;
    };
    // A stopped driver fails the call that waits for it.
    const guard = setTimeout(() => void end(), PATIENCE);
    try {
      const server = `http://127.0.0.1:${port}`;
      while (isRunning && !(await isReady(server))) await pause(10);
      const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build();
      return { driver, end };
    } catch (error) {
      failure = error;
      await end();
    } finally {
      clearTimeout(guard);
    }
  }
  throw new Error('WebKit did not start.', { cause: failure });
}

async function visitorOf(driver: WebDriver): Promise<Visitor> {
  const newTab = async (): Promise<Tab> => {
    await driver.switchTo().newWindow('tab');
    return tabOf(driver, await driver.getWindowHandle());
  };
  const cookies = async () =>
    (await driver.manage().getCookies()).map(({ name, value, domain = '', expiry }) => ({
      name,
      value,
      domain,
      expires: Number(expiry),
    }));
  return { tab: tabOf(driver, await driver.getWindowHandle()), newTab, cookies };
}

function tabOf(driver: WebDriver, handle: string): Tab {
  const inTab = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await driver.switchTo().window(handle);
    return work();
  };
  const element = (selector: string) => driver.findElement(By.css(selector));
  const tab: Tab = {
    goto: async (url) => {
      await tab.evaluate('window.isLeft = true');
      await inTab(() => driver.get(url));
      await until(tab, "!window.isLeft && document.readyState !== 'loading'");
    },
    evaluate: (expression) => inTab(() => driver.executeScript(`return ${expression}`)),
    click: (selector) => inTab(() => element(selector).click()),
    type: (selector, text) => inTab(() => element(selector).sendKeys(text.replaceAll('\n', Key.ENTER))),
    close: async () => {
      await inTab(() => driver.close());
      const [other = ''] = await driver.getAllWindowHandles();
      await driver.switchTo().window(other);
    },
  };
  return tab;
}

/** Reads the file in which WebKit stores cookies. */
function storedCookies(file: string): Cookie[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT name, value, host, expiry FROM moz_cookies').all();
  database.close();
  return rows.map(({ name, value, host, expiry }) => ({
    name: String(name),
    value: String(value),
    domain: String(host),
    expires: Number(expiry),
  }));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  await once(server.close(), 'close');
  return port;
}

function isReady(server: string): Promise<boolean> {
  return fetch(`${server}/status`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
