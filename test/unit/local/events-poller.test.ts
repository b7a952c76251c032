import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { Poller, type Publish } from '../../../bin/local/events/poller.ts';
import { Positions } from '../../../bin/local/events/positions.ts';
import type { UnreadableChange } from '../../../functions/events/destinations.ts';
import { useLocalQueue } from '../../support/events/local-events.ts';
import { Shards } from '../../support/events/shards.ts';

const local = useLocalQueue();
let stream: Shards;
let poller: Poller;
/** The sequence numbers of each call of `publish`. */
let calls: string[][];
let changesSetAside: UnreadableChange[];
let pauses: number[];
/** Returns the sequence numbers that fail, or throws. */
let fails: (numbers: readonly string[]) => readonly string[];

const publish: Publish = async ({ Records }) => {
  const numbers = Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
  calls.push(numbers);
  return { batchItemFailures: fails(numbers).map((itemIdentifier) => ({ itemIdentifier })) };
};

/** Starts to poll, as the service does when it starts. */
function restart() {
  local.reopen();
  poller = new Poller({
    stream,
    positions: new Positions(local.file),
    publish,
    setAside: async (changes) => {
      changesSetAside.push(...changes);
      return new Set();
    },
    pause: async (milliseconds) => pauses.push(milliseconds),
  });
}

/** Polls until there is nothing left. */
async function pollAll() {
  while (await poller.poll());
}

beforeEach(() => {
  stream = new Shards();
  stream.split('s');
  [calls, changesSetAside, pauses] = [[], [], []];
  fails = () => [];
  restart();
});

const record = (eventName: DynamoDBRecord['eventName'], sk = 'REFERRAL') => ({
  eventName,
  dynamodb: { Keys: { pk: { S: 'PROGRAM#p#REFERRAL#r' }, sk: { S: sk } } },
});
const changes = (count: number) => Array.from({ length: count }, () => record('MODIFY'));

describe('the poller', () => {
  test('publishes inserted and changed referrals only, and each once', async () => {
    const [inserted = '', , , changed = '', last] = stream.write(
      's',
      record('INSERT'),
      record('REMOVE'),
      record('INSERT', 'ADVOCATE'),
      record('MODIFY'),
      record('MODIFY', 'CLAIM'),
    );
    await pollAll();
    await pollAll();
    restart();
    await pollAll();
    expect(calls).toEqual([[inserted, changed]]);
    // What was read is not read again, and can be deleted.
    expect(new Positions(local.file).of(stream.arn, 's')).toEqual({ sequence: last, ended: false });
  });

  test('publishes all changes in order, over several pages, and continues after a restart', async () => {
    const first = stream.write('s', ...changes(12));
    await pollAll();
    const later = stream.write('s', ...changes(3));
    restart();
    await pollAll();
    expect(calls.flat()).toEqual([...first, ...later]);
  });

  test('lists the shards only when it has to', async () => {
    for (let round = 0; round < 3; round += 1) {
      stream.write('s', ...changes(7));
      await pollAll();
    }
    expect(stream.listings).toBe(1);
  });

  test('reads the children of a shard after all of the shard', async () => {
    const parent = stream.write('s', ...changes(7));
    stream.split('left', 's');
    stream.split('right', 's');
    const [left, right] = [stream.write('left', ...changes(2)), stream.write('right', ...changes(2))];
    await poller.poll();
    expect(calls.flat()).toEqual(parent.slice(0, 5));
    await pollAll();
    expect(calls.flat()).toEqual([...parent, ...left, ...right]);
    stream.split('last', 'left');
    stream.expire('s');
    const more = [...stream.write('right', ...changes(1)), ...stream.write('last', ...changes(1))];
    restart();
    await pollAll();
    expect(calls.flat().slice(11)).toEqual(more);
  });

  test('waits for a stream that has no shard yet', async () => {
    stream.expire('s');
    expect(await poller.poll()).toBe(false);
    stream.split('t');
    const numbers = stream.write('t', ...changes(1));
    await pollAll();
    expect(calls).toEqual([numbers]);
  });

  test('continues from its position after the stream could not be read', async () => {
    const first = stream.write('s', ...changes(1));
    await pollAll();
    stream.failures = 2;
    const second = stream.write('s', ...changes(1));
    await expect(poller.poll()).rejects.toThrow('made by a test');
    await expect(poller.poll()).rejects.toThrow('made by a test');
    await pollAll();
    expect(calls).toEqual([first, second]);
  });
});

