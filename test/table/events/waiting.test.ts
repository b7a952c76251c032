import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import type { Random } from '../../../functions/domain/ids.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { countAttempt } from '../../../functions/table/attempts.ts';
import { deleteWebhook } from '../../../functions/table/webhooks.ts';
import { UNDELIVERED } from '../../bench/costs.ts';
import { Sqs, VISIBILITY } from '../../support/events/sqs.ts';
import { metered } from '../../support/meter.ts';
import { DeliveryScene } from '../../support/table/delivery.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const HOUR = 3_600_000;
let scene: DeliveryScene;
let sqs: Sqs;
let logged: unknown[][];

async function prepare(random?: Random) {
  sqs = await Sqs.start(() => scene.now);
  scene = await DeliveryScene.create(table, { sqs, ...(random && { random }) });
  down();
}
beforeEach(async () => {
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined).mock.calls;
  await prepare();
});
afterEach(() => {
  jest.restoreAllMocks();
});

function down(headers: Record<string, string> = {}) {
  scene.respond = (response) => response.writeHead(503, headers).end();
}
const errors = () => logged.map(([entry]) => Object(entry).error);

/** Adds the first message of an event, as `publish` does. */
const publish = () => sqs.queue('deliveries').send([{ message: scene.message(), delay: 0 }]);

/** Delivers all messages of the queues when they are visible. `held` is how long Lambda keeps a message, in milliseconds. */
async function drain(held = 0): Promise<void> {
  const call = (event: SQSEvent) => {
    scene.now = milliseconds(scene.now + held);
    return scene.handler(event);
  };
  for (const name of ['deliveries', 'retries']) {
    for (let at = sqs.nextAt(name); at !== undefined; at = sqs.nextAt(name)) {
      scene.now = milliseconds(at);
      await sqs.dispatch(name, call);
    }
  }
}

describe('events whose ten attempts fail', () => {
  test.each([
    ['shortest', 0x00],
    ['average', 0x80],
    ['longest', 0xff],
  ])('an event that fails takes 20 requests to the queue for waiting, with the %s delays', async (_, byte) => {
    await prepare((count) => new Uint8Array(count).fill(byte));
    await publish();
    await drain();
    expect(await scene.deliveries()).toHaveLength(10);
    const waits = { received: sqs.requests['ReceiveMessage'] ?? 0, hidden: sqs.requests['ChangeMessageVisibility'] };
    // Besides them, each attempt is sent, received and deleted.
    expect(waits).toEqual({ received: 10 + 10, hidden: 10 });
    expect(sqs.requests).toMatchObject({ SendMessageBatch: 10 + 1, DeleteMessage: 10 });
    expect(errors()).toEqual(['dead_letter']);
  });

  test('an event that fails takes the requests and capacity of the cost tables, after ten other failures', async () => {
    const { program, webhook, now } = scene;
    for (let failure = 0; failure < 10; failure += 1) {
      await countAttempt(scene.table, program.id, webhook.id, { status: 503, startedAt: now, url: webhook.url });
    }
    await publish();
    const { readUnits, writeUnits } = await metered(scene.table, () => drain());
    // The first message was sent by `publish`.
    const queueRequests = Object.values(sqs.requests).reduce((sum, count) => sum + count, 0) - 1;
    expect(UNDELIVERED).toMatchObject({ readUnits, writeUnits, queueRequests });
    expect(sqs.requests).toMatchObject({ ReceiveMessage: UNDELIVERED.attempts + UNDELIVERED.earlyCalls });
  });

  test('an event receives no message more than three times, so that waiting makes no dead letter', async () => {
    await publish();
    await drain();
    expect(sqs.mostReceives).toBe(3);
  });

  test('an event waits as long if Lambda holds each message for nearly the visibility timeout', async () => {
    await publish();
    await drain(VISIBILITY - 1);
    expect(await scene.deliveries()).toHaveLength(10);
    expect(errors()).toEqual(['dead_letter']);
    expect(sqs.mostReceives).toBe(3);
  });
});

test('an attempt is made when it is due: after a day if the receiver asks for it, at the cost of 36 requests', async () => {
  const times: number[] = [];
  scene.respond = (response) => {
    times.push(scene.now);
    response.writeHead(429, { 'retry-after': '86400' }).end();
  };
  await publish();
  await drain();
  const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(delays).toEqual(Array.from({ length: 9 }, () => 24 * HOUR));
  expect(sqs.requests).toMatchObject({ ReceiveMessage: 10 + 18, ChangeMessageVisibility: 18 });
  expect(sqs.mostReceives).toBe(3);
});

describe('messages that are not due', () => {
  const notDue = () => scene.message({ attempt: 4, due: milliseconds(scene.now + 2 * HOUR) });

  test('a message in the queue of first attempts, as an earlier version left it, is added to the retries', async () => {
    await sqs.queue('deliveries').send([{ message: notDue(), delay: 900 }]);
    await drain();
    expect(errors()).toEqual(['retry_not_hidden', 'dead_letter']);
    expect((await scene.deliveries()).map(({ attempt }) => attempt)).toEqual([10, 9, 8, 7, 6, 5, 4]);
  });

  test('a message that is not due is dropped when it is received if its webhook is deleted', async () => {
    await sqs.queue('retries').send([{ message: notDue(), delay: 900 }]);
    await deleteWebhook(table, scene.program.id, scene.webhook.id);
    await drain();
    expect(sqs.requests).toEqual({ SendMessageBatch: 1, ReceiveMessage: 1, DeleteMessage: 1 });
  });
});
