import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import type { TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let missingTable: TestTable;
beforeEach(() => {
  missingTable = proxied.faulty.but({ tableName: `test-${randomUUID()}` });
});
afterEach(async () => {
  // Some tests do not create the table.
  const command = new DeleteTableCommand({ TableName: missingTable.name });
  await table.client.send(command).catch(() => undefined);
});

const timeToLive = async () => {
  const command = new DescribeTimeToLiveCommand({ TableName: missingTable.name });
  return (await table.client.send(command)).TimeToLiveDescription?.TimeToLiveStatus;
};

test('a start waits for a table that another start is still creating', async () => {
  proxy.next('DescribeTable', { response: { status: 200, body: { Table: { TableStatus: 'CREATING' } } } });
  await createMissingTable(proxied.faulty);
  const calls = proxy.seen.filter((operation) => operation === 'DescribeTable');
  expect(calls.length).toBeGreaterThan(1);
});

test('the next start sets the time to live if the previous one failed to', async () => {
  proxy.next('UpdateTimeToLive', 'drop', 'drop', 'drop');
  await expect(createMissingTable(missingTable)).rejects.toThrow(Error);
  await createMissingTable(missingTable);
  expect(await timeToLive()).toBe('ENABLED');
});

// DynamoDB rejects a second call within an hour with this error:
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
test('no error is thrown if another start has just set the time to live', async () => {
  proxy.next('UpdateTimeToLive', refusal('ValidationException', { message: 'TimeToLive is already enabled' }));
  await expect(createMissingTable(missingTable)).resolves.toBeUndefined();
});

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html: ResourceInUseException for a table
// that is being changed. For a table that has a stream, AWS and DynamoDB Local respond with a ValidationException.
test.each([
  ['ResourceInUseException', 'The table is being updated'],
  ['ValidationException', 'Table already has an enabled stream: TableName: a'],
])('no error is thrown if another start has just switched the stream on: %s', async (name, message) => {
  proxy.next('UpdateTable', refusal(name, { message }));
  await expect(createMissingTable(missingTable, { stream: true })).resolves.toBeUndefined();
});

test('a stream that DynamoDB refuses is an error', async () => {
  proxy.next('UpdateTable', refusal('ValidationException', { message: 'UnknownOperation' }));
  await expect(createMissingTable(missingTable, { stream: true })).rejects.toMatchObject({
    reason: 'ValidationException',
  });
});

test('other errors are rethrown', async () => {
  for (const operation of ['DescribeTable', 'CreateTable']) {
    proxy.next(operation, refusal('AccessDeniedException'));
  }
  await expect(createMissingTable(missingTable)).rejects.toMatchObject({ name: 'AccessDeniedException' });
});
