import type { DynamoDBRecord } from 'aws-lambda';
import {
  isAdvocateKey,
  isApplicationKey,
  isDraftKey,
  isMembersKey,
  isReferralKey,
  isSignInLinksKey,
  type Key,
} from '../../../functions/kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../../functions/kernel/dynamodb/schema.ts';
import { EVENT_KINDS } from '../../../functions/ledger/rules/entry-event.ts';
import { ENTRY_KINDS, type EntryKind } from '../../../functions/ledger/rules/entry-fields.ts';
import type { StreamHandler } from '../../../functions/people/stream/queue-emails.ts';
import type { statisticsHandler } from '../../../functions/statistics/stream/count.ts';
import type { EventQueue, Position, ReaderName } from '../../service/event-queue.ts';
import type { ChangeStream } from './stream.ts';

interface PollerDependencies {
  readonly stream: Pick<ChangeStream, 'arn' | 'shards' | 'read'>;
  readonly queue: Pick<EventQueue, 'positions' | 'setPosition'>;
  readonly reader: StreamReader;
}

const FAILURES = {
  publish: 'changes could not be published',
  statistics: 'changes could not be counted',
} as const;

/**
 * Returns a function that calls a reader with one page of each shard of the stream, as the event source mappings in `lib/`
 * do on AWS: with the records that the reader accepts only, in order, again from the first record that failed
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html). It resolves to true if there may
 * be more. It throws if a shard cannot be read or a record fails: the next call continues there.
 */
export function streamPoller({ stream, queue, reader }: PollerDependencies): () => Promise<boolean> {
  /** The shards that have not ended and whose parents have. They are listed if empty. */
  let open: readonly string[] = [];
  /** Handles records. Returns the number of records before the first failed record. */
  async function handleBatch(shard: string, batch: readonly DynamoDBRecord[]): Promise<number> {
    const changes = batch.filter(reader.accepts);
    const failures = changes.length > 0 ? await reader.handle(shard, changes) : [];
    const failed = failures.map((sequence) => batch.findIndex((record) => sequenceOf(record) === sequence));
    return Math.min(batch.length, ...failed);
  }

  /** Handles a page, and stores the position after each batch. Throws if a record fails. */
  async function handlePage(shard: string, records: readonly DynamoDBRecord[]): Promise<void> {
    let pending = records;
    while (pending.length > 0) {
      const batch = pending.slice(0, reader.batch);
      const handled = await handleBatch(shard, batch).catch(() => 0);
      const last = batch[handled - 1];
      if (last) setPosition(shard, sequenceOf(last), false);
      if (handled < batch.length) throw new Error(FAILURES[reader.name]);
      pending = pending.slice(handled);
    }
  }

  async function pollShard(shard: string, after: string | undefined): Promise<{ hasEnded: boolean; isMore: boolean }> {
    const { records, hasEnded } = await stream.read(shard, after);
    await handlePage(shard, records);
    const last = records.at(-1);
    const sequence = last ? sequenceOf(last) : (after ?? '');
    if (hasEnded) setPosition(shard, sequence, hasEnded);
    return { hasEnded, isMore: hasEnded || records.length > 0 };
  }

  function setPosition(shard: string, sequence: string, hasEnded: boolean): void {
    queue.setPosition({ reader: reader.name, stream: stream.arn, shard, sequence, hasEnded });
  }

  return async () => {
    const isOwn = (position: Position) => position.stream === stream.arn && position.reader === reader.name;
    const own = queue.positions().filter(isOwn);
    const positions = new Map(own.map((position) => [position.shard, position]));
    const shards = open.length > 0 ? open : openShards(await stream.shards(), positions);
    open = [];
    // A shard that fails stops no other, as on AWS.
    const results = await Promise.allSettled(shards.map((shard) => pollShard(shard, positions.get(shard)?.sequence)));
    const polled = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (!polled.some(({ hasEnded }) => hasEnded)) open = shards;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return polled.some(({ isMore }) => isMore);
  };
}

/** Returns the shards that have not ended and whose parents have, or no longer exist. */
function openShards(parents: ReadonlyMap<string, string>, positions: ReadonlyMap<string, Position>): string[] {
  const isPending = (id: string) => parents.has(id) && positions.get(id)?.hasEnded !== true;
  return [...parents].filter(([id, parent]) => isPending(id) && !isPending(parent)).map(([id]) => id);
}

const sequenceOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.SequenceNumber ?? '';

/** One of the functions that read the stream, as its event source mapping in `lib/` calls it. */
interface StreamReader {
  readonly name: ReaderName;
  /** The filters of the event source mapping, one of which a record must pass. */
  readonly accepts: (record: DynamoDBRecord) => boolean;
  readonly batch: number;
  /** Returns the sequence numbers of the failed records. If it throws, all of them have failed. */
  readonly handle: (shard: string, records: DynamoDBRecord[]) => Promise<readonly string[]>;
}

export function publishReader(publish: StreamHandler): StreamReader {
  return {
    name: 'publish',
    accepts: (record) => isReferralChange(record) || isNewPaymentOrSettlement(record) || isForEmails(record),
    batch: 100,
    handle: async (_, Records) => {
      const { batchItemFailures } = await publish({ Records });
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
  };
}

export function statisticsReader(count: ReturnType<typeof statisticsHandler>): StreamReader {
  return {
    name: 'statistics',
    accepts: (record) => isReferralChange(record) || isNewEntry(record),
    batch: 1000,
    handle: async (shardId, Records) => {
      await count({ Records, shardId });
      return [];
    },
  };
}

/** A reader that does nothing with what the stream contains so far. */
export const skippingReader = (name: ReaderName): StreamReader => ({
  name,
  accepts: () => false,
  batch: 1000,
  handle: async () => [],
});

/** The deletion of a click that has expired is not an event. */
const isReferralChange = (record: DynamoDBRecord): boolean => isWrite(record, isReferralKey);

/** Changes of advocates, members, requests for links, and applications. Payments and settlements are new entries. */
const isForEmails = (record: DynamoDBRecord): boolean =>
  isWrite(record, (key) => [isMembersKey, isSignInLinksKey, isDraftKey, isApplicationKey].some((is) => is(key))) ||
  (record.eventName === 'MODIFY' && isWrite(record, isAdvocateKey));

function isWrite({ eventName, dynamodb }: DynamoDBRecord, isWanted: (key: Key) => boolean): boolean {
  const { [PARTITION_KEY]: pk, [SORT_KEY]: sk } = dynamodb?.Keys ?? {};
  return (eventName === 'INSERT' || eventName === 'MODIFY') && isWanted({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
}

function isNewEntry({ eventName, dynamodb }: DynamoDBRecord, kinds: readonly EntryKind[] = ENTRY_KINDS): boolean {
  return eventName === 'INSERT' && kinds.some((each) => each === dynamodb?.NewImage?.['kind']?.S);
}

function isNewPaymentOrSettlement(record: DynamoDBRecord): boolean {
  return isNewEntry(record, [...EVENT_KINDS, 'settlement']) && record.dynamodb?.NewImage?.['by']?.S !== 'import';
}
