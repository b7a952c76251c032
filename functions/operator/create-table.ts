import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY_ATTRIBUTE, PARTITION_KEY, SORT_KEY } from '../kernel/dynamodb/schema.ts';
import type { Table } from '../kernel/dynamodb/table.ts';
import { TableMissing } from '../kernel/errors.ts';
import { PROJECTED_INDEXES } from '../projections.ts';

/** Maximum pause before the status of a new table is read again, in milliseconds. */
const LONGEST_PAUSE = 1000;

/** Settings of a new table beyond `schema.ts`. */
export interface TableOptions {
  /** Switches on the stream of changes, which events and statistics read. Tests of neither leave it off: it slows writes. */
  readonly stream?: boolean;
}

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/**
 * Creates the table of `schema.ts` if it does not exist, or completes it after an interrupted start. An existing table
 * keeps its items. Only for local engines and tests: on AWS the stack creates the table.
 */
export async function createMissingTable(table: Table, { stream = false }: TableOptions = {}): Promise<void> {
  if ((await describe(table)) === undefined) await create(table);
  const { StreamSpecification } = await untilActive(table);
  await enableExpiry(table);
  if (!stream || StreamSpecification?.StreamEnabled) return;
  await enableStream(table);
  await untilActive(table);
}

/** Waits until the table can be used, and returns its description. */
async function untilActive(table: Table): Promise<TableDescription> {
  for (;;) {
    const description = await describe(table);
    if (description?.TableStatus === 'ACTIVE') return description;
    await table.backOff(LONGEST_PAUSE);
  }
}

/** Returns the description of the table; `undefined` if it does not exist. */
async function describe(table: Table): Promise<TableDescription | undefined> {
  try {
    const { Table } = await table.send(({ client, tableName }, options) =>
      client.send(new DescribeTableCommand({ TableName: tableName }), options),
    );
    return Table;
  } catch (error) {
    if (error instanceof TableMissing) return undefined;
    throw error;
  }
}

async function create(table: Table): Promise<void> {
  const indexes = Object.entries(PROJECTED_INDEXES);
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

async function enableStream(table: Table): Promise<void> {
  await table.send(async ({ client, tableName: TableName }, options) => {
    const command = new UpdateTableCommand({ TableName, StreamSpecification: STREAM });
    await client.send(command, options).catch((error: unknown) => {
      // Another process is just enabling it, or has done so.
      const isEnabled =
        error instanceof DynamoDBServiceException && /already has an enabled stream/.test(error.message);
      if (!isEnabled && !(error instanceof ResourceInUseException)) throw error;
    });
  });
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
