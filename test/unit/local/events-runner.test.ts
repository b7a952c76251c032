import { beforeEach, describe, expect, test } from '@jest/globals';
import { Runner } from '../../../bin/local/events/runner.ts';
import { useLocalQueue } from '../../support/events/local-events.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';

const local = useLocalQueue();
let runner: Runner;
let errors: unknown[];
/** The deliveries so far, in order: endpoint, event, and how often the message was handed out. */
let delivered: string[];
/** Endpoints whose deliveries hang until they are released. */
let hanging: Map<string, PromiseWithResolvers<void>>;
let result: 'success' | 'failure' | 'error';

function restart() {
  local.reopen();
  runner = new Runner(
    local.queue,
    async ({ Records }) => {
      const [{ body = '', messageId = '', attributes } = {}] = Records;
      const { webhook, event } = JSON.parse(body);
      delivered.push(`${webhook} ${event.id} ${attributes?.ApproximateReceiveCount}`);
      await hanging.get(webhook)?.promise;
      if (result === 'error') throw new Error('made by a test');
      return { batchItemFailures: result === 'failure' ? [{ itemIdentifier: messageId }] : [] };
    },
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
async function runAll() {
  runner.dispatch();
  await runner.settled();
}

describe('the runner', () => {
  test('delivers each due message once and deletes it', async () => {
    await send('a', 30);
    await runAll();
    expect(new Set(delivered).size).toBe(30);
    await runAll();
    expect(delivered).toHaveLength(30);
    expect(local.queue.endpoints()).toEqual([]);
  });

  test('delivers to a fast endpoint while a slow one hangs with a few deliveries', async () => {
    hang('slow');
    await send('slow', 50);
    await send('fast', 50);
    runner.dispatch();
    while (deliveriesTo('fast').length < 50) {
      runner.dispatch();
      await Promise.resolve();
    }
    runner.dispatch();
    expect(deliveriesTo('slow')).toHaveLength(4);
    hanging.get('slow')?.resolve();
    await runner.settled();
    expect(deliveriesTo('slow')).toHaveLength(50);
    expect(errors).toEqual([]);
  });

  test.each(['failure', 'error'] as const)('delivers a message again 10 seconds after a %s', async (how) => {
    await send('a', 1);
    result = how;
    await runAll();
    local.now += 9999;
    await runAll();
    expect(delivered).toEqual(['a a-referral.0 1']);
    result = 'success';
    local.now += 1;
    await runAll();
    local.now += 10_000;
    await runAll();
    expect(delivered).toEqual(['a a-referral.0 1', 'a a-referral.0 2']);
  });

  test.each([
    ['success', 'BEFORE DELETE'],
    ['failure', 'BEFORE UPDATE OF visible_at'],
  ] as const)('delivers a message again six minutes after a %s that the file did not accept', async (how, event) => {
    await send('a', 1);
    result = how;
    hang('a');
    runner.dispatch();
    const trigger = `CREATE TRIGGER refuse ${event} ON message BEGIN SELECT RAISE(ABORT, 'made by a test'); END`;
    local.file.write((database) => database.exec(trigger));
    hanging.get('a')?.resolve();
    await runner.settled();
    expect(errors).toMatchObject([{ name: 'UnusableFile' }]);
    local.file.write((database) => database.exec('DROP TRIGGER refuse'));
    result = 'success';
    local.now += 6 * 60_000 - 1;
    await runAll();
    expect(delivered).toEqual(['a a-referral.0 1']);
    local.now += 1;
    await runAll();
    expect(delivered).toEqual(['a a-referral.0 1', 'a a-referral.0 2']);
    expect(local.queue.endpoints()).toEqual([]);
  });

  test('makes a message a dead letter that could not be handled 10 times', async () => {
    await send('a', 1);
    result = 'failure';
    for (let round = 0; round < 12; round += 1) {
      await runAll();
      local.now += 10_000;
    }
    expect(delivered).toHaveLength(10);
    expect(local.queue.deadLetterBodies().map((body) => JSON.parse(body))).toEqual([aQueuedMessage('a', 0)]);
    expect(local.queue.endpoints()).toEqual([]);
  });

  test('finishes deliveries under way when it stops, and starts no others', async () => {
    hang('a');
    await send('a', 9);
    runner.dispatch();
    const never = new Promise(() => undefined);
    const stopped = runner.stop(never);
    hanging.get('a')?.resolve();
    await stopped;
    runner.dispatch();
    expect(delivered).toHaveLength(4);
    hanging.clear();
    restart();
    await runAll();
    expect(new Set(delivered).size).toBe(9);
    expect(delivered).toHaveLength(9);
  });

  test('leaves deliveries that hang to the next start', async () => {
    const { resolve } = hang('a').get('a') ?? Promise.withResolvers();
    await send('a', 1);
    runner.dispatch();
    await runner.stop(Promise.resolve());
    local.file.close();
    resolve();
    await runner.settled();
    hanging.clear();
    restart();
    await runAll();
    expect(delivered).toEqual(['a a-referral.0 1', 'a a-referral.0 2']);
    expect(errors).toEqual([]);
  });
});
