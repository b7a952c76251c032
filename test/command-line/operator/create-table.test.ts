import { randomUUID } from 'node:crypto';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type KeySchemaElement,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { PROJECTED_INDEXES } from '../../../functions/projections.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aProgram } from '../../support/program.ts';
import { allItems, openTable, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const proxied = useFaultyProxy(useTable());
let table: TestTable;
/** The same table behind a proxy. */
let faulty: TestTable;
beforeEach(() => {
  const tableName = `test-${randomUUID()}`;
  table = openTable(tableName, process.env['DYNAMODB_ENDPOINT']);
  faulty = proxied.faulty.but({ tableName });
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
  const indexes = (created?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => {
    const { ProjectionType: type, NonKeyAttributes: attributes = [] } = Projection ?? {};
    return [IndexName, { keys: keyNames(KeySchema), type, attributes: attributes.toSorted() }];
  });
  const expected = Object.entries(PROJECTED_INDEXES).map(([name, { partitionKey, sortKey, nonKeyAttributes }]) => {
    const keys = { HASH: partitionKey, RANGE: sortKey };
    return [name, { keys, type: 'INCLUDE', attributes: nonKeyAttributes.toSorted() }];
  });
  expect(Object.fromEntries(indexes)).toEqual(Object.fromEntries(expected));
  const attributes = (created?.AttributeDefinitions ?? []).map(
    ({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`,
  );
  const names = ['created', 'owner', 'owner_state', 'owner_sub_id', 'pk', 'program_state', 'sk', 'state_set'];
  expect(attributes.sort()).toEqual(names.map((name) => `${name} S`));
});

test('simultaneous attempts create one usable table', async () => {
  await Promise.all(Array.from({ length: 8 }, () => createMissingTable(table)));
  await aProgram(table);
  expect(await allItems(table)).toHaveLength(1);
  expect(await timeToLive()).toMatchObject({ TimeToLiveStatus: 'ENABLED' });
});

test('the stream is switched on for an existing table, which keeps its items', async () => {
  await createMissingTable(table);
  await aProgram(table);
  const items = await allItems(table);
  await Promise.all(Array.from({ length: 4 }, () => createMissingTable(table, { stream: true })));
  const { StreamSpecification } = (await describeTable()) ?? {};
  expect(StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
  expect(await allItems(table)).toEqual(items);
});

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html: ResourceInUseException for a table
// that is being changed. For a table that has a stream, AWS and DynamoDB Local respond with a ValidationException.
test.each([
  ['ResourceInUseException', 'The table is being updated'],
  ['ValidationException', 'Table already has an enabled stream: TableName: a'],
])('no error is thrown if another start has just switched the stream on: %s', async (name, message) => {
  proxied.proxy.next('UpdateTable', refusal(name, { message }));
  await expect(createMissingTable(faulty, { stream: true })).resolves.toBeUndefined();
});
