import { randomUUID } from 'node:crypto';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type KeySchemaElement,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { INDEXES } from '../../../functions/table/schema.ts';
import { aProgram } from '../../support/program.ts';
import { allItems, openTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeEach(() => {
  table = openTable(`test-${randomUUID()}`, process.env['DYNAMODB_ENDPOINT']);
});
afterEach(async () => {
  await table.client.send(new DeleteTableCommand({ TableName: table.name }));
});

const describeTable = async () => {
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
  return Table;
};
const timeToLive = async () => {
  const command = new DescribeTimeToLiveCommand({ TableName: table.name });
  return (await table.client.send(command)).TimeToLiveDescription;
};
const keyNames = (schema: readonly KeySchemaElement[] = []) =>
  Object.fromEntries(schema.map(({ KeyType, AttributeName }) => [KeyType, AttributeName]));

test('the table has exactly the keys, indexes and projections of the schema', async () => {
  await createMissingTable(table);
  const created = await describeTable();
  expect(created?.TableStatus).toBe('ACTIVE');
  expect(created?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
  expect(keyNames(created?.KeySchema)).toEqual({ HASH: 'pk', RANGE: 'sk' });
  expect(created?.LocalSecondaryIndexes ?? []).toEqual([]);
  const indexes = (created?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => [
    IndexName,
    {
      keys: keyNames(KeySchema),
      type: Projection?.ProjectionType,
      attributes: [...(Projection?.NonKeyAttributes ?? [])].sort(),
    },
  ]);
  const expected = Object.entries(INDEXES).map(([name, index]) => [
    name,
    {
      keys: { HASH: index.partitionKey, RANGE: index.sortKey },
      type: 'INCLUDE',
      attributes: [...index.nonKeyAttributes].sort(),
    },
  ]);
  expect(Object.fromEntries(indexes)).toEqual(Object.fromEntries(expected));
  const attributes = (created?.AttributeDefinitions ?? []).map(
    ({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`,
  );
  const names = ['created', 'owner', 'owner_state', 'owner_sub_id', 'pk', 'program_state', 'sk', 'state_set'];
  expect(attributes.sort()).toEqual(names.map((name) => `${name} S`));
});

test("expired items are deleted by the schema's time-to-live attribute", async () => {
  await createMissingTable(table);
  expect(await timeToLive()).toMatchObject({ AttributeName: 'expires_at', TimeToLiveStatus: 'ENABLED' });
});

test('creating the table again changes neither the table nor its items', async () => {
  await createMissingTable(table);
  await aProgram(table);
  const before = [await describeTable(), await timeToLive(), await allItems(table)];
  await createMissingTable(table);
  await createMissingTable(table);
  expect([await describeTable(), await timeToLive(), await allItems(table)]).toEqual(before);
});

test('simultaneous attempts create one usable table', async () => {
  await Promise.all(Array.from({ length: 8 }, () => createMissingTable(table)));
  await aProgram(table);
  expect(await allItems(table)).toHaveLength(1);
  expect(await timeToLive()).toMatchObject({ TimeToLiveStatus: 'ENABLED' });
});

const streamOf = async () => {
  const { StreamSpecification, LatestStreamArn } = (await describeTable()) ?? {};
  return { ...StreamSpecification, arn: LatestStreamArn };
};

test('a table has no stream unless it is asked for', async () => {
  await createMissingTable(table);
  expect((await streamOf()).StreamEnabled ?? false).toBe(false);
});

test('a stream has old and new images, and creating the table again keeps it', async () => {
  await createMissingTable(table, { stream: true });
  const stream = await streamOf();
  expect(stream).toMatchObject({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
  await createMissingTable(table, { stream: true });
  await createMissingTable(table);
  expect(await streamOf()).toEqual(stream);
});

test('the stream is switched on for an existing table, which keeps its items', async () => {
  await createMissingTable(table);
  await aProgram(table);
  const items = await allItems(table);
  await Promise.all(Array.from({ length: 4 }, () => createMissingTable(table, { stream: true })));
  expect(await streamOf()).toMatchObject({ StreamEnabled: true });
  expect(await allItems(table)).toEqual(items);
});
