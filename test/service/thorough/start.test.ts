import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readService } from '../../../bin/service/service-file.ts';
import { end, killRemaining, start, waitUntilClosed } from '../../support/start.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
});
afterAll(async () => {
  await killRemaining();
  await rm(folder, { recursive: true });
});

test('npm start prints links and tokens only, answers requests, and stops its engine when it ends', async () => {
  const started = await start({ DATA_DIR: folder });
  const lines = started.printed.trimEnd().split('\n');
  expect(lines.at(-1)).toBe(`Ready on ${started.url}`);
  const shown = lines.slice(0, -1).filter((line) => line !== '');
  expect(shown.map((line) => line.split(':')[0])).toEqual([
    'Overview',
    'Demo site',
    "Advocate's page",
    'Dashboard',
    'Account by email',
    'Dashboard by email',
    'Emails',
    'API reference',
    'Log of requests',
    'Program token',
    'Affiliate token',
  ]);
  const [token = ''] = /\brtp_\w+/.exec(shown.find((line) => line.startsWith('Program token')) ?? '') ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${started.url}/v2/advocates/amara-okafor`, { headers });
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { data: { attributes: { slug: 'amara-okafor' } } },
  ]);

  const endpoint = readService(folder)?.endpoint ?? '';
  expect(await end(started, 'SIGTERM')).toBe(0);
  await waitUntilClosed(endpoint);
});
