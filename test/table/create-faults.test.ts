import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { createMissingTable } from '../../functions/table/create.ts';
import { Table } from '../../functions/table/table.ts';
import { refusal, useFaultyProxy } from '../support/faulty-proxy.ts';
import { useTable } from '../support/table.ts';

const table = useTable();
const through = useFaultyProxy(table);
const { proxy } = through;

test('a table that another start is still making is waited for', async () => {
  proxy.next('DescribeTable', { answer: { status: 200, body: { Table: { TableStatus: 'CREATING' } } } });
  await createMissingTable(through.faulty);
  expect(proxy.seen.filter((operation) => operation === 'DescribeTable').length).toBeGreaterThan(1);
});

test('the next start finishes what one left undone: a table without its time to live', async () => {
  const unfinished = new Table(`test-${randomUUID()}`, through.faulty.client);
  proxy.next('UpdateTimeToLive', 'drop', 'drop', 'drop');
  await expect(createMissingTable(unfinished)).rejects.toThrow(Error);
  await createMissingTable(unfinished);
  const TableName = unfinished.name;
  const { TimeToLiveDescription } = await table.client.send(new DescribeTimeToLiveCommand({ TableName }));
  await table.client.send(new DeleteTableCommand({ TableName }));
  expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED' });
});

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html: a second call within an hour
// is a ValidationException.
test('a time to live that another start set a moment ago is no error', async () => {
  const made = new Table(`test-${randomUUID()}`, through.faulty.client);
  proxy.next(
    'UpdateTimeToLive',
    refusal('ValidationException', { message: 'TimeToLive is already enabled' }),
  );
  const creating = createMissingTable(made);
  await expect(creating).resolves.toBeUndefined();
  await table.client.send(new DeleteTableCommand({ TableName: made.name }));
});
