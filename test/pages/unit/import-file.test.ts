import { expect, test } from '@jest/globals';
import { parseImport, repeatedRows } from '../../../web/dashboard/advocates/import/file.ts';
import { writeCsv } from '../../../web/kit/csv.ts';

test('a file that the pages wrote is read cell by cell, with separators, quotes and line breaks in its cells', () => {
  const cells = ['a@x.example', 'Ann "A", née\r\nB;', '', 'ann\t1', '7'];
  const text = writeCsv(['email', 'first_name', 'last_name', 'slug', 'other'], [cells, ['b@x.example']]);
  expect(parseImport(text)).toEqual({
    head: ['email', 'first_name', 'last_name', 'slug', 'other'],
    ignored: ['other'],
    hasEmail: true,
    rows: [
      { line: 2, cells, fields: { email: cells[0], first_name: cells[1], slug: 'ann\t1' } },
      { line: 3, cells: ['b@x.example'], fields: { email: 'b@x.example' } },
    ],
  });
});

test.each([
  ['', []],
  ['email', []],
  ['\uFEFFEMAIL;Link name\n\n;\n a@x.example ;Ann\n', [{ email: 'a@x.example', slug: 'Ann' }]],
  ['E-Mail\tCommission\r\na@x.example\t"12', [{ email: 'a@x.example', commission_percentage: '"12' }]],
])('the file %j has the advocates %j', (text, advocates) => {
  expect(parseImport(text).rows.map(({ fields }) => fields)).toEqual(advocates);
});

test('a row repeats the first one with its email, its link name or its id, and a row without email repeats none', () => {
  const text = `email,slug,uid
a@x.example,Ann,1
b@x.example,ann,2
A@x.example,,3
c@x.example,,1
,ann,1
d@x.example,,A
e@x.example,,a
c@x.example,,`;
  expect([...repeatedRows(parseImport(text).rows)]).toEqual([
    [3, 2],
    [4, 2],
    [5, 2],
    [9, 2],
  ]);
});
