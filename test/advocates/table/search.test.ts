import { expect, test } from '@jest/globals';
import { searchAdvocates } from '../../../functions/advocates/table/search.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { anAdvocate } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
const START = 1_700_000_000;
const NAMES = ['Ann', 'Kate', 'Ann', 'Kathrin', 'Ann', 'Ann', 'Kat'];
for (const [index, firstName] of NAMES.entries()) {
  await anAdvocate(table, program, { firstName }, seconds(START + index));
}
const createdAt = { from: seconds(START), to: seconds(START + NAMES.length) };

async function pages(size: number, maxRead: number): Promise<(string | null)[][]> {
  const found: (string | null)[][] = [];
  let after: string | undefined;
  do {
    const search = { text: 'kat', createdAt, filters: {} };
    const page = await searchAdvocates(table, program.id, search, { after, size, maxRead });
    found.push(page.advocates.map(({ firstName }) => firstName));
    after = page.next;
  } while (after !== undefined);
  return found;
}

test.each([
  [50, 100, [['Kat', 'Kathrin', 'Kate']]],
  [2, 100, [['Kat', 'Kathrin'], ['Kate']]],
  [1, 100, [['Kat'], ['Kathrin'], ['Kate'], []]],
  // A page that has read its rows is short or empty, and the next one continues after them.
  [50, 2, [['Kat'], ['Kathrin'], ['Kate'], []]],
  [50, 3, [['Kat'], ['Kathrin', 'Kate'], []]],
])('pages of %d that read at most %d advocates find each one once', async (size, maxRead, expected) => {
  expect(await pages(size, maxRead)).toEqual(expected);
});

test('a cursor that no search returned is refused', async () => {
  const page = { after: 'x', size: 1 };
  await expect(
    searchAdvocates(table, program.id, { text: 'kat', createdAt: undefined, filters: {} }, page),
  ).rejects.toMatchObject({ code: 'invalid_field' });
});
