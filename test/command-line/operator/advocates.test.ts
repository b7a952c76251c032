import { beforeEach, expect, test } from '@jest/globals';
import { createAdvocates } from '../../../functions/advocates/operator/advocate-import.ts';
import type { AdvocateFields } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { createProgram, findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { SlugTaken, UidTaken } from '../../../functions/kernel/errors.ts';
import { listAdvocates, listPrograms } from '../../../functions/kernel/operator/lists.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

const FULL: Partial<AdvocateFields> = { uid: 'Partner#1', company: 'Doe & Söhne', commissionPercentage: 12.5 };

test.each([
  ['known', {}],
  ['slug taken', { uid: 'other' }],
  ['slug taken', { email: 'other@example.com' }],
])('a new advocate in an import whose slug exists is %s: %j', async (outcome, change) => {
  const advocate = await anAdvocate(table, program, FULL);
  expect(await createAdvocates(table, program.id, [{ ...advocate, ...change }])).toEqual([outcome]);
});

test.each([
  ['slug', SlugTaken, () => ({ slug: 'wanted' })],
  ['uid', UidTaken, () => ({ uid: 'wanted' })],
])('20 simultaneous new advocates with the same %s create exactly one', async (_, Taken, fields) => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => anAdvocate(table, program, fields())));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(19);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(Taken);
  expect(await listAdvocates(table, program.id)).toHaveLength(1);
});

test('creating a program again, as after a lost response, changes nothing', async () => {
  const program = await aProgram(table);
  await createProgram(table, program);
  expect(await findProgram(table, program.id)).toEqual(program);
  const listed = await listPrograms(table);
  expect(listed.filter(({ id }) => id === program.id)).toHaveLength(1);
});
