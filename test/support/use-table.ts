import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { AdvocateFields } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { ProgramFields } from '../../functions/kernel/accounts/rules/program.ts';
import { createMissingTable } from '../../functions/operator/create-table.ts';
import { anAdvocate, aProgram } from './program.ts';
import { allItems, openTable, type TestTable } from './table.ts';

/** A table for one test file, on the engine of the run or on the DynamoDB at `DYNAMODB_ENDPOINT`. */
export const useTable = () => useTableAt(process.env['DYNAMODB_ENDPOINT']);

/** A table on the engine, which counts capacity as AWS does. */
export const useCountingTable = () => useTableAt(process.env['COUNTING_ENDPOINT']);

function useTableAt(endpoint: string | undefined): TestTable {
  const table = openTable(`test-${randomUUID()}`, endpoint);
  beforeAll(() => createMissingTable(table));
  afterAll(() => table.client.send(new DeleteTableCommand({ TableName: table.name })));
  return table;
}

/** A table for one test file, with a program and one advocate that all its tests share. */
export async function useProgram(program: Partial<ProgramFields> = {}, advocate: Partial<AdvocateFields> = {}) {
  const table = openTable(`test-${randomUUID()}`, process.env['DYNAMODB_ENDPOINT']);
  afterAll(() => table.client.send(new DeleteTableCommand({ TableName: table.name })));
  await createMissingTable(table);
  const stored = await aProgram(table, program);
  return { table, program: stored, advocate: await anAdvocate(table, stored, advocate) };
}

/** Runs `work`, which must not change any item of the table. */
export async function expectUnchanged(table: TestTable, work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  const after = await allItems(table);
  // `toEqual` takes ten times as long, and shows the difference.
  if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
}
