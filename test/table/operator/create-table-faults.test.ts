import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import type { TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const through = useFaultyProxy(table);
const { proxy } = through;
let missing: TestTable;
beforeEach(() => {
  missing = through.faulty.but({ tableName: `test-${randomUUID()}` });
});
afterEach(async () => {
  // Some tests leave it missing.
  const command = new DeleteTableCommand({ TableName: missing.name });
  await table.client.send(command).catch(() => undefined);
});

const timeToLive = async () => {
  const command = new DescribeTimeToLiveCommand({ TableName: missing.name });
  return (await table.client.send(command)).TimeToLiveDescription?.TimeToLiveStatus;
};

test('a table that another start is still making is waited for', async () => {
  proxy.next('DescribeTable', { answer: { status: 200, body: { Table: { TableStatus: 'CREATING' } } } });
  await createMissingTable(through.faulty);
  const asked = proxy.seen.filter((operation) => operation === 'DescribeTable');
  expect(asked.length).toBeGreaterThan(1);
});

test('the next start finishes what one left undone: a table without its time to live', async () => {
  proxy.next('UpdateTimeToLive', 'drop', 'drop', 'drop');
  await expect(createMissingTable(missing)).rejects.toThrow(Error);
  await createMissingTable(missing);
  expect(await timeToLive()).toBe('ENABLED');
});

// A second call within an hour is refused so:
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
test('a time to live that another start set a moment ago is not an error', async () => {
  proxy.next('UpdateTimeToLive', refusal('ValidationException', { message: 'TimeToLive is already enabled' }));
  await expect(createMissingTable(missing)).resolves.toBeUndefined();
});

test('an error that says something else passes through', async () => {
  for (const operation of ['DescribeTable', 'CreateTable']) {
    proxy.next(operation, refusal('AccessDeniedException'));
  }
  await expect(createMissingTable(missing)).rejects.toMatchObject({ name: 'AccessDeniedException' });
});
