import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY_ATTRIBUTE, INDEXES, PARTITION_KEY, SORT_KEY } from './schema.ts';
import type { Table } from './table.ts';

/** Longest time for a table to become usable, in seconds: AWS takes some ten, an engine of one's own none. */
const MAX_WAIT = 120;

/**
 * Creates the table of `schema.ts` where it is missing, and finishes what a start that was cut off left undone. For
 * engines of one's own and for tests: on AWS the stack does it.
 */
export async function createMissingTable(table: Table): Promise<void> {
  const { client, name: TableName } = table;
  if (!(await exists(table))) await create(table);
  await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT, minDelay: 1 }, { TableName });
  await enableExpiry(table);
}

async function exists({ client, name }: Table): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName: name }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

async function create({ client, name }: Table): Promise<void> {
  const indexes = Object.entries(INDEXES);
  const keys = indexes.flatMap(([, { partitionKey, sortKey }]) => [partitionKey, sortKey]);
  const attributes = new Set([PARTITION_KEY, SORT_KEY, ...keys]);
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(PARTITION_KEY, SORT_KEY),
    GlobalSecondaryIndexes: indexes.map(([IndexName, index]) => ({
      IndexName,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.nonKeyAttributes] },
    })),
  });
  try {
    await client.send(command);
  } catch (error) {
    // Another start made it a moment ago.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

async function enableExpiry({ client, name: TableName }: Table): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return;
  const TimeToLiveSpecification = { AttributeName: EXPIRY_ATTRIBUTE, Enabled: true };
  try {
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    // "TimeToLive is already enabled": another start did it a moment ago.
    if (!(error instanceof DynamoDBServiceException && /already enabled/.test(error.message))) throw error;
  }
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
