import type { DynamoDBRecord } from 'aws-lambda';
import type { AddPoisonRecords } from '../../../functions/events/destinations.ts';
import type { publishHandler } from '../../../functions/events/publish.ts';
import type { statisticsHandler } from '../../../functions/statistics/count.ts';
import type { ReaderName } from '../../service/event-queue.ts';

/** One of the functions that read the stream, as its event source mapping in `lib/` calls it. */
export interface StreamReader {
  /** Each reader has positions of its own. */
  readonly name: ReaderName;
  /** The most records in a call. */
  readonly batch: number;
  /**
   * Handles records of a shard, in order. Returns the sequence numbers of the failed ones. Throws if nothing says which of
   * them is to blame.
   */
  readonly handle: (shard: string, records: DynamoDBRecord[]) => Promise<readonly string[]>;
  /** Gives up a record for which `handle` has thrown again and again. Absent if it is tried for as long as it exists. */
  readonly giveUp?: (record: DynamoDBRecord) => Promise<unknown>;
}

/** The reader that publishes events. */
export function publishReader(
  publish: ReturnType<typeof publishHandler>,
  addPoisonRecords: AddPoisonRecords,
): StreamReader {
  return {
    name: 'publish',
    batch: 100,
    handle: async (_, Records) => {
      const { batchItemFailures } = await publish({ Records });
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    giveUp: ({ dynamodb }) =>
      addPoisonRecords([{ sequenceNumber: dynamodb?.SequenceNumber ?? '', keys: dynamodb?.Keys }]),
  };
}

/** The reader that counts the statistics. */
export function statisticsReader(count: ReturnType<typeof statisticsHandler>): StreamReader {
  return {
    name: 'statistics',
    batch: 1000,
    handle: async (shardId, Records) => {
      await count({ Records, shardId });
      return [];
    },
  };
}

/** A reader that does nothing with what the stream contains so far. */
export const skippingReader = (name: ReaderName): StreamReader => ({ name, batch: 1000, handle: async () => [] });
