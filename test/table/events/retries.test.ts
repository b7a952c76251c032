import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { milliseconds } from '../../../functions/domain/time.ts';
import { deleteWebhook, updateWebhook } from '../../../functions/table/webhooks.ts';
import { startSocketServer } from '../../support/events/receiver.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
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
  test.each([300, 302, 400, 404, 429, 500, 503])(
    'a failed delivery with status %i is tried again after about 5 seconds',
    async (code) => {
      status(code);
      expect(await scene.deliver(scene.message())).toEqual([]);
      const [{ message, delay } = { message: undefined, delay: 0 }] = scene.queue.messages;
      const rest = (message?.due ?? 0) - scene.now;
      expect(message).toEqual(scene.message({ attempt: 2, due: milliseconds(scene.now + rest) }));
      expect(rest >= 4500 && rest <= 5500 && delay === Math.ceil(rest / 1000)).toBe(true);
      expect(await scene.deliveries()).toMatchObject([{ status: code, error: null, attempt: 1 }]);
    },
  );

  test('a retry is within 10 percent of 5 seconds, although the queue delays by whole seconds', async () => {
    status(500);
    await scene.deliver(...Array.from({ length: 20 }, () => scene.message()));
    expect(scene.queue.messages).toHaveLength(20);
    for (const { message, delay } of scene.queue.messages) {
      expect([delay, message.due - scene.now]).toEqual([5, 5000]);
    }
  });

  test('a delivery without a response is also tried again, and recorded with its cause', async () => {
    const server = await startSocketServer((socket) => socket.end('220 smtp.example ESMTP\r\n'));
    const hanging = await startSocketServer(() => undefined);
    for (const [url, error] of [
      [server.url, 'invalid_response'],
      [hanging.url, 'timeout'],
      ['https://192.168.1.1/', 'address_refused'],
      ['https://receiver.invalid/', 'name_not_found'],
    ] as const) {
      scene = await DeliveryScene.create(table, { webhook: { url }, ...(error === 'timeout' && { timeout: 50 }) });
      expect(await scene.deliver(scene.message())).toEqual([]);
      expect(scene.queue.messages).toMatchObject([{ message: { attempt: 2 } }]);
      expect(await scene.deliveries()).toMatchObject([{ status: null, error, attempt: 1 }]);
    }
  });

  test.each([
    ['120', 120_000],
    ['86400', 24 * HOUR],
    ['604800', 24 * HOUR],
  ])('a retry waits for Retry-After: %s', async (header, wait) => {
    status(429, { 'retry-after': header });
    await scene.deliver(scene.message());
    expect(scene.queue.messages[0]?.message.due).toBe(scene.now + wait);
  });

  test('a retry waits until the date in Retry-After', async () => {
    scene.now = milliseconds(Math.floor(scene.now / 1000) * 1000);
    status(503, { 'retry-after': new Date(scene.now + 2 * HOUR).toUTCString() });
    await scene.deliver(scene.message());
    expect(scene.queue.messages[0]?.message.due).toBe(scene.now + 2 * HOUR);
  });

  test('a retry does not wait less than the schedule because of Retry-After', async () => {
    status(429, { 'retry-after': '1' });
    await scene.deliver(scene.message());
    expect(scene.queue.messages[0]?.message.due).toBeGreaterThanOrEqual(scene.now + 4500);
  });
});

describe('messages that are not due', () => {
  test.each([
    [1001, 2],
    [899_001, 900],
    [24 * HOUR, 86_400],
  ])(
    'a message that is not due for %i ms is added again for %i seconds to a queue with long delays',
    async (rest, delay) => {
      const message = scene.message({ attempt: 4, due: milliseconds(scene.now + rest) });
      expect(await scene.deliver(message)).toEqual([]);
      expect(scene.queue.messages).toMatchObject([{ message, delay }]);
      expect([scene.receiver.received, await scene.deliveries()]).toEqual([[], []]);
    },
  );

  test('a message that is due within a second is delivered, because clocks differ', async () => {
    await scene.deliver(scene.message({ attempt: 4, due: milliseconds(scene.now + 1000) }));
    expect(await scene.deliveries()).toMatchObject([{ attempt: 4, status: 200 }]);
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

  test('a message that is not due keeps its time if its webhook cannot be read', async () => {
    scene = await DeliveryScene.create(table, { faulty: proxied.faulty });
    proxied.proxy.next('GetItem', refusal('AccessDeniedException'));
    const message = notDue();
    expect(await scene.deliver(message)).toEqual([]);
    expect(scene.queue.messages).toMatchObject([{ message, delay: 3600 }]);
    expect(logged).toEqual([]);
  });
});

/** The times of the attempts, each relative to the previous attempt, as shares of the schedule. */
function shares(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / ((SCHEDULE[index] ?? 0) * 1000));
}

/** Responds with a status as long as `isDown`, and notes the times of the attempts. */
function down(isDown: () => boolean): number[] {
  const times: number[] = [];
  scene.respond = (response) => {
    times.push(scene.now);
    response.writeHead(isDown() ? 503 : 200).end();
  };
  return times;
}

test('a receiver that is down for a day gets the event with its id at the next attempt', async () => {
  const end = scene.now + 24 * HOUR;
  const times = down(() => scene.now < end);
  await scene.deliver(scene.message());
  await scene.drain();
  // 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h after one another.
  expect(times).toHaveLength(8);
  expect(new Set(scene.receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([`${scene.referral.id}.1`]),
  );
  const deliveries = await scene.deliveries();
  expect(deliveries.map(({ attempt }) => attempt)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  expect(deliveries[0]).toMatchObject({ status: 200, attempt: 8 });
  expect(scene.deadLetters.messages).toEqual([]);
});

test('after ten attempts the message is a dead letter, and the webhook stays enabled', async () => {
  const times = down(() => true);
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
