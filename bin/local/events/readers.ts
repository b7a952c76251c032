import type { DynamoDBRecord } from 'aws-lambda';
import { EVENT_KINDS } from '../../../functions/domain/ledger/entry-event.ts';
import type { AddPoisonRecords } from '../../../functions/events/destinations.ts';
import type { publishHandler } from '../../../functions/events/publish.ts';
import type { statisticsHandler } from '../../../functions/statistics/count.ts';
import { referralKey } from '../../../functions/table/keys.ts';
import { SORT_KEY } from '../../../functions/table/schema.ts';
import type { ReaderName } from '../../service/event-queue.ts';

/** One of the functions that read the stream, as its event source mapping in `lib/` calls it. */
export interface StreamReader {
  readonly name: ReaderName;
  /** The filters of the event source mapping, one of which a record must pass. */
  readonly accepts: (record: DynamoDBRecord) => boolean;
  /** The most records in a call. */
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
