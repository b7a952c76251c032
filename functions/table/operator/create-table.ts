import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TableMissing } from '../../domain/errors.ts';
import { EXPIRY_ATTRIBUTE, INDEXES, PARTITION_KEY, SORT_KEY } from '../schema.ts';
import type { Table } from '../table.ts';

/** Maximum pause before the status of a new table is read again, in milliseconds. */
const LONGEST_PAUSE = 1000;

/**
 * Creates the table of `schema.ts` if it does not exist, or completes it after an interrupted start. Only for local
 * engines and tests: on AWS the stack creates the table.
 */
export async function createMissingTable(table: Table): Promise<void> {
  if ((await statusOf(table)) === undefined) await create(table);
  while ((await statusOf(table)) !== 'ACTIVE') await table.backOff(LONGEST_PAUSE);
  await enableExpiry(table);
}

/** Returns the status of the table; `undefined` if it does not exist. */
async function statusOf(table: Table): Promise<string | undefined> {
  try {
    const { Table } = await table.send(({ client, tableName }, options) =>
      client.send(new DescribeTableCommand({ TableName: tableName }), options),
    );
    return Table?.TableStatus;
  } catch (error) {
    if (error instanceof TableMissing) return undefined;
    throw error;
  }
}

async function create(table: Table): Promise<void> {
  const indexes = Object.entries(INDEXES);
  const keys = indexes.flatMap(([, { partitionKey, sortKey }]) => [partitionKey, sortKey]);
  const attributes = new Set([PARTITION_KEY, SORT_KEY, ...keys]);
  await table.send(async ({ client, tableName }, options) => {
    const command = new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchema(PARTITION_KEY, SORT_KEY),
      GlobalSecondaryIndexes: indexes.map(([IndexName, index]) => ({
        IndexName,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.nonKeyAttributes] },
      })),
    });
    await client.send(command, options).catch((error: unknown) => {
      // Another process has just created it.
      if (!(error instanceof ResourceInUseException)) throw error;
    });
  });
}

async function enableExpiry(table: Table): Promise<void> {
  await table.send(async ({ client, tableName: TableName }, options) => {
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }), options);
    if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return;
    const TimeToLiveSpecification = { AttributeName: EXPIRY_ATTRIBUTE, Enabled: true };
    const command = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification });
    await client.send(command, options).catch((error: unknown) => {
      // Another process has just enabled it.
      if (!(error instanceof DynamoDBServiceException && /already enabled/.test(error.message))) throw error;
    });
  });
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
