import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  anEventScene,
  change,
  convert,
  type EventScene,
  VerifyingReceiver,
} from '../../support/events/event-service.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';
import { until } from '../../support/until.ts';

let folder: string;
let environment: { DATA_DIR: string; DEMO: string };
let receiver: VerifyingReceiver;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'events-'));
});
beforeEach(async () => {
  environment = { DATA_DIR: await mkdtemp(join(folder, 'data-')), DEMO: 'off' };
  receiver = new VerifyingReceiver();
  url = await receiver.listen();
});
afterEach(async () => {
  await killRemaining();
  receiver.close();
  expect(receiver.faults).toEqual([]);
});
afterAll(() => rm(folder, { recursive: true }));

async function startWithWebhook() {
  const started = await start(environment);
  return { started, scene: await anEventScene(environment.DATA_DIR, url) };
}
const idsOf = ({ received }: VerifyingReceiver) => received.map(({ id }) => id);

describe('npm start with events', () => {
  test('npm start prints a failing webhook, and with LOG=requests each request', async () => {
    const started = await start({ ...environment, LOG: 'requests' });
    const [stdout, stderr] = [started.process.stdout, started.process.stderr].map((stream) =>
      createInterface({ input: stream ?? process.stdin }),
    );
    const [requested, failed] = [stdout, stderr].map((lines) => once(lines ?? process, 'line'));
    const scene = await anEventScene(environment.DATA_DIR, 'http://127.0.0.1:9/secret?token=secret');
    await convert(started, scene);
    expect(await requested).toEqual([expect.stringMatching(/^[\dT:.-]+Z POST \/v2\/tracking\/conversion 201 \d+ ms$/)]);
    const reason = 'connection_failed (referral.converted, attempt 1)';
    expect(await failed).toEqual([`The webhook ${scene.webhook} failed: ${reason}.`]);
    await end(started, 'SIGTERM');
  });
});

describe('the end of the service', () => {
  test('no event is lost if the service is killed between changes and their delivery', async () => {
    const { started, scene } = await startWithWebhook();
    let running: Started = started;
    const expected: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const converted = await Promise.all(Array.from({ length: 3 }, () => convert(running, scene)));
      await end(running, 'SIGKILL');
      expected.push(...converted.map(({ event }) => event));
      running = await start(environment);
    }
    for (const event of expected) await receiver.waitFor(event);
    expect(new Set(idsOf(receiver))).toEqual(new Set(expected));
    await end(running, 'SIGTERM');
  });

  test.each<NodeJS.Signals>(['SIGKILL', 'SIGINT'])(
    'an event is redelivered with the same id if %s ends the service during its delivery',
    async (signal) => {
      const { started, scene } = await startWithWebhook();
      receiver.isHanging = true;
      const { event } = await convert(started, scene);
      await receiver.waitFor(event);
      // A stop does not wait for a hanging receiver.
      expect(await end(started, signal)).toBe(signal === 'SIGKILL' ? null : 0);
      receiver.isHanging = false;
      const again = await start(environment);
      await receiver.waitFor(event, 2);
      expect(idsOf(receiver)).toEqual([event, event]);
      await end(again, 'SIGTERM');
    },
  );
});

/** Asks for the program's numbers of the last 30 days until a number of a kind was counted. */
async function waitFor({ url: address }: Started, { token }: EventScene, kind: string, count: number) {
  let total: Record<string, number> = {};
  await until(async () => {
    const response = await fetch(`${address}/v2/statistics`, { headers: { authorization: `Bearer ${token}` } });
    total = JSON.parse(await response.text()).data.attributes.total;
    return (total[kind] ?? 0) >= count;
  });
  return total;
}

test('npm start counts each change once, also across a kill', async () => {
  const { started: first, scene } = await startWithWebhook();
  const { email } = await convert(first, scene);
  await change(first, scene, '/v2/tracking/state', { email, state: 'paid' });
  expect(await waitFor(first, scene, 'paying', 1)).toMatchObject({ conversions: 1, paying: 1 });
  await change(first, scene, '/v2/tracking/state', { email, state: 'churned' });
  await end(first, 'SIGKILL');
  const next = await start(environment);
  expect(await waitFor(next, scene, 'churned', 1)).toMatchObject({ conversions: 1, paying: 1, churned: 1 });
  expect(await end(next, 'SIGTERM')).toBe(0);
});
