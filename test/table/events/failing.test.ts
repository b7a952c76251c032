import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { milliseconds } from '../../../functions/domain/time.ts';
import { findWebhook, updateWebhook } from '../../../functions/table/webhooks.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { DeliveryScene } from '../../support/table/delivery.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const DAYS = 86_400_000;
let scene: DeliveryScene;
let logged: unknown[][];
beforeEach(async () => {
  scene = await DeliveryScene.create(table);
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined).mock.calls;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const webhook = () => findWebhook(table, scene.program.id, scene.webhook.id);
/** Delivers an event on a day, counted from the first delivery, to a receiver that responds with a status. */
async function deliverOn(day: number, status: number) {
  scene.now = milliseconds(start + day * DAYS);
  scene.respond = (response) => response.writeHead(status).end();
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
    expect(latest).toMatchObject({ status: 500, attempt: 1, startedAt: start + 5 * DAYS });
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

test('a webhook that accepts one event within five days stays enabled', async () => {
  await deliverOn(0, 500);
  await scene.drain();
  await deliverOn(4, 200);
  await deliverOn(5, 500);
  expect(await webhook()).toMatchObject({ disabledReason: null, failingSince: Math.floor(scene.now / 1000) });
  expect(scene.queue.messages).toMatchObject([{ message: { attempt: 2 } }]);
});

test('a webhook stays enabled after nine failures, however long ago the first one was', async () => {
  for (const day of [0, 10, 20, 30, 40, 50, 60, 70, 80]) await deliverOn(day, 500);
  expect(await webhook()).toMatchObject({ disabledReason: null, failures: 9 });
  await deliverOn(90, 500);
  expect(await webhook()).toMatchObject({ disabledReason: 'failing' });
});

test.each([200, 500])(
  'an attempt with status %i that cannot be counted is neither lost nor repeated',
  async (status) => {
    scene = await DeliveryScene.create(table, { faulty: proxied.faulty });
    start = scene.now;
    scene.respond = (response) => {
      proxied.proxy.next('GetItem', refusal('AccessDeniedException'));
      response.writeHead(status).end();
    };
    expect(await scene.deliver(scene.message())).toEqual([]);
    expect(errors()).toEqual(['attempt_not_counted']);
    expect(scene.queue.messages).toHaveLength(status === 200 ? 0 : 1);
    expect(await scene.deliveries()).toMatchObject([{ status }]);
  },
);
