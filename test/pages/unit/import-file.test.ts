import { expect, test } from '@jest/globals';
import { keyOfRow, parseImport } from '../../../web/dashboard/advocates/import/file.ts';
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

test('an advocate is known by its link name, else by its id, else by its email', () => {
  const email = 'A@x.example';
  expect([{ email, uid: 'A', slug: 'Ann' }, { email, uid: 'A' }, { email }].map(keyOfRow)).toEqual([
    'slug ann',
    'uid A',
    'email a@x.example',
  ]);
});
