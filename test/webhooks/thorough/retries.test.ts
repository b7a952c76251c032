import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { countAttempt } from '../../../functions/webhooks/table/attempts.ts';
import { deleteWebhook, findWebhook, updateWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { UNDELIVERED } from '../../bench/costs.ts';
import { startSocketServer } from '../../support/events/receiver.ts';
import { Sqs } from '../../support/events/sqs.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { DeliveryScene } from '../../support/table/delivery.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let scene: DeliveryScene;
let logged: unknown[][];
beforeEach(async () => {
  scene = await DeliveryScene.create(table);
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined).mock.calls;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const HOUR = 3_600_000;
const status = (code: number, headers: Record<string, string> = {}) => {
  scene.respond = (response) => response.writeHead(code, headers).end();
};

/** Delays from each failure to the next attempt, in seconds. */
const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('failed deliveries', () => {
  test.each([302, 404, 500])('a failed delivery with status %i is tried again after about 5 seconds', async (code) => {
    status(code);
    expect(await scene.deliver(scene.message())).toEqual([]);
    const [{ message, delay } = { message: undefined, delay: 0 }] = scene.queue.messages;
    const rest = (message?.due ?? 0) - scene.now;
    expect(message).toEqual(scene.message({ attempt: 2, due: milliseconds(scene.now + rest) }));
    expect(rest >= 4500 && rest <= 5500 && delay === Math.ceil(rest / 1000)).toBe(true);
    expect(await scene.deliveries()).toMatchObject([{ status: code, error: null, attempt: 1 }]);
  });

  test.each([
    ['120', 120_000],
    ['604800', 24 * HOUR],
  ])('a retry waits for Retry-After: %s', async (header, wait) => {
    status(429, { 'retry-after': header });
    await scene.deliver(scene.message());
    expect(scene.queue.messages[0]?.message.due).toBe(scene.now + wait);
  });
});

describe('messages that are not due', () => {
  test('a message that is not due is added again for the rest of its time to a queue with long delays', async () => {
    const message = scene.message({ attempt: 4, due: milliseconds(scene.now + 899_001) });
    expect(await scene.deliver(message)).toEqual([]);
    expect(scene.queue.messages).toMatchObject([{ message, delay: 900 }]);
    expect([scene.receiver.received, await scene.deliveries()]).toEqual([[], []]);
  });

  const notDue = () => scene.message({ attempt: 4, due: milliseconds(scene.now + HOUR) });

  test('a message that is not due is dropped if its webhook is disabled or deleted', async () => {
    const { program, webhook } = scene;
    await updateWebhook(table, program.id, webhook.id, { enabled: false });
    expect(await scene.deliver(notDue())).toEqual([]);
    await deleteWebhook(table, program.id, webhook.id);
    expect(await scene.deliver(notDue())).toEqual([]);
    expect(scene.queue.messages).toEqual([]);
  });
});

/** The times of the attempts, each relative to the previous attempt, as shares of the schedule. */
function shares(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / ((SCHEDULE[index] ?? 0) * 1000));
}

test('after ten attempts the message is a dead letter, and the webhook stays enabled', async () => {
  const times: number[] = [];
  scene.respond = (response) => {
    times.push(scene.now);
    response.writeHead(503).end();
  };
  await scene.deliver(scene.message());
  await scene.drain();
  expect(times).toHaveLength(10);
  for (const share of shares(times)) {
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(share).toBeLessThanOrEqual(1.1);
  }
  expect(scene.deadLetters.messages).toMatchObject([{ message: { attempt: 10, webhook: scene.webhook.id }, delay: 0 }]);
  expect(await scene.deliveries()).toHaveLength(10);
  const ids = { program: scene.program.id, webhook: scene.webhook.id, event: `${scene.referral.id}.1` };
  expect(logged).toEqual([[{ error: 'dead_letter', ...ids }]]);
});

test('a slow webhook does not keep the others of its batch from being delivered', async () => {
  const { promise: delivered, resolve } = Promise.withResolvers<void>();
  const hanging = await startSocketServer((socket) => delivered.then(() => socket.destroy()));
  const slow = await DeliveryScene.create(table, { webhook: { url: hanging.url } });
  scene.respond = (response) => {
    response.end();
    resolve();
  };
  const { program, webhook } = slow;
  expect(await scene.deliver(scene.message({ program: program.id, webhook: webhook.id }), scene.message())).toEqual([]);
  expect([scene.receiver.received.length, hanging.connections.length]).toEqual([1, 1]);
});

const webhook = () => findWebhook(table, scene.program.id, scene.webhook.id);
/** Delivers an event on a day, counted from the first delivery, to a receiver that responds with a status. */
async function deliverOn(day: number, code: number) {
  scene.now = milliseconds(start + day * 24 * HOUR);
  status(code);
  expect(await scene.deliver(scene.message())).toEqual([]);
}
let start: number;
beforeEach(() => {
  start = scene.now;
});
const errors = () => logged.map(([entry]) => Object(entry).error);

describe('a webhook whose every delivery failed for five days', () => {
  beforeEach(async () => {
    await deliverOn(0, 500);
    await scene.drain();
    expect(errors()).toEqual(['dead_letter']);
    await deliverOn(5, 500);
  });

  test('a webhook that failed for five days is disabled, with a line in the log, and not queued again', async () => {
    expect(await webhook()).toMatchObject({ disabledReason: 'failing', failingSince: Math.floor(start / 1000) });
    const ids = { program: scene.program.id, webhook: scene.webhook.id };
    expect(logged.slice(1)).toEqual([[{ error: 'webhook_disabled', ...ids, reason: 'failing' }]]);
    expect([scene.queue.messages.length, scene.deadLetters.messages.length]).toEqual([0, 1]);
    const [latest] = await scene.deliveries();
    expect(latest).toMatchObject({ status: 500, attempt: 1, startedAt: start + 120 * HOUR });
  });

  test('a disabled webhook gets nothing until its merchant enables it, and is then tried for as long', async () => {
    await deliverOn(6, 200);
    expect(scene.receiver.received).toHaveLength(11);
    await updateWebhook(scene.table, scene.program.id, scene.webhook.id, { enabled: true });
    await deliverOn(6, 500);
    await scene.drain();
    await deliverOn(10.9, 500);
    expect(await webhook()).toMatchObject({ disabledReason: null });
    await deliverOn(11, 500);
    expect(await webhook()).toMatchObject({ disabledReason: 'failing' });
  });
});

test.each([200, 500])('an attempt with status %i that cannot be counted is neither lost nor repeated', async (code) => {
  scene = await DeliveryScene.create(table, { faulty: proxied.faulty });
  start = scene.now;
  scene.respond = (response) => {
    proxied.proxy.next('GetItem', refusal('AccessDeniedException'));
    response.writeHead(code).end();
  };
  expect(await scene.deliver(scene.message())).toEqual([]);
  expect(errors()).toEqual(['attempt_not_counted']);
  expect(scene.queue.messages).toHaveLength(code === 200 ? 0 : 1);
  expect(await scene.deliveries()).toMatchObject([{ status: code }]);
});

test('an event that fails takes the requests and capacity of the cost tables, after ten other failures', async () => {
  const sqs = await Sqs.start(() => scene.now);
  scene = await DeliveryScene.create(table, { sqs });
  status(503);
  const { program, webhook, now } = scene;
  for (let failure = 0; failure < 10; failure += 1) {
    await countAttempt(scene.table, program.id, webhook.id, { status: 503, startedAt: now, url: webhook.url });
  }
  // The first message, which `publish` sends.
  await sqs.queue('deliveries').send([{ message: scene.message(), delay: 0 }]);
  const { readUnits, writeUnits } = await metered(scene.table, async () => {
    for (const name of ['deliveries', 'retries']) {
      for (let at = sqs.nextAt(name); at !== undefined; at = sqs.nextAt(name)) {
        scene.now = milliseconds(at);
        await sqs.dispatch(name, (event: SQSEvent) => scene.handler(event));
      }
    }
  });
  const queueRequests = Object.values(sqs.requests).reduce((sum, count) => sum + count, 0) - 1;
  expect(UNDELIVERED).toMatchObject({ readUnits, writeUnits, queueRequests });
  expect(sqs.requests).toMatchObject({ ReceiveMessage: UNDELIVERED.attempts + UNDELIVERED.earlyCalls });
});
