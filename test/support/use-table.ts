import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from '@jest/globals';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { openPatiently, type TestTable } from './table.ts';

/** A table of its own for a test file, on the engine of the run or on the DynamoDB that `DYNAMODB_ENDPOINT` names. */
export const useTable = () => useTableAt(process.env['DYNAMODB_ENDPOINT']);

/** A table where capacity is counted as on AWS. */
export const useCountingTable = () => useTableAt(process.env['COUNTING_ENDPOINT']);

function useTableAt(endpoint: string | undefined): TestTable {
  const table = openPatiently(`test-${randomUUID()}`, endpoint);
  beforeAll(() => createMissingTable(table));
  afterAll(() => table.client.send(new DeleteTableCommand({ TableName: table.name })));
  return table;
}
