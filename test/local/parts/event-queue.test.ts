import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { useEventQueue } from '../../support/events/local-events.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';

const local = useEventQueue();
const send = (delay: number, ...messages: ReturnType<typeof aQueuedMessage>[]) =>
  local.queue.send(messages.map((message) => ({ message, delay })));
const receive = (webhook = 'a') => local.queue.receive(webhook);

/** Receives all visible messages of a webhook. Returns the ids of their events. */
function receiveAll(webhook = 'a'): string[] {
  const message = receive(webhook);
  return message ? [JSON.parse(message.body).event.id, ...receiveAll(webhook)] : [];
}

describe('the local queue', () => {
  test('visible messages are received unchanged, the oldest first, and each by one receiver', async () => {
    expect(await send(900, aQueuedMessage('a', 3))).toEqual(new Set());
    await send(1, aQueuedMessage('a', 1));
    await send(2, aQueuedMessage('a', 2), aQueuedMessage('a', 4));
    local.now += 899_999;
    expect(receiveAll()).toEqual([1, 2, 4].map((n) => `a-referral.${n}`));
    local.now += 1;
    const { body, receives } = receive() ?? {};
    expect([JSON.parse(body ?? ''), receives]).toEqual([aQueuedMessage('a', 3), 1]);
  });

  test('the local queue stores a message once per webhook, event and attempt', async () => {
    await send(0, aQueuedMessage('a'), aQueuedMessage('a'));
    await send(0, aQueuedMessage('a'), aQueuedMessage('b'), aQueuedMessage('a', 2), aQueuedMessage('a', 1, 2));
    expect([receiveAll().length, receiveAll('b').length]).toEqual([3, 1]);
  });

  test('the local queue keeps a message that is sent again while it is in flight', async () => {
    await send(0, aQueuedMessage('a'));
    const inFlight = receive();
    await send(10, aQueuedMessage('a'));
    local.queue.delete(inFlight?.receiptHandle ?? '');
    expect(receive()).toBeUndefined();
    local.now += 10_000;
    expect(receiveAll()).toEqual(['a-referral.1']);
  });

  test('a message is visible again after its visibility timeout, six minutes unless it is changed', async () => {
    await send(0, aQueuedMessage('a'));
    for (const receives of [1, 2, 3]) {
      const message = receive();
      expect(message?.receives).toBe(receives);
      local.queue.changeVisibility(message?.receiptHandle ?? '', 10);
      expect(receive()).toBeUndefined();
      local.now += 10_000;
    }
    expect(receive()?.receives).toBe(4);
    local.now += 6 * 60_000 - 1;
    expect(receive()).toBeUndefined();
    local.now += 1;
    expect(receive()?.receives).toBe(5);
  });

  test('messages in flight become visible after a restart, but no delayed messages', async () => {
    await send(0, aQueuedMessage('a', 1), aQueuedMessage('a', 2));
    await send(900, aQueuedMessage('a', 3));
    receive();
    local.reopen();
    expect(receiveAll()).toEqual(['a-referral.2']);
    local.queue.resetVisibility();
    expect(receiveAll()).toEqual(['a-referral.1', 'a-referral.2']);
  });

  test('the local queue keeps dead letters for 14 days', async () => {
    using database = new DatabaseSync(join(local.dataDir, 'service.sqlite'));
    const letters = () =>
      database
        .prepare('SELECT body FROM dead_letter ORDER BY id')
        .all()
        .map(({ body }) => body);
    await local.queue.addDeadLetters(['{"n":1}', '{"n":2}']);
    local.now += 14 * 86_400_000;
    await local.queue.addDeadLetters(['{"n":3}']);
    expect(letters()).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    local.now += 1;
    await local.queue.addDeadLetters(['{"n":4}']);
    expect(letters()).toEqual(['{"n":3}', '{"n":4}']);
  });
});

/** Starts a process that adds messages for a webhook. Resolves when it has stored them. */
async function fill(webhook: string, count: number) {
  const program = join(import.meta.dirname, '../../support/events/fill-queue.ts');
  const child = spawn(process.execPath, [program, local.dataDir, webhook, String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(String(output)).toBe('stored\n');
  const ended = once(child, 'exit');
  return {
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

test('several processes use one file simultaneously, each message is received once, and a kill loses none', async () => {
  local.now = Number.MAX_SAFE_INTEGER;
  const received: string[] = [];
  let isFilling = true;
  const filled = Promise.all(['a', 'b', 'c'].map((webhook) => fill(webhook, 300))).finally(() => {
    isFilling = false;
  });
  while (isFilling || local.queue.webhooks().length > 0) {
    for (const webhook of local.queue.webhooks()) {
      const { receiptHandle, body } = receive(webhook) ?? { receiptHandle: '', body: '' };
      received.push(`${webhook} ${JSON.parse(body).event.id}`);
      local.queue.delete(receiptHandle);
    }
    await setImmediate();
  }
  expect([received.length, new Set(received).size]).toEqual([900, 900]);
  for (const process of await filled) await process.stop('SIGKILL');
  const last = await fill('a', 20);
  await last.stop('SIGKILL');
  local.reopen();
  expect(receiveAll()).toHaveLength(20);
});
