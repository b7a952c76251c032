import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { EventsFile } from '../../../bin/local/events/file.ts';
import { useLocalQueue } from '../../support/events/local-events.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';

/** The messages of a file that knew no deadlines. */
const EARLIER = `
  CREATE TABLE message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, event TEXT NOT NULL, attempt INTEGER NOT NULL,
    visible_at INTEGER NOT NULL, in_flight INTEGER NOT NULL DEFAULT 0, receives INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL, UNIQUE (webhook, event, attempt)
  );
  CREATE INDEX due ON message (webhook, in_flight, visible_at);
`;

const local = useLocalQueue();
const send = (delay: number, ...messages: ReturnType<typeof aQueuedMessage>[]) =>
  local.queue.send(messages.map((message) => ({ message, delay })));
const take = (webhook = 'a', limit = 100) => local.queue.take(webhook, limit);
const eventsOf = (messages: readonly { readonly body: string }[]) =>
  messages.map(({ body }) => JSON.parse(body).event.id);

describe('the local queue', () => {
  test('hands a message out unchanged once its delay has passed', async () => {
    expect(await send(900, aQueuedMessage('a'))).toEqual(new Set());
    local.now += 899_999;
    expect(take()).toEqual([]);
    local.now += 1;
    const [received] = take();
    expect(JSON.parse(received?.body ?? '')).toEqual(aQueuedMessage('a'));
    expect(received?.receives).toBe(1);
  });

  test('hands messages out to one taker, those that have waited longest first', async () => {
    await send(3, aQueuedMessage('a', 3));
    await send(1, aQueuedMessage('a', 1));
    await send(2, aQueuedMessage('a', 2), aQueuedMessage('a', 4));
    local.now += 3000;
    const order = [1, 2, 4, 3].map((n) => `a-referral.${n}`);
    for (const event of order) expect(eventsOf(take('a', 1))).toEqual([event]);
    expect(take()).toEqual([]);
  });

  test('lists the endpoints that have messages', async () => {
    expect(local.queue.endpoints()).toEqual([]);
    await send(0, aQueuedMessage('b', 1), aQueuedMessage('a', 1), aQueuedMessage('b', 2));
    await send(900, aQueuedMessage('c'));
    expect(local.queue.endpoints()).toEqual(['a', 'b', 'c']);
    for (const { receipt } of take('b')) local.queue.delete(receipt);
    expect(local.queue.endpoints()).toEqual(['a', 'c']);
  });

  test('stores a message once, however often it is sent, but each attempt of it', async () => {
    await send(0, aQueuedMessage('a'), aQueuedMessage('a'));
    await send(0, aQueuedMessage('a'), aQueuedMessage('b'), aQueuedMessage('a', 2), aQueuedMessage('a', 1, 2));
    expect(take()).toHaveLength(3);
    expect(take('b')).toHaveLength(1);
  });

  test('keeps a message that is sent again while it is in flight', async () => {
    await send(0, aQueuedMessage('a'));
    const [inFlight] = take();
    await send(10, aQueuedMessage('a'));
    local.queue.delete(inFlight?.receipt ?? 0);
    expect(take()).toEqual([]);
    local.now += 10_000;
    expect(eventsOf(take())).toEqual(['a-referral.1']);
  });

  test('hands a message out again that was given back, and counts', async () => {
    await send(0, aQueuedMessage('a'));
    for (const receives of [1, 2, 3]) {
      const [received] = take();
      expect(received?.receives).toBe(receives);
      local.queue.release(received?.receipt ?? 0, 10);
      expect(take()).toEqual([]);
      local.now += 10_000;
    }
  });

  test('hands a message out again after six minutes, if it is neither deleted nor given back', async () => {
    await send(0, aQueuedMessage('a'));
    expect(take()).toHaveLength(1);
    local.now += 6 * 60_000 - 1;
    expect(take()).toEqual([]);
    local.now += 1;
    expect(take()).toMatchObject([{ receives: 2 }]);
  });

  test('uses a file of the version before, with what was waiting and in flight', async () => {
    local.file.close();
    const file = join(local.dataDir, 'events.sqlite');
    await rm(file);
    const earlier = new DatabaseSync(file);
    earlier.exec(EARLIER);
    const insert = earlier.prepare(
      'INSERT INTO message (webhook, event, attempt, visible_at, in_flight, body) VALUES (?, ?, 1, ?, ?, ?)',
    );
    for (const [n, inFlight] of [
      [1, 1],
      [2, 0],
    ] as const) {
      const message = aQueuedMessage('a', n);
      insert.run('a', message.event.id, local.now, inFlight, JSON.stringify(message));
    }
    earlier.close();
    local.reopen();
    expect(eventsOf(take())).toEqual(['a-referral.1', 'a-referral.2']);
    local.now += 6 * 60_000;
    expect(take()).toHaveLength(2);
  });

  test('hands messages in flight out again after a restart', async () => {
    await send(0, aQueuedMessage('a', 1), aQueuedMessage('a', 2));
    take('a', 1);
    local.reopen();
    expect(eventsOf(take())).toEqual(['a-referral.2']);
    local.queue.releaseAll();
    expect(eventsOf(take())).toEqual(['a-referral.1', 'a-referral.2']);
  });

  test('keeps dead letters for 14 days', async () => {
    await local.queue.deadLetters.send([{ message: aQueuedMessage('a', 1), delay: 0 }]);
    await send(0, aQueuedMessage('a', 2));
    for (const { receipt } of take()) local.queue.moveToDeadLetters(receipt);
    expect(take()).toEqual([]);
    const numbers = () => local.queue.deadLetterBodies().map((body) => JSON.parse(body).event?.id ?? JSON.parse(body));
    expect(numbers()).toEqual(['a-referral.1', 'a-referral.2']);
    local.now += 14 * 86_400_000;
    local.queue.addDeadLetters([{ n: 3 }]);
    expect(numbers()).toEqual(['a-referral.1', 'a-referral.2', { n: 3 }]);
    local.now += 1;
    local.queue.addDeadLetters([{ n: 4 }]);
    expect(numbers()).toEqual([{ n: 3 }, { n: 4 }]);
  });
});

