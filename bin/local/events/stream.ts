import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  type AttributeValue as StreamAttribute,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { clientOptions } from '../../../functions/table/dynamodb/connection.ts';
import { GENEROUS_LIMITS } from '../../service/environment.ts';

/** A part of a stream. When it ends, others continue it and name it as their parent. */
export interface Shard {
  readonly id: string;
  readonly parent: string | undefined;
}

/** Records of a shard, oldest first, and the iterator of those after them; `undefined` if the shard has ended. */
export interface StreamPage {
  readonly records: readonly DynamoDBRecord[];
  readonly next: string | undefined;
}

const ADVICE = 'Use the embedded engine (unset DYNAMODB_ENDPOINT) or another DynamoDB with streams.';

/** The stream of a table's changes, on the embedded engine or on another DynamoDB on this machine. */
export class ChangeStream {
  /** Identifies the stream: that of a new table with the same name has another one. */
  readonly arn: string;
  readonly #client: DynamoDBStreamsClient;

  constructor(client: DynamoDBStreamsClient, arn: string) {
    this.#client = client;
    this.arn = arn;
  }

  /** Opens the stream of a table. Throws an error with one clear sentence if the table has none. */
  static async open(endpoint: string, tableName: string): Promise<ChangeStream> {
    const client = new DynamoDBStreamsClient(clientOptions(endpoint, GENEROUS_LIMITS));
    const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName: tableName }));
    // The label is the time of the stream's creation. DynamoDB also lists streams that were switched off.
    const [newest] = Streams.toSorted((one, other) => ((one.StreamLabel ?? '') < (other.StreamLabel ?? '') ? 1 : -1));
    if (newest?.StreamArn !== undefined) return new ChangeStream(client, newest.StreamArn);
    client.destroy();
    throw new Error(`The table ${tableName} at ${endpoint} has no stream of changes. ${ADVICE}`);
  }

  /** Lists all shards that still exist. */
  async shards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const command = new DescribeStreamCommand({ StreamArn: this.arn, ExclusiveStartShardId: last });
      const { StreamDescription } = await this.#client.send(command);
      for (const { ShardId, ParentShardId } of StreamDescription?.Shards ?? []) {
        if (ShardId !== undefined) shards.push({ id: ShardId, parent: ParentShardId });
      }
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last !== undefined);
    return shards;
  }

  /**
   * Returns the iterator of the records after a sequence number, or of all records. If the records after it have been
   * deleted because of their age, the iterator begins with the oldest one that remains.
   */
  async iterator(shard: string, after: string | undefined): Promise<string> {
    const common = { StreamArn: this.arn, ShardId: shard };
    const oldest = () =>
      this.#client.send(new GetShardIteratorCommand({ ...common, ShardIteratorType: 'TRIM_HORIZON' }));
    const following = (SequenceNumber: string) =>
      this.#client
        .send(new GetShardIteratorCommand({ ...common, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }))
        .catch((error: unknown) => {
          if (error instanceof TrimmedDataAccessException) return oldest();
          throw error;
        });
    const { ShardIterator } = await (after === undefined ? oldest() : following(after));
    if (ShardIterator === undefined) {
      throw new Error(`DynamoDB returns no iterator for the shard ${shard} of its stream. ${ADVICE}`);
    }
    return ShardIterator;
  }

  /** Reads at most 1,000 records. */
  async read(iterator: string): Promise<StreamPage> {
    const { Records = [], NextShardIterator } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator: iterator }),
    );
    return { records: Records.map((record) => this.#lambdaRecord(record)), next: NextShardIterator };
  }

  /** Closes the sockets. Requests that are under way fail. */
  close(): void {
    this.#client.destroy();
  }

  /** Builds the record that Lambda would pass to a function, with the time in seconds. */
  #lambdaRecord({ eventID, eventName, dynamodb }: _Record): DynamoDBRecord {
    const { ApproximateCreationDateTime, Keys, OldImage, NewImage, ...change } = dynamodb ?? {};
    const seconds = Math.floor((ApproximateCreationDateTime?.getTime() ?? 0) / 1000);
    return {
      eventID,
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      eventSourceARN: this.arn,
      awsRegion: 'local',
      dynamodb: {
        ...change,
        ...(Keys && { Keys: imageOf(Keys) }),
        ...(OldImage && { OldImage: imageOf(OldImage) }),
        ...(NewImage && { NewImage: imageOf(NewImage) }),
        ApproximateCreationDateTime: seconds,
      },
    };
  }
}

function imageOf(image: Readonly<Record<string, StreamAttribute>>): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

/** Converts an attribute to Lambda's type. Items of the service have no attributes of other types. */
function attributeOf({ S, N, BOOL, L, M }: StreamAttribute): AttributeValue {
  if (S !== undefined) return { S };
  if (N !== undefined) return { N };
  if (BOOL !== undefined) return { BOOL };
  if (L !== undefined) return { L: L.map(attributeOf) };
  return M === undefined ? { NULL: true } : { M: imageOf(M) };
}
