import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { end, endLeft, start } from '../support/start.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterEach(endLeft);
afterAll(() => rm(folder, { recursive: true }));

test('npm start prints the address of the demo with an affiliate in it, and serves it whole', async () => {
  const started = await start({ DATA_DIR: join(folder, 'demo') });
  const [, address = ''] = /^Demo site: +(\S+)$/m.exec(started.printed) ?? [];
  expect(address).toBe(`${started.url}/demo?via=amara-okafor`);
  const page = await (await fetch(address)).text();
  const addresses = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => `${started.url}${path}`);
  const answers = await Promise.all(addresses.map((each) => fetch(each)));
  expect(answers.map(({ status, url }) => [url, status])).toEqual(addresses.map((each) => [each, 200]));
  await end(started, 'SIGTERM');
});

test('the script of the page is one file in JavaScript, made once', async () => {
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

test('a start without the demo says why it is not there', async () => {
  const started = await start({ DATA_DIR: join(folder, 'none'), DEMO: 'off' });
  expect(started.printed).not.toContain(`${started.url}/demo`);
  const response = await fetch(`${started.url}/demo?via=amara-okafor`);
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('No demo here')]);
  expect((await fetch(`${started.url}/demo/referrals`)).status).toBe(404);
  await end(started, 'SIGTERM');
});
