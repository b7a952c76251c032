import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { repeat } from '../../../bin/local/events/events.ts';
import { publishReader, streamPoller } from '../../../bin/local/events/poller.ts';
import type { PoisonRecord } from '../../../functions/events/destinations.ts';
import { useEventQueue } from '../../support/events/local-events.ts';

const STREAM = 'arn:aws:dynamodb:local:000000000000:table/a/stream/1';
/** Records per page: few, so that tests need several pages. */
const PAGE = 5;

interface FakeShard {
  parent: string;
  records: DynamoDBRecord[];
  hasEnded: boolean;
}

const local = useEventQueue();
/** The shards of AWS and of DynamoDB Local end after some hours. The embedded engine has one shard that never ends. */
let shards: Map<string, FakeShard>;
let listings: number;
/** The number of the next reads that fail. */
let failures: number;
let sequence: number;
/** The sequence numbers of each call of `publish`. */
let calls: string[][];
let poison: PoisonRecord[];
/** Returns the sequence numbers that fail, or throws. */
let fails: (numbers: readonly string[]) => readonly string[];
let poll: () => Promise<boolean>;

const made = () => {
  throw new Error('made by a test');
};
const numberOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.SequenceNumber ?? '';

/** Starts to poll, as the service does when it starts. */
function restart() {
  local.reopen();
  poll = streamPoller({
    queue: local.queue,
    stream: {
      arn: STREAM,
      shards: async () => {
        listings += 1;
        return new Map([...shards].map(([id, { parent }]) => [id, parent]));
      },
      read: async (id, after) => {
        failures -= 1;
        if (failures >= 0) made();
        const { records, hasEnded } = shards.get(id) ?? { records: [], hasEnded: made() };
        const start = records.findIndex((record) => numberOf(record) === after) + 1;
        return { records: records.slice(start, start + PAGE), hasEnded: hasEnded && start + PAGE >= records.length };
      },
    },
    reader: publishReader(
      async ({ Records }) => {
        const numbers = Records.map(numberOf);
        calls.push(numbers);
        return { batchItemFailures: fails(numbers).map((itemIdentifier) => ({ itemIdentifier })) };
      },
      async (records) => {
        poison.push(...records);
        return new Set();
      },
    ),
  });
}

/** Adds a shard. Its parent ends. */
function split(id: string, parent = ''): void {
  const ended = shards.get(parent);
  if (ended) ended.hasEnded = true;
  shards.set(id, { parent, records: [], hasEnded: false });
}

/** Adds records to a shard. Returns their sequence numbers. */
function write(id: string, ...records: readonly Pick<DynamoDBRecord, 'eventName' | 'dynamodb'>[]): string[] {
  return records.map((record) => {
    sequence += 1;
    const SequenceNumber = String(sequence).padStart(21, '0');
    shards.get(id)?.records.push({ ...record, dynamodb: { ...record.dynamodb, SequenceNumber } });
    return SequenceNumber;
  });
}

/** Polls until there is nothing left, also after a record failed. */
async function pollAll() {
  for (let polls = 0; polls < 200; polls += 1) {
    const failed = (error: Error) => error.message === 'changes could not be published' || made();
    if (!(await poll().catch(failed))) return;
  }
  throw new Error('The poller does not advance.');
}

beforeEach(() => {
  [shards, listings, failures, sequence, calls, poison, fails] = [new Map(), 0, 0, 0, [], [], () => []];
  split('s');
  restart();
});

const Keys = { pk: { S: 'PROGRAM#p#REFERRAL#r' }, sk: { S: 'REFERRAL' } };
const record = (eventName: DynamoDBRecord['eventName'], sk = 'REFERRAL') => ({
  eventName,
  dynamodb: { Keys: { ...Keys, sk: { S: sk } } },
});
const changes = (count: number) => Array.from({ length: count }, () => record('MODIFY'));

