import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY_ATTRIBUTE, INDEXES, PARTITION_KEY, SORT_KEY } from './schema.ts';
import type { Table } from './table.ts';

/** Longest time for a table to become usable, in seconds: AWS takes some ten, an engine of one's own none. */
const MAX_WAIT = 120;

/** Creates the table of `schema.ts` where it is missing. For engines of one's own and for tests: on AWS the stack does it. */
export async function createMissingTable({ client, name }: Table): Promise<void> {
  const TableName = name;
  try {
    await client.send(new DescribeTableCommand({ TableName }));
    return;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
  const indexes = Object.values(INDEXES);
  const attributes = new Set([
    PARTITION_KEY,
    SORT_KEY,
    ...indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
  ]);
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keySchema(PARTITION_KEY, SORT_KEY),
        GlobalSecondaryIndexes: indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: keySchema(index.partitionKey, index.sortKey),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.nonKeyAttributes] },
        })),
      }),
    );
  } catch (error) {
    // Another start made it a moment ago.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT, minDelay: 1 }, { TableName });
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { AttributeName: EXPIRY_ATTRIBUTE, Enabled: true },
    }),
  );
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
