import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from '@jest/globals';
import type { AdvocateFields } from '../../functions/domain/advocate.ts';
import type { ProgramFields } from '../../functions/domain/program.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { anAdvocate, aProgram } from './program.ts';
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

/** A table of its own for a test file, with a program and one advocate: for all of the file's tests. */
export async function useProgram(program: Partial<ProgramFields> = {}, advocate: Partial<AdvocateFields> = {}) {
  const table = openPatiently(`test-${randomUUID()}`, process.env['DYNAMODB_ENDPOINT']);
  afterAll(() => table.client.send(new DeleteTableCommand({ TableName: table.name })));
  await createMissingTable(table);
  const stored = await aProgram(table, program);
  return { table, program: stored, advocate: await anAdvocate(table, stored, advocate) };
}