describe('a change that cannot be published', () => {
  test('is published again, with those after it, until it succeeds', async () => {
    const [a = '', b = '', c = '', d = ''] = stream.write('s', ...changes(4));
    fails = () => (calls.length < 3 ? [d, b] : []);
    await pollAll();
    expect(calls).toEqual([
      [a, b, c, d],
      [b, c, d],
      [b, c, d],
    ]);
    expect([changesSetAside, pauses]).toEqual([[], [200, 400]]);
  });

  test('is never given up while the queue or the table fails', async () => {
    const [a = '', b = '', c = ''] = stream.write('s', ...changes(3));
    fails = (numbers) => (calls.length < 100 ? numbers.filter((number) => number === b) : []);
    await pollAll();
    expect(changesSetAside).toEqual([]);
    expect(calls).toEqual([[a, b, c], ...Array.from({ length: 99 }, () => [b, c])]);
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, ...Array.from({ length: 94 }, () => 5000)]);
  });

  test('is not given up because `publish` threw beside other failures', async () => {
    const [a = ''] = stream.write('s', ...changes(1));
    fails = (numbers) => {
      if (calls.length % 8 !== 0) throw new Error('made by a test');
      return calls.length < 24 ? numbers : [];
    };
    await pollAll();
    expect([changesSetAside, calls]).toEqual([[], Array.from({ length: 24 }, () => [a])]);
  });

  test('becomes a dead letter if `publish` throws for it alone 8 times', async () => {
    const [a = '', b = '', c = ''] = stream.write('s', ...changes(3));
    const more = stream.write('s', ...changes(9));
    fails = (numbers) => {
      if (numbers.includes(b)) throw new Error('made by a test');
      return [];
    };
    await pollAll();
    expect(changesSetAside).toEqual([
      { sequenceNumber: b, keys: { pk: { S: 'PROGRAM#p#REFERRAL#r' }, sk: { S: 'REFERRAL' } } },
    ]);
    expect(calls.filter((numbers) => numbers.length === 1 && numbers[0] === b)).toHaveLength(8);
    expect(new Set(calls.flat())).toEqual(new Set([a, b, c, ...more]));
    restart();
    await pollAll();
    expect(calls.at(-1)).toEqual(more.slice(7));
  });

  test('is found by itself if `publish` throws or names a record that does not exist', async () => {
    for (const fail of [
      () => {
        throw new Error('made by a test');
      },
      () => ['0'],
    ]) {
      calls = [];
      changesSetAside = [];
      const numbers = stream.write('s', ...changes(5));
      fails = (batch) => (batch.includes(numbers[3] ?? '') ? fail() : []);
      await pollAll();
      expect(changesSetAside.map(({ sequenceNumber }) => sequenceNumber)).toEqual([numbers[3]]);
      expect(new Set(calls.flat())).toEqual(new Set(numbers));
      expect(calls.at(-1)).toEqual([numbers[4]]);
    }
  });

  test('is the first one published after the service was killed', async () => {
    const [a = '', b = '', c = ''] = stream.write('s', ...changes(3));
    fails = () => [b];
    pauses.push = () => {
      throw new Error('killed');
    };
    await expect(poller.poll()).rejects.toThrow('killed');
    fails = () => [];
    restart();
    await pollAll();
    expect(calls).toEqual([
      [a, b, c],
      [b, c],
    ]);
  });
});
