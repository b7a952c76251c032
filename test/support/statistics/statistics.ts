import type { DynamoDBRecord } from 'aws-lambda';
import { openStream } from '../../../bin/local/events/stream.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import {
  KINDS,
  MONEY_KINDS,
  type MoneyKind,
  NO_NUMBERS,
  type Numbers,
} from '../../../functions/kernel/accounts/rules/totals.ts';
import { type Day, dayOf } from '../../../functions/kernel/days.ts';
import type { RecordMetrics } from '../../../functions/kernel/log/metrics.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { statisticsHandler } from '../../../functions/statistics/stream/count.ts';
import { countRecords } from '../../../functions/statistics/table/count.ts';
import { readDaily } from '../../../functions/statistics/table/sums.ts';
import type { TestTable } from '../table.ts';

/** A sequence number as long as DynamoDB's: 23 digits, more than a JavaScript number can represent exactly. */
const FIRST = 10_000_000_000_000_000_000_000n;
let sequence = FIRST;

/** The same record with the next of these long sequence numbers. */
export function withLongSequence(record: DynamoDBRecord): DynamoDBRecord {
  sequence += 1n;
  return { ...record, dynamodb: { ...record.dynamodb, SequenceNumber: String(sequence) } };
}

/** A recorded metric. */
export type Recorded = Parameters<RecordMetrics>;

/** The function `statistics` on a table, and the metrics that it records. */
export function counterOn(table: TestTable) {
  const metrics: Recorded[] = [];
  const handle = statisticsHandler({ table, recordMetrics: (...recorded) => metrics.push(recorded) });
  const count = (Records: readonly DynamoDBRecord[], shardId = 'shard-1') => handle({ Records: [...Records], shardId });
  return { count, metrics };
}

/** Reads all records of a table's stream, and counts them. */
export async function countStream(table: TestTable, endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''): Promise<void> {
  const { count } = counterOn(table);
  const stream = await openStream(endpoint, table.name);
  for (const shard of (await stream.shards()).keys()) {
    let after: string | undefined;
    for (;;) {
      const { records } = await stream.read(shard, after);
      if (records.length === 0) break;
      await count(records, shard);
      after = records.at(-1)?.dynamodb?.SequenceNumber;
    }
  }
  stream.close();
}

/** What an advocate (`null`: the program) has on a day. */
export async function numbersOn(
  table: TestTable,
  { id }: Pick<Program, 'id'>,
  slug: string | null,
  day: Day,
): Promise<Numbers> {
  const [daily] = await readDaily(table, id, [slug], { from: day, to: day });
  return daily?.numbers.get(day) ?? NO_NUMBERS;
}

/** The day on which a referral was created. */
export const dayOfReferral = ({ createdAt }: Pick<Referral, 'createdAt'>): Day => dayOf(createdAt);

/** Adds numbers of an advocate to the sums, as if the stream had counted them. */
export async function addNumbers(
  table: TestTable,
  { id }: Pick<Program, 'id'>,
  slug: string,
  day: Day,
  numbers: Partial<Numbers>,
): Promise<void> {
  const addends = KINDS.map((kind) => ({ kind, day, slug, currency: null, amount: numbers[kind] ?? 0 }));
  sequence += 1n;
  await countRecords(table, `shard-${sequence}`, [
    { sequence, program: id, addends: addends.filter(({ amount }) => amount > 0), customers: [] },
  ]);
}

/** Adds money of an advocate to the sums, as if the stream had counted its entries. */
export async function addMoney(
  table: TestTable,
  { id }: Pick<Program, 'id'>,
  slug: string,
  day: Day,
  { currency, ...money }: { readonly currency: string } & Partial<Record<MoneyKind, number>>,
): Promise<void> {
  const addends = MONEY_KINDS.map((kind) => ({ kind, day, slug, currency, amount: money[kind] ?? 0 }));
  sequence += 1n;
  const counted = addends.filter(({ amount }) => amount !== 0);
  await countRecords(table, `shard-${sequence}`, [{ sequence, program: id, addends: counted, customers: [] }]);
}