/** Starts a process that adds messages for an endpoint. Resolves when it has stored them. */
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

describe('several processes', () => {
  test('use one file at once, and each message is handed out once', async () => {
    local.now = Number.MAX_SAFE_INTEGER;
    const webhooks = ['a', 'b', 'c'];
    const received: string[] = [];
    let isFilling = true;
    const filled = Promise.all(webhooks.map((webhook) => fill(webhook, 300))).finally(() => {
      isFilling = false;
    });
    const takeAll = () => {
      for (const webhook of local.queue.endpoints()) {
        for (const { receipt, body } of take(webhook, 7)) {
          received.push(`${webhook} ${JSON.parse(body).event.id}`);
          local.queue.delete(receipt);
        }
      }
    };
    while (isFilling) {
      takeAll();
      await setImmediate();
    }
    for (const process of await filled) await process.stop('SIGTERM');
    while (local.queue.endpoints().length > 0) takeAll();
    expect(received).toHaveLength(900);
    expect(new Set(received).size).toBe(900);
  });

  test('lose nothing when they are killed', async () => {
    local.now = Number.MAX_SAFE_INTEGER;
    const process = await fill('a', 20);
    await process.stop('SIGKILL');
    local.reopen();
    expect(take()).toHaveLength(20);
  });
});

describe('a file that cannot be used is reported with one sentence that explains:', () => {
  const explained = (dataDir: string) =>
    new RegExp(
      `^The queue of events ${join(dataDir, 'events.sqlite')} cannot be used \\([^\\n]+\\)\\. If it is damaged,`,
    );

  test.each([
    ['a file of another kind', (file: string) => writeFile(file, 'no database'.repeat(1000))],
    ['a folder', (file: string) => mkdir(file)],
    ['a folder in place of its log', (file: string) => mkdir(`${file}-wal`)],
  ])('%s', async (_, damage) => {
    const dataDir = await mkdtemp(join(local.dataDir, 'damaged-'));
    await damage(join(dataDir, 'events.sqlite'));
    expect(() => new EventsFile(dataDir)).toThrow(explained(dataDir));
  });

  test('a file that is not writable', async () => {
    local.file.close();
    await chmod(join(local.dataDir, 'events.sqlite'), 0o444);
    // Root may write to it all the same.
    for (const folder of [dirname(local.dataDir), local.dataDir]) await chmod(folder, 0o777);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(() => new EventsFile(local.dataDir)).toThrow(explained(local.dataDir));
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('pages that were overwritten while it is in use', async () => {
    await send(0, ...Array.from({ length: 200 }, (_, n) => aQueuedMessage('a', n)));
    const file = join(local.dataDir, 'events.sqlite');
    local.reopen();
    local.file.close();
    const content = await readFile(file);
    await writeFile(file, content.fill(0xff, 4096));
    local.reopen();
    expect(() => take()).toThrow(explained(local.dataDir));
  });
});
