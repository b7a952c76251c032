import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readService, ServiceFile } from '../../../bin/service/service-file.ts';
import { dayOf } from '../../../functions/domain/statistics/days.ts';
import { anEventScene, change, convert, type EventScene } from '../../support/events/event-service.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statistics-'));
});
afterEach(killRemaining);
afterAll(() => rm(folder, { recursive: true }));

/** The program's numbers of the last 30 days. */
async function totalOf({ url }: Started, token: string) {
  const response = await fetch(`${url}/v2/statistics`, { headers: { authorization: `Bearer ${token}` } });
  return JSON.parse(await response.text()).data.attributes.total;
}

/** Asks until a number of a kind was counted. */
async function waitFor(started: Started, { token }: EventScene, kind: string, count: number) {
  for (;;) {
    const total = await totalOf(started, token);
    if (total[kind] >= count) return total;
  }
}

test('npm start counts each change once, also across a kill', async () => {
  const environment = { DATA_DIR: await mkdtemp(join(folder, 'data-')), DEMO: 'off' };
  const first = await start(environment);
  const scene = await anEventScene(environment.DATA_DIR, 'http://127.0.0.1:1/nobody');
  const { email } = await convert(first, scene);
  await change(first, scene, '/v2/tracking/state', { email, state: 'paid' });
  expect(await waitFor(first, scene, 'paying', 1)).toMatchObject({ conversions: 1, paying: 1 });
  await change(first, scene, '/v2/tracking/state', { email, state: 'churned' });
  await end(first, 'SIGKILL');
  const next = await start(environment);
  expect(await waitFor(next, scene, 'churned', 1)).toMatchObject({ conversions: 1, paying: 1, churned: 1 });
  expect(await end(next, 'SIGTERM')).toBe(0);
  using file = new ServiceFile(environment.DATA_DIR);
  expect(
    file.queue
      .positions()
      .map(({ reader }) => reader)
      .sort(),
  ).toEqual(['publish', 'statistics']);
});

test('the demo has statistics, but its past is no event', async () => {
  const environment = { DATA_DIR: await mkdtemp(join(folder, 'data-')) };
  const started = await start(environment);
  const { tableName } = readService(environment.DATA_DIR) ?? {};
  expect(tableName).toBe('referral-tracking');
  const [, token = ''] = /\b(rtp_\w+)/.exec(started.printed) ?? [];
  const today = dayOf(Date.now() / 1000);
  const total = await waitFor(started, { program: '', webhook: '', token, slug: '' }, 'clicks', 20);
  expect([today.length, total.clicks]).toEqual([10, expect.any(Number)]);
  using file = new ServiceFile(environment.DATA_DIR);
  expect(file.queue.webhooks()).toEqual([]);
  await end(started, 'SIGTERM');
});
