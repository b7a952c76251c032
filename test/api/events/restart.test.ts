import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startEngine } from '../../../bin/local/engine.ts';
import { EventsFile } from '../../../bin/local/events/file.ts';
import { LocalQueue } from '../../../bin/local/events/queue.ts';
import { systemClock } from '../../../functions/domain/time.ts';
import { webhookOwner } from '../../../functions/secrets/secrets.ts';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { anEventScene, change, convert, VerifyingReceiver } from '../../support/events/event-service.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';
import { openPatiently } from '../../support/table.ts';

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

async function startWithEndpoint() {
  const started = await start(environment);
  return { started, scene: await anEventScene(environment.DATA_DIR, url) };
}
const idsOf = ({ received }: VerifyingReceiver) => received.map(({ id }) => id);

describe('npm start', () => {
  test('delivers each change to an endpoint, with an id that counts the changes', async () => {
    const { started, scene } = await startWithEndpoint();
    const { id, email } = await convert(started, scene);
    await change(started, scene, '/v2/tracking/state', { email, state: 'paid' });
    await Promise.all([receiver.waitFor(`${id}.1`), receiver.waitFor(`${id}.2`)]);
    expect(receiver.received.map((delivery) => [delivery.id, delivery.type]).toSorted()).toEqual([
      [`${id}.1`, 'referral.converted'],
      [`${id}.2`, 'referral.paid'],
    ]);
    expect(await end(started, 'SIGTERM')).toBe(0);
  });

  test('delivers what another process adds to its queue', async () => {
    const { started, scene } = await startWithEndpoint();
    const file = new EventsFile(environment.DATA_DIR);
    const message = { ...aQueuedMessage(scene.webhook, 7), program: scene.program };
    await new LocalQueue(file, systemClock).send([{ message, delay: 0 }]);
    file.close();
    await receiver.waitFor('a-referral.7');
    await end(started, 'SIGTERM');
  });

  test('postpones a delivery whose secret cannot be read, and logs which file is damaged and what to do', async () => {
    const { started, scene } = await startWithEndpoint();
    const secrets = join(environment.DATA_DIR, 'secrets', webhookOwner(scene.program, scene.webhook));
    const [name = ''] = await readdir(secrets);
    const damaged = join(secrets, name);
    await writeFile(damaged, 'damaged');
    const { stderr } = started.process;
    const log = stderr && text(stderr);
    await convert(started, scene);
    const file = new EventsFile(environment.DATA_DIR);
    const count = 'SELECT count(*) AS count FROM message WHERE body LIKE ? OR receives > 0 AND in_flight = 0';
    const ended = () => file.read((database) => database.prepare(count).get('%postponedSince%'))?.['count'] === 1;
    while (!ended()) await setImmediate();
    const bodies = file.read((database) => database.prepare('SELECT body FROM message').all());
    file.close();
    expect(bodies.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      { attempt: 1, postponedSince: expect.any(Number) },
    ]);
    await end(started, 'SIGTERM');
    expect(await log).toContain(
      `reason: 'The secret ${damaged} cannot be read. Make it readable; or delete it, then run webhook rotate or stripe connect.'`,
    );
  });

  test('switches the stream on for a table of an earlier version', async () => {
    const engine = await startEngine(join(environment.DATA_DIR, 'dynamodb.sqlite'));
    const table = openPatiently('referral-tracking', engine.endpoint);
    await createMissingTable(table);
    table.client.destroy();
    await engine.stop();
    const { started, scene } = await startWithEndpoint();
    await receiver.waitFor((await convert(started, scene)).event);
    await end(started, 'SIGTERM');
  });
});

describe('kill -9 of the service', () => {
  test('between changes and their delivery loses no event', async () => {
    const { started, scene } = await startWithEndpoint();
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

  test('during a delivery delivers the event again, with the same id', async () => {
    const { started, scene } = await startWithEndpoint();
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

test('a stop does not wait for an endpoint that hangs: the next start delivers its events', async () => {
  const { started, scene } = await startWithEndpoint();
  receiver.isHanging = true;
  const { event } = await convert(started, scene);
  await receiver.waitFor(event);
  expect(await end(started, 'SIGINT')).toBe(0);
  receiver.isHanging = false;
  const again = await start(environment);
  await receiver.waitFor(event, 2);
  await end(again, 'SIGTERM');
});
