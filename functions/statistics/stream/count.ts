import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Kind } from '../../kernel/accounts/rules/totals.ts';
import { PARTITION_KEY } from '../../kernel/dynamodb/schema.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import type { RecordMetrics } from '../../kernel/log/metrics.ts';
import { newEntryOf } from '../../ledger/table/stream.ts';
import { referralWriteOf } from '../../referrals/table/stream.ts';
import { addendOf, addendsOf } from '../rules/addend.ts';
import { customersOf, occurrencesOf } from '../rules/occurrences.ts';
import { type CountedRecord, countRecords } from '../table/count.ts';

/** Everything that `statistics` uses: `functions/lambdas` builds it on AWS, `bin/local/events` in the local service. */
export interface StatisticsDependencies {
  /** The table, with a limit for each request instead of a deadline. Its clock is also used. */
  readonly table: Table;
  readonly recordMetrics: RecordMetrics;
}

/**
 * A batch of one shard. Lambda names the shard only if the event source mapping has a tumbling window
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html).
 */
export interface ShardEvent extends DynamoDBStreamEvent {
  readonly shardId?: string;
}

/** The state of the window, which must be returned but is not used: Lambda may pass it twice. */
export interface WindowResponse {
  readonly state: Readonly<Record<string, never>>;
}

/**
 * Returns the function that adds the changes in a batch of the table's stream to the statistics, each exactly once. The
 * last batch of a window may be empty. An unreadable record counts as nothing. Throws `Unavailable`: then Lambda
 * passes the batch again.
 */
export function statisticsHandler({
  table,
  recordMetrics,
}: StatisticsDependencies): (event: ShardEvent) => Promise<WindowResponse> {
  return async ({ Records, shardId }) => {
    if (shardId === undefined) throw new MissingShard();
    const records = Records.flatMap((record) => recordOf(record) ?? []);
    const counted = await countRecords(table, shardId, records);
    for (const [program, own] of Map.groupBy(counted, (record) => record.program)) {
      const count = (kind: Kind) =>
        own.flatMap(({ addends }) => addends).filter((addend) => addend.kind === kind).length;
      recordMetrics(program, { Clicks: count('clicks'), Conversions: count('conversions') });
    }
    return { state: {} };
  };
}

/** The event source mapping lacks its tumbling window. The error has a name because the log contains names only. */
class MissingShard extends Error {
  override readonly name = 'MissingShard';
}

/** Returns what a record of the stream counts; `undefined` if that is nothing. */
function recordOf(record: DynamoDBRecord): CountedRecord | undefined {
  try {
    const { program = '', addends = [], customers = [] } = ofReferral(record) ?? ofEntry(record) ?? {};
    if (addends.length + customers.length === 0) return undefined;
    return { sequence: BigInt(record.dynamodb?.SequenceNumber ?? 'missing'), program, addends, customers };
  } catch (error) {
    logFailure('record_unreadable', { key: record.dynamodb?.Keys?.[PARTITION_KEY]?.S ?? 'unknown' }, error);
    return undefined;
  }
}

type CountedParts = Omit<CountedRecord, 'sequence'>;

/** What a write of a referral adds. */
function ofReferral(record: DynamoDBRecord): CountedParts | undefined {
  const written = referralWriteOf(record);
  if (!written) return undefined;
  const { program, before, after } = written;
  return {
    program,
    addends: occurrencesOf(before, after).map(addendOf),
    customers: customersOf(before, after),
  };
}

/** What a new entry of the ledger adds. */
function ofEntry(record: DynamoDBRecord): CountedParts | undefined {
  const written = newEntryOf(record);
  return written && { program: written.program, addends: addendsOf(written.entry), customers: [] };
}
