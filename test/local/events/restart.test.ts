import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startEngine } from '../../../bin/local/engine.ts';
import { ServiceFile } from '../../../bin/service/service-file.ts';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { anEventScene, change, convert, VerifyingReceiver } from '../../support/events/event-service.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';
import { openTable } from '../../support/table.ts';

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
  test('npm start delivers each change to a webhook, with an id that counts the changes', async () => {
    const { started, scene } = await startWithWebhook();
    const { id, email } = await convert(started, scene);
    await change(started, scene, '/v2/tracking/state', { email, state: 'paid' });
    await Promise.all([receiver.waitFor(`${id}.1`), receiver.waitFor(`${id}.2`)]);
    expect(receiver.received.map((delivery) => [delivery.id, delivery.type]).toSorted()).toEqual([
      [`${id}.1`, 'referral.converted'],
      [`${id}.2`, 'referral.paid'],
    ]);
    expect(await end(started, 'SIGTERM')).toBe(0);
    // A new file of the engine already has the index of its stream.
    using database = new DatabaseSync(join(environment.DATA_DIR, 'dynamodb.sqlite'));
    expect(database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'stream_order'").all()).toHaveLength(1);
  });

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

  test('npm start delivers what another process adds to its queue', async () => {
    const { started, scene } = await startWithWebhook();
    using file = new ServiceFile(environment.DATA_DIR);
    await file.queue.send([{ message: { ...aQueuedMessage(scene.webhook, 7), program: scene.program }, delay: 0 }]);
    await receiver.waitFor('a-referral.7');
    await end(started, 'SIGTERM');
  });

  test('npm start switches the stream on for a table of an earlier version', async () => {
    const engine = await startEngine(join(environment.DATA_DIR, 'dynamodb.sqlite'));
    const table = openTable('referral-tracking', engine.endpoint);
    await createMissingTable(table);
    table.client.destroy();
    await engine.stop();
    const { started, scene } = await startWithWebhook();
    await receiver.waitFor((await convert(started, scene)).event);
    await end(started, 'SIGTERM');
  });
});

describe('kill -9 of the service', () => {
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

  test('an event is redelivered with the same id if the service is killed during its delivery', async () => {
    const { started, scene } = await startWithWebhook();
    receiver.isHanging = true;
    const { event } = await convert(started, scene);
    await receiver.waitFor(event);
    await end(started, 'SIGKILL');
    receiver.isHanging = false;
    const again = await start(environment);
    await receiver.waitFor(event, 2);
    expect(idsOf(receiver)).toEqual([event, event]);
    await end(again, 'SIGTERM');
  });
});

test('a stop does not wait for a hanging receiver, and the next start delivers its events', async () => {
  const { started, scene } = await startWithWebhook();
  receiver.isHanging = true;
  const { event } = await convert(started, scene);
  await receiver.waitFor(event);
  expect(await end(started, 'SIGINT')).toBe(0);
  receiver.isHanging = false;
  const again = await start(environment);
  await receiver.waitFor(event, 2);
  await end(again, 'SIGTERM');
});
