import { expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { skippingReader, statisticsReader, streamPoller } from '../../../bin/local/events/poller.ts';
import type { Position, ReaderName } from '../../../bin/service/event-queue.ts';
import { useEventQueue } from '../../support/events/local-events.ts';

const local = useEventQueue();
const position = (reader: ReaderName, sequence: string, shard = 's', stream = 'arn'): Position => {
  return { reader, stream, shard, sequence, hasEnded: false };
};

test('a record was passed by all readers up to the lowest of their positions', () => {
  local.queue.setPosition(position('publish', '0000000000000000000010'));
  expect(local.queue.passedPositions()).toEqual([]);
  local.queue.setPosition(position('statistics', '9'));
  local.queue.setPosition(position('statistics', '5', 'other'));
  local.queue.setPosition(position('publish', '5', 's', 'arn of an earlier table'));
  expect(local.queue.passedPositions()).toEqual([position('statistics', '9')]);
  local.queue.setPosition(position('statistics', '11'));
  expect(local.queue.passedPositions()).toEqual([position('publish', '0000000000000000000010')]);
});

/** A stream with one shard of three changes. */
const records = ['1', '2', '3'].map((SequenceNumber): DynamoDBRecord => {
  return { eventName: 'INSERT', dynamodb: { SequenceNumber, Keys: { sk: { S: 'REFERRAL' } } } };
});
const numberOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.SequenceNumber ?? '';
const stream = {
  arn: 'arn',
  shards: async () => new Map([['s', '']]),
  read: async (_: string, after: string | undefined) => {
    return { records: records.filter((record) => Number(numberOf(record)) > Number(after ?? 0)), hasEnded: false };
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
