import type { DynamoDBRecord } from 'aws-lambda';
import { referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { SORT_KEY } from '../../../functions/kernel/dynamodb/schema.ts';
import { EVENT_KINDS } from '../../../functions/ledger/rules/entry-event.ts';
import type { statisticsHandler } from '../../../functions/statistics/stream/count.ts';
import type { AddPoisonRecords } from '../../../functions/webhooks/stream/destinations.ts';
import type { publishHandler } from '../../../functions/webhooks/stream/publish.ts';
import type { EventQueue, Position, ReaderName } from '../../service/event-queue.ts';
import type { ChangeStream } from './stream.ts';

interface PollerDependencies {
  readonly stream: Pick<ChangeStream, 'arn' | 'shards' | 'read'>;
  readonly queue: Pick<EventQueue, 'positions' | 'setPosition'>;
  readonly reader: StreamReader;
}

/** How often in a row a reader throws for the same first record until it gives this record up. */
const MAX_THROWN = 8;

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
  /** How often the reader has thrown in a row, for shards whose page is handled one record at a time. */
  const thrown = new Map<string, number>();

  /** Handles records. Returns the number of records before the first failed record. */
  async function handleBatch(shard: string, batch: readonly DynamoDBRecord[]): Promise<number> {
    const times = thrown.get(shard);
    if (times === MAX_THROWN && reader.giveUp) {
      for (const record of batch) await reader.giveUp(record);
      thrown.set(shard, 0);
      return batch.length;
    }
    try {
      const changes = batch.filter(reader.accepts);
      const failures = changes.length > 0 ? await reader.handle(shard, changes) : [];
      const failed = failures.map((sequence) => batch.findIndex((record) => sequenceOf(record) === sequence));
      if (failed.includes(-1)) throw new RangeError('no such record');
      if (times !== undefined) thrown.set(shard, 0);
      return Math.min(batch.length, ...failed);
    } catch {
      // Nothing says which record is to blame.
      thrown.set(shard, (times ?? 0) + 1);
      return 0;
    }
  }

  /** Handles a page, and stores the position after each batch. Throws if a record fails. */
  async function handlePage(shard: string, records: readonly DynamoDBRecord[]): Promise<void> {
    let pending = records;
    while (pending.length > 0) {
      const batch = pending.slice(0, thrown.has(shard) ? 1 : reader.batch);
      const handled = await handleBatch(shard, batch);
      const last = batch[handled - 1];
      if (last) setPosition(shard, sequenceOf(last), false);
      if (handled < batch.length) throw new Error(FAILURES[reader.name]);
      pending = pending.slice(handled);
    }
    thrown.delete(shard);
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
  /** Returns the sequence numbers of the failed records. Throws if nothing says which of them is to blame. */
  readonly handle: (shard: string, records: DynamoDBRecord[]) => Promise<readonly string[]>;
  /** Gives up a record for which `handle` has thrown again and again. Absent if it is tried for as long as it exists. */
  readonly giveUp?: (record: DynamoDBRecord) => Promise<unknown>;
}

export function publishReader(
  publish: ReturnType<typeof publishHandler>,
  addPoisonRecords: AddPoisonRecords,
): StreamReader {
  return {
    name: 'publish',
    accepts: (record) => isReferralChange(record) || isNewPayment(record),
    batch: 100,
    handle: async (_, Records) => {
      const { batchItemFailures } = await publish({ Records });
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    giveUp: ({ dynamodb }) =>
      addPoisonRecords([{ sequenceNumber: dynamodb?.SequenceNumber ?? '', keys: dynamodb?.Keys }]),
  };
}

export function statisticsReader(count: ReturnType<typeof statisticsHandler>): StreamReader {
  return {
    name: 'statistics',
    accepts: isReferralChange,
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

const REFERRAL = referralKey('', '')[SORT_KEY];

/** The deletion of a click that has expired is not an event. */
function isReferralChange({ eventName, dynamodb }: DynamoDBRecord): boolean {
  return (eventName === 'INSERT' || eventName === 'MODIFY') && dynamodb?.Keys?.[SORT_KEY]?.S === REFERRAL;
}

function isNewPayment({ eventName, dynamodb }: DynamoDBRecord): boolean {
  const { kind, by } = dynamodb?.NewImage ?? {};
  return eventName === 'INSERT' && EVENT_KINDS.some((each) => each === kind?.S) && by?.S !== 'import';
}
