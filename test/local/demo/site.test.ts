import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { end, killRemaining, start } from '../../support/start.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterEach(killRemaining);
afterAll(() => rm(folder, { recursive: true }));

test('npm start prints the address of the demo site with an advocate in it, and serves all its files', async () => {
  const started = await start({ DATA_DIR: join(folder, 'demo') });
  const [, address = ''] = /^Demo site: +(\S+)$/m.exec(started.printed) ?? [];
  expect(address).toBe(`${started.url}/demo?via=amara-okafor`);
  const page = await (await fetch(address)).text();
  const addresses = [...page.matchAll(/(?:src|href)="(\/[^"#]+)/g)].map(([, path]) => `${started.url}${path}`);
  const responses = await Promise.all(addresses.map((each) => fetch(each)));
  expect(responses.map(({ status, url }) => [url, status])).toEqual(addresses.map((each) => [each, 200]));
  await end(started, 'SIGTERM');
});

test('the script of the page is one JavaScript file, the same for each request', async () => {
  const started = await start({ DATA_DIR: join(folder, 'demo') });
  const scripts = await Promise.all(
    [1, 2].map(async () => {
      const response = await fetch(`${started.url}/demo/main.js`);
      return [response.headers.get('content-type'), await response.text()];
    }),
  );
  expect(scripts[0]).toEqual(scripts[1]);
  const [type, script = ''] = scripts[0] ?? [];
  expect(type).toBe('text/javascript; charset=utf-8');
  expect(script).not.toMatch(/^\s*(?:import|export)\b/m);
  expect(() => new Function(script ?? '')).not.toThrow();
  await end(started, 'SIGTERM');
});

test('with DEMO=off, /demo explains why there is no demo site, in the style of the overview', async () => {
  const started = await start({ DATA_DIR: join(folder, 'none'), DEMO: 'off' });
  expect(started.printed).not.toContain(`${started.url}/demo`);
  const response = await fetch(`${started.url}/demo?via=amara-okafor`);
  const page = await response.text();
  expect([response.status, page]).toEqual([404, expect.stringContaining('There is no demo site here.')]);
  expect(page).toContain('<link rel="stylesheet" href="/local/home.css">');
  expect((await fetch(`${started.url}/demo/join`, { method: 'POST' })).status).toBe(404);
  await end(started, 'SIGTERM');
});
