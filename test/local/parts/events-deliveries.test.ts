import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { deliveries } from '../../../bin/local/events/events.ts';
import { useEventQueue } from '../../support/events/local-events.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';

const local = useEventQueue();
let delivering: ReturnType<typeof deliveries>;
let stopping: AbortController;
let errors: unknown[];
/** The deliveries so far, in order: webhook and event. */
let delivered: string[];
/** Webhooks, or lines of `delivered`, whose receivers hang until they are released. */
let hanging: Map<string, PromiseWithResolvers<void>>;
let result: 'success' | 'failure' | 'error';

function restart() {
  local.reopen();
  stopping = new AbortController();
  local.queue.resetVisibility();
  delivering = deliveries(
    local.queue,
    async ({ Records }) => {
      const [{ body = '', messageId = '' } = {}] = Records;
      const { webhook, event } = JSON.parse(body);
      const line = `${webhook} ${event.id}`;
      delivered.push(line);
      await (hanging.get(webhook) ?? hanging.get(line))?.promise;
      if (result === 'error') throw new Error('made by a test');
      return { batchItemFailures: result === 'failure' ? [{ itemIdentifier: messageId }] : [] };
    },
    stopping.signal,
    (error) => errors.push(error),
  );
}

beforeEach(() => {
  [errors, delivered, hanging, result] = [[], [], new Map(), 'success'];
  restart();
});

const hang = (webhook: string) => hanging.set(webhook, Promise.withResolvers());
const send = (webhook: string, count: number) =>
  local.queue.send(Array.from({ length: count }, (_, n) => ({ message: aQueuedMessage(webhook, n), delay: 0 })));
const deliveriesTo = (webhook: string) => delivered.filter((line) => line.startsWith(`${webhook} `));
async function deliverAll() {
  delivering.start();
  await delivering.settled();
}

test('each visible message is delivered once and then deleted', async () => {
  await send('a', 30);
  await deliverAll();
  await deliverAll();
  expect([delivered.length, new Set(delivered).size]).toEqual([30, 30]);
  expect(local.queue.webhooks()).toEqual([]);
});

test('a hanging receiver has four deliveries and delays no other webhook', async () => {
  hang('slow');
  await send('slow', 50);
  await send('fast', 50);
  delivering.start();
  while (deliveriesTo('fast').length < 50) await Promise.resolve();
  delivering.start();
  expect(deliveriesTo('slow')).toHaveLength(4);
  hanging.get('slow')?.resolve();
  await delivering.settled();
  expect(deliveriesTo('slow')).toHaveLength(50);
  expect(errors).toEqual([]);
});

test('after an error of the queue, a webhook gets more deliveries only when the others of the four have ended', async () => {
  using database = new DatabaseSync(join(local.dataDir, 'service.sqlite'));
  const refusal = "WHEN OLD.event LIKE '%.0' BEGIN SELECT RAISE(ABORT, 'made by a test'); END";
  database.exec(`CREATE TRIGGER refusal BEFORE DELETE ON message ${refusal}`);
  await send('a', 8);
  const slow = hang('a a-referral.3').get('a a-referral.3');
  delivering.start();
  await setImmediate();
  delivering.start();
  expect(delivered).toHaveLength(4);
  const settled = delivering.settled().then(() => 'settled');
  expect(await Promise.race([settled, setImmediate('under way')])).toBe('under way');
  slow?.resolve();
  await settled;
  expect(errors).toHaveLength(1);
  await deliverAll();
  expect(new Set(delivered).size).toBe(8);
});

test.each(['failure', 'error'] as const)('a message is delivered again 10 seconds after a %s', async (how) => {
  await send('a', 1);
  result = how;
  await deliverAll();
  local.now += 9999;
  await deliverAll();
  expect(delivered).toHaveLength(1);
  result = 'success';
  local.now += 1;
  await deliverAll();
  local.now += 10_000;
  await deliverAll();
  expect(delivered).toEqual(['a a-referral.0', 'a a-referral.0']);
});

test('a message that could not be handled 10 times is a dead letter', async () => {
  await send('a', 1);
  result = 'failure';
  for (let round = 0; round < 12; round += 1) {
    await deliverAll();
    local.now += 10_000;
  }
  expect(delivered).toHaveLength(10);
  using database = new DatabaseSync(join(local.dataDir, 'service.sqlite'));
  const letters = database.prepare('SELECT body FROM dead_letter').all();
  expect(letters.map(({ body }) => JSON.parse(String(body)))).toEqual([aQueuedMessage('a', 0)]);
  expect(local.queue.webhooks()).toEqual([]);
});

test('a stop finishes deliveries under way, starts no others, and leaves them to the next start', async () => {
  hang('a');
  await send('a', 9);
  delivering.start();
  stopping.abort();
  hanging.get('a')?.resolve();
  await deliverAll();
  expect(delivered).toHaveLength(4);
  restart();
  await deliverAll();
  expect([delivered.length, new Set(delivered).size]).toEqual([9, 9]);
});
