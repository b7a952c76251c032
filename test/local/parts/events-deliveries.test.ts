import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
/** Webhooks whose receivers hang until they are released. */
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
      delivered.push(`${webhook} ${event.id}`);
      await hanging.get(webhook)?.promise;
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
