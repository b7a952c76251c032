import { expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { listPrograms } from '../../../functions/table/operator/lists.ts';
import { createProgram, findProgram } from '../../../functions/table/programs.ts';
import { aProgram, newId } from '../../support/program.ts';
import { inParallel } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

test.each([
  [
    'with every field',
    {
      name: 'Böhm & Söhne',
      linkParameter: 'ref',
      commissionPercentage: 12.75,
      commissionMonths: 24,
      attributionDays: 30,
      allowedOrigins: ['https://a.example', 'https://b.example'],
    },
  ],
  ['with the fewest fields', { commissionPercentage: null, commissionMonths: null }],
  ['with a rate of 0', { commissionPercentage: 0 }],
])('a new program can be found by its id, unchanged: %s', async (_, fields) => {
  const program = await aProgram(table, fields);
  expect(await findProgram(table, program.id)).toEqual(program);
});

test('an unknown id is not found', async () => {
  expect(await findProgram(table, newId())).toBeUndefined();
});

test('creating a program again, as after a lost response, changes nothing', async () => {
  const program = await aProgram(table);
  await createProgram(table, program);
  expect(await findProgram(table, program.id)).toEqual(program);
  const listed = await listPrograms(table);
  expect(listed.filter(({ id }) => id === program.id)).toHaveLength(1);
});

test('all programs are listed newest first, on any number of pages', async () => {
  const created: Program[] = [];
  await inParallel(Array(120).keys(), async () => {
    created.push(await aProgram(table));
  });
  const position = ({ createdAt, id }: Program) => `${createdAt} ${id}`;
  const listed = await listPrograms(table);
  for (const program of created) expect(listed).toContainEqual(program);
  const positions = listed.map(position);
  expect(positions).toEqual([...positions].sort().reverse());
});
