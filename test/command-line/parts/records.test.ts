import { describe, expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { isRow, linesOf, parseRow, recordsOf } from '../../../bin/admin/csv.ts';

const LAYOUT = {
  delimiter: ',',
  names: ['a', 'b'],
  positions: [
    ['a', [0]],
    ['b', [1]],
  ],
} as const;

/** Returns the records of a file with two columns. */
async function recordsIn(content: string) {
  async function* chunks() {
    yield Buffer.from(content);
  }
  const records = [];
  for await (const record of recordsOf(linesOf(chunks()), (text) => isRow(LAYOUT, text))) records.push(record);
  return records;
}

test('a value may contain line breaks', async () => {
  expect(await recordsIn('1,"a\n\nb"\r\n2,"c\r\nd ""e"""\n3,f')).toEqual([
    { number: 1, text: '1,"a\n\nb"' },
    { number: 4, text: '2,"c\nd ""e"""' },
    { number: 6, text: '3,f' },
  ]);
});

test('whatever rows are written, the same are read', async () => {
  const value = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', ' ', "'") });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 5 }), async (rows) => {
      const records = await recordsIn(stringify(rows, { quoted: true }));
      const read = records.map((record) => parseRow(record, LAYOUT));
      expect(read).toEqual(rows.map(([a, b]) => ({ a, b })));
    }),
  );
});

describe('misplaced quotes', () => {
  const numbers = (...lines: string[]) => lines.map((text, index) => ({ number: index + 1, text }));

  test.each([
    ['at the end of the file', ['1,"a', '2,b', '3,c']],
    ['before a line with quotes', ['1,"a', '2,"b"', '3,c']],
    ['in two lines', ['1,"a', '2,b', '3,"c', '4,d']],
    ['in every line', ['1,"a', '2,"b', '3,"c']],
    ['in a line that would have another number of columns', ['1,a', 'x,y,"', '"', '4,b']],
  ])('a misplaced quote affects no other line: %s', async (_, lines) => {
    expect(await recordsIn(lines.join('\n'))).toEqual(numbers(...lines));
  });

  test('a misplaced quote before an invalid line affects no other line', async () => {
    const problem = 'contains control characters';
    const expected = [...numbers('1,"a'), { number: 2, problem }, { number: 3, text: '3,c"' }];
    expect(await recordsIn('1,"a\n\0\n3,c"')).toEqual(expected);
  });

  test('a misplaced quote 64 KiB before the next one affects no other line', async () => {
    const lines = ['1,"a', ...Array.from({ length: 2000 }, () => 'x'.repeat(40)), '2,"b"', '3"'];
    expect(await recordsIn(lines.join('\n'))).toEqual(numbers(...lines));
  });
});
