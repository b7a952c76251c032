import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type CsvPage, MAX_ROWS, readRows, timestamp, writeCsv } from '../../../web/kit/csv.ts';
import { statementCells } from '../../../web/kit/statement-file.ts';

const FORMULAS = [
  '=HYPERLINK("http://x","y")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\ttab',
  '\rreturn',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  "'=1",
];

test('a file has the names of the columns first, and each value as it is', () => {
  const texts = [
    'a,b',
    'say "hi"',
    'two\nlines',
    '  ',
    '<img src=x onerror=alert(1)>',
    '\u202egnp.exe',
    '😀'.repeat(200),
  ];
  const text = writeCsv(
    ['text', 'number'],
    texts.map((each, index) => [each, index]),
  );
  expect(parse(text)).toEqual([['text', 'number'], ...texts.map((each, index) => [each, String(index)])]);
  expect(text.startsWith('text,number\r\n')).toBe(true);
});

test.each(FORMULAS)('the text %j gets an apostrophe, so that no spreadsheet runs it', (text) => {
  expect(parse(writeCsv(['a'], [[text]]))[1]).toEqual([`'${text}`]);
});

test('numbers are never changed, and missing values are empty', () => {
  expect(writeCsv(['a', 'b', 'c', 'd', 'e'], [[-5, null, undefined, true, { decimal: '-1.00' }]])).toBe(
    'a,b,c,d,e\r\n-5,,,true,-1.00\r\n',
  );
});

test('a statement has its money in units, and no file contains a number that the browser has rounded', () => {
  const sums = { payments: 1999, refunds: -5, commissions: 200, adjustments: 0, settlements: 0 };
  const line = {
    affiliate_slug: 'jane',
    month: '2026-10',
    currency: 'usd',
    opening: 0,
    closing: 200,
    payable: 200,
    settlement_count: 1,
    ...sums,
  };
  expect(writeCsv(['a'], [statementCells(line)]).split('\r\n')[1]).toBe(
    'jane,2026-10,usd,0.00,19.99,-0.05,2.00,0.00,0.00,2.00,2.00',
  );
  expect(() => statementCells({ ...line, closing: 2 ** 53 })).toThrow('ledger statement --csv');
});

test('times are RFC 3339', () => {
  expect([timestamp(1_793_610_000), timestamp(null)]).toEqual(['2026-11-02T09:00:00Z', null]);
});

const list =
  (rows: number) =>
  async (cursor: string | undefined): Promise<CsvPage<number>> => {
    const start = Number(cursor ?? 0);
    const page = Array.from({ length: Math.min(50, rows - start) }, (_, index) => start + index);
    return { rows: page, next: start + 50 < rows ? String(start + 50) : undefined };
  };

test('all pages of a list are read, with the progress after each', async () => {
  const progress: number[] = [];
  const { rows, isCut } = await readRows(list(120), (count) => progress.push(count));
  expect([rows.length, isCut, progress]).toEqual([120, false, [50, 100, 120]]);
});

test.each([
  [MAX_ROWS, false],
  [MAX_ROWS + 1, true],
  [MAX_ROWS + 51, true],
])('a list of %i rows is cut: %p', async (count, expected) => {
  const { rows, isCut } = await readRows(list(count), () => undefined);
  expect([rows.length, isCut]).toEqual([MAX_ROWS, expected]);
});
