import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { repeat } from '../../../bin/local/events/events.ts';
import { publishReader, skippingReader, statisticsReader, streamPoller } from '../../../bin/local/events/poller.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { itemRecord } from '../../support/events/events.ts';
import { useEventQueue } from '../../support/events/local-events.ts';
import { NOW, PROGRAM_ID, REFERRAL_ID } from '../../support/samples.ts';

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
let sequence: number;
/** The sequence numbers of each call of `publish`. */
let calls: string[][];
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
        const { records, hasEnded } = shards.get(id) ?? { records: [], hasEnded: made() };
        const start = records.findIndex((record) => numberOf(record) === after) + 1;
        return { records: records.slice(start, start + PAGE), hasEnded: hasEnded && start + PAGE >= records.length };
      },
    },
    reader: publishReader(async ({ Records }) => {
      const numbers = Records.map(numberOf);
      calls.push(numbers);
      return { batchItemFailures: fails(numbers).map((itemIdentifier) => ({ itemIdentifier })) };
    }),
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
  [shards, listings, sequence, calls, fails] = [new Map(), 0, 0, [], () => []];
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
    const others = [record('REMOVE'), record('INSERT', 'ADVOCATE')];
    const records = [record('INSERT'), ...others, record('MODIFY'), record('MODIFY', 'CLAIM')];
    const [inserted = '', , , changed = '', last] = write('s', ...records);
    await pollAll();
    restart();
    await pollAll();
    expect(calls).toEqual([[inserted, changed]]);
    expect(local.queue.positions()).toMatchObject([{ shard: 's', sequence: last }]);
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
});

describe('changes that cannot be published', () => {
  test('a failed change and all after it are published again as long as the queue or the table fails', async () => {
    const [a = '', b = '', c = '', d = ''] = write('s', ...changes(4));
    fails = () => (calls.length < 100 ? [d, b] : []);
    await pollAll();
    expect(calls).toEqual([[a, b, c, d], ...Array.from({ length: 99 }, () => [b, c, d])]);
  });

  test('a change is published again as long as `publish` throws', async () => {
    const numbers = write('s', ...changes(2));
    fails = () => (calls.length < 30 ? made() : []);
    await pollAll();
    expect(calls).toEqual(Array.from({ length: 30 }, () => numbers));
  });
});

test('failures double the pause up to 5 seconds, and the first one in a row is reported', async () => {
  const failures = Array.from({ length: 6 }, (_, n) => new Error(`failure ${n}`));
  const results = [true, false, ...failures, true, new Error('later')];
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

/** A stream with one shard of three changes. */
const threeRecords = ['1', '2', '3'].map((SequenceNumber): DynamoDBRecord => {
  return { eventName: 'INSERT', dynamodb: { SequenceNumber, Keys: { sk: { S: 'REFERRAL' } } } };
});
const stream = {
  arn: 'arn',
  shards: async () => new Map([['s', '']]),
  read: async (_: string, after: string | undefined) => {
    return { records: threeRecords.filter((record) => Number(numberOf(record)) > Number(after ?? 0)), hasEnded: false };
  },
};

test('two readers read the same records, each from its own position, and one can skip them', async () => {
  const counted: string[] = [];
  const reader = statisticsReader(async ({ Records, shardId }) => {
    counted.push(...Records.map((record) => `${shardId} ${numberOf(record)}`));
    return { state: {} };
  });
  const poll = streamPoller({ stream, queue: local.queue, reader });
  const skip = streamPoller({ stream, queue: local.queue, reader: skippingReader('publish') });
  expect([await poll(), await poll(), await skip(), await skip()]).toEqual([true, false, true, false]);
  expect(counted).toEqual(['s 1', 's 2', 's 3']);
  expect(local.queue.passedPositions()).toEqual([expect.objectContaining({ sequence: '3' })]);
});

test('statistics never give a record up', async () => {
  let isFailing = true;
  const counted: string[] = [];
  const reader = statisticsReader(async ({ Records }) => {
    if (isFailing) throw new Error('made by a test');
    counted.push(...Records.map(numberOf));
    return { state: {} };
  });
  const poll = streamPoller({ stream, queue: local.queue, reader });
  for (let time = 0; time < 30; time += 1) await expect(poll()).rejects.toThrow('changes could not be counted');
  isFailing = false;
  await poll();
  expect(counted).toEqual(['1', '2', '3']);
});

const publish = publishReader(async () => ({ batchItemFailures: [] }));
const statistics = statisticsReader(async () => ({ state: {} }));

const referral = { pk: `PROGRAM#${PROGRAM_ID}#REFERRAL#${REFERRAL_ID}`, sk: 'REFERRAL' };
const entry = { pk: `PROGRAM#${PROGRAM_ID}#LEDGER#jane`, sk: `${NOW}#${REFERRAL_ID}`, kind: 'payment', by: 'merchant' };
const advocate = { pk: `PROGRAM#${PROGRAM_ID}#ADVOCATE#jane`, sk: 'ADVOCATE' };
const members = { pk: `PROGRAM#${PROGRAM_ID}`, sk: 'MEMBERS' };
const links = { pk: `PROGRAM#${PROGRAM_ID}#SIGN_IN#0`, sk: 'LINKS#portal' };
const claim = { pk: `PROGRAM#${PROGRAM_ID}#PAYMENT#1`, sk: 'CLAIM', id: 'in_1' };

test.each<[string, Item | null, Item | null, boolean, boolean]>([
  ['a new referral', null, referral, true, true],
  ['a changed referral', referral, { ...referral, state: 'paid' }, true, true],
  ['an expired click', referral, null, false, false],
  ['a new payment', null, entry, true, true],
  ['a new refund of Stripe', null, { ...entry, kind: 'refund', by: 'stripe' }, true, true],
  ['an imported payment', null, { ...entry, by: 'import' }, false, true],
  ['a void', null, { ...entry, kind: 'void' }, false, true],
  ['a new settlement', null, { ...entry, kind: 'settlement' }, true, true],
  ['an imported settlement', null, { ...entry, kind: 'settlement', by: 'import' }, false, true],
  ['a new advocate', null, advocate, false, false],
  ['a changed advocate', advocate, { ...advocate, email: 'x' }, true, false],
  ['the first member', null, members, true, false],
  ['another member', members, { ...members, version: 2 }, true, false],
  ['a first request for a link', null, links, true, false],
  ['another request for a link', links, { ...links, version: 2 }, true, false],
  ['an expired request for a link', links, null, false, false],
  ['a changed payment', entry, { ...entry, note: 'x' }, false, false],
  ['a claim', null, claim, false, false],
  ['a token', null, { pk: 'TOKEN#1', sk: 'TOKEN', kind: 'program' }, false, false],
])('%s is read for events and statistics as on AWS', (_, before, after, isEvent, isCounted) => {
  const record = itemRecord(before, after);
  expect([publish.accepts(record), statistics.accepts(record)]).toEqual([isEvent, isCounted]);
  expect(skippingReader('publish').accepts(record)).toBe(false);
});