describe('the poller', () => {
  test('the poller publishes only inserted and changed referrals, once, and stores its last position', async () => {
    const [inserted = '', , , changed = '', last] = write(
      's',
      record('INSERT'),
      record('REMOVE'),
      record('INSERT', 'ADVOCATE'),
      record('MODIFY'),
      record('MODIFY', 'CLAIM'),
    );
    await pollAll();
    restart();
    await pollAll();
    expect(calls).toEqual([[inserted, changed]]);
    expect(local.queue.positions()).toEqual([
      { reader: 'publish', stream: STREAM, shard: 's', sequence: last, hasEnded: false },
    ]);
  });

  test('the poller publishes all pages in order, lists the shards once, and continues after a restart', async () => {
    const first = write('s', ...changes(12));
    await pollAll();
    const second = write('s', ...changes(3));
    await pollAll();
    expect(listings).toBe(1);
    const third = write('s', ...changes(3));
    restart();
    await pollAll();
    expect(calls.flat()).toEqual([...first, ...second, ...third]);
  });

  test('the poller reads the children of a shard after all of the shard', async () => {
    const parent = write('s', ...changes(7));
    split('left', 's');
    split('right', 's');
    const children = [...write('left', ...changes(2)), ...write('right', ...changes(2))];
    await poll();
    expect(calls.flat()).toEqual(parent.slice(0, PAGE));
    await pollAll();
    expect(calls.flat()).toEqual([...parent, ...children]);
    split('last', 'left');
    // As after 24 hours.
    shards.delete('s');
    const more = [...write('right', ...changes(1)), ...write('last', ...changes(1))];
    restart();
    await pollAll();
    expect(calls.flat().slice(11)).toEqual(more);
  });

  test('the poller waits for a stream that has no shard yet', async () => {
    shards.clear();
    expect(await poll()).toBe(false);
    split('t');
    const numbers = write('t', ...changes(1));
    await pollAll();
    expect(calls).toEqual([numbers]);
  });

  test('the poller continues from its position after the stream could not be read', async () => {
    const first = write('s', ...changes(1));
    await pollAll();
    failures = 2;
    const second = write('s', ...changes(1));
    await expect(poll()).rejects.toThrow('made by a test');
    await expect(poll()).rejects.toThrow('made by a test');
    await pollAll();
    expect(calls).toEqual([first, second]);
  });
});

describe('changes that cannot be published', () => {
  test('a failed change and all after it are published again as long as the queue or the table fails', async () => {
    const [a = '', b = '', c = '', d = ''] = write('s', ...changes(4));
    fails = () => (calls.length < 100 ? [d, b] : []);
    await pollAll();
    expect(calls).toEqual([[a, b, c, d], ...Array.from({ length: 99 }, () => [b, c, d])]);
    expect(poison).toEqual([]);
  });

  test('a failed change is published again first after the service was killed', async () => {
    const [a = '', b = '', c = ''] = write('s', ...changes(3));
    fails = () => [b];
    await expect(poll()).rejects.toThrow('changes could not be published');
    fails = () => [];
    restart();
    await pollAll();
    expect(calls).toEqual([
      [a, b, c],
      [b, c],
    ]);
  });

  test('a change is no poison record because `publish` sometimes throws', async () => {
    const [a = ''] = write('s', ...changes(1));
    fails = (numbers) => {
      if (calls.length % 8 !== 0) made();
      return calls.length < 24 ? numbers : [];
    };
    await pollAll();
    expect([poison, calls]).toEqual([[], Array.from({ length: 24 }, () => [a])]);
  });

  test.each([
    ['throws', made],
    ['reports a record that does not exist', () => ['0']],
  ])('a change is a poison record if `publish` %s for it alone 8 times, and holds up no other', async (_, fail) => {
    const numbers = write('s', ...changes(13));
    const [a = '', b = ''] = numbers;
    fails = (batch) => (batch.includes(b) ? fail() : []);
    await pollAll();
    expect(poison).toEqual([{ sequenceNumber: b, keys: Keys }]);
    const single = [a, ...Array.from({ length: 8 }, () => b), ...numbers.slice(2, 6)].map((number) => [number]);
    expect(calls).toEqual([numbers.slice(0, 5), ...single, numbers.slice(6, 11), numbers.slice(11)]);
    restart();
    await pollAll();
    expect(calls.at(-1)).toEqual(numbers.slice(11));
  });
});

test('failures double the pause up to 5 seconds, and the first one in a row is reported', async () => {
  const results = [
    true,
    false,
    ...Array.from({ length: 6 }, (_, n) => new Error(`failure ${n}`)),
    true,
    new Error('later'),
  ];
  const pauses: number[] = [];
  const errors: unknown[] = [];
  const work = async () => {
    const result = results.shift() ?? false;
    if (result instanceof Error) throw result;
    return result;
  };
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    if (results.length === 0) throw new Error('stopped');
  };
  await expect(repeat(work, pause, (error) => errors.push(error))).rejects.toThrow('stopped');
  expect(pauses).toEqual([0, 200, 400, 800, 1600, 3200, 5000, 5000, 0, 400]);
  expect(errors).toEqual([new Error('failure 0'), new Error('later')]);
});
