import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { clientOptions } from '../../../functions/kernel/dynamodb/connection.ts';
import { GENEROUS_LIMITS } from '../../service/environment.ts';

/** A stream of a table's changes. Its shards end, and their children continue them. */
export interface ChangeStream {
  /** Identifies the stream, also among streams of earlier tables with the same name. */
  readonly arn: string;
  /** Returns the ids of all shards that still exist, each with the id of its parent. */
  shards(): Promise<ReadonlyMap<string, string>>;
  /** Reads records after a sequence number, oldest first. If that record has expired, reads from the oldest record. */
  read(shard: string, after: string | undefined): Promise<{ records: DynamoDBRecord[]; hasEnded: boolean }>;
  /** Closes the sockets. Requests that are under way fail. */
  close(): void;
}

/** Opens the stream of a table on this machine. Throws an error with one clear sentence if it has none. */
export async function openStream(endpoint: string, tableName: string): Promise<ChangeStream> {
  const client = new DynamoDBStreamsClient(clientOptions(endpoint, GENEROUS_LIMITS));
  const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName: tableName }));
  // DynamoDB also lists streams that were switched off. The label is the time of the stream's creation.
  const [newest] = Streams.toSorted((one, other) => ((one.StreamLabel ?? '') < (other.StreamLabel ?? '') ? 1 : -1));
  const StreamArn = newest?.StreamArn;
  if (StreamArn === undefined) {
    const advice = 'Use the embedded engine (unset DYNAMODB_ENDPOINT) or another DynamoDB with streams.';
    throw new Error(`The table ${tableName} at ${endpoint} has no stream of changes. ${advice}`);
  }

  async function iteratorAfter(ShardId: string, SequenceNumber: string | undefined): Promise<string | undefined> {
    const ShardIteratorType = SequenceNumber === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER';
    const command = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType, SequenceNumber });
    return (await client.send(command)).ShardIterator;
  }

  return {
    arn: StreamArn,
    async shards() {
      const parents = new Map<string, string>();
      let last: string | undefined;
      do {
        const page = await client.send(new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId: last }));
        for (const { ShardId = '', ParentShardId = '' } of page.StreamDescription?.Shards ?? []) {
          parents.set(ShardId, ParentShardId);
        }
        last = page.StreamDescription?.LastEvaluatedShardId;
      } while (last !== undefined);
      return parents;
    },
    async read(shard, after) {
      const ShardIterator = await iteratorAfter(shard, after).catch((error: unknown) => {
        if (error instanceof TrimmedDataAccessException) return iteratorAfter(shard, undefined);
        throw error;
      });
      const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator }));
      // Lambda also passes records as JSON.
      return {
        records: JSON.parse(JSON.stringify(Records.map(withSeconds))),
        hasEnded: NextShardIterator === undefined,
      };
    },
    close: () => client.destroy(),
  };
}

/** Lambda passes times as seconds. */
function withSeconds({ dynamodb, ...record }: _Record) {
  const at = dynamodb?.ApproximateCreationDateTime;
  return { ...record, dynamodb: { ...dynamodb, ...(at && { ApproximateCreationDateTime: at.getTime() / 1000 }) } };
}
