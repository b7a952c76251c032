import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { NO_COMMISSION } from '../../../functions/domain/ledger/entry-fields.ts';
import { decimalsOf, inUnits } from '../../../functions/domain/ledger/units.ts';
import { type CsvPage, MAX_ROWS, readRows, timestamp, writeCsv } from '../../../web/kit/csv.ts';
import { formatMoney, noteOf } from '../../../web/kit/format.ts';
import { hasToken, tokenOfFragment } from '../../../web/kit/responses.ts';
import { statementCells } from '../../../web/kit/statement-file.ts';
import { contrast, isColor, readableAccent, textOn } from '../../../web/portal/accent.ts';
import { codeSpans, sectionText } from './documents.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('an accent that can be read stays as it is', () => {
  expect(readableAccent('#0a5c45', 'light')).toBe('#0a5c45');
  expect(readableAccent('#7ddfb9', 'dark')).toBe('#7ddfb9');
});

test('every accent can be read on the page and on cards, in both themes, and so can text on it', () => {
  const style = sectionText('web/style.css');
  const backgrounds = ['page', 'card'].map(
    (name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style)?.slice(1) ?? [],
  );
  fc.assert(
    fc.property(color, (accent) => {
      for (const [index, theme] of (['light', 'dark'] as const).entries()) {
        const moved = readableAccent(accent, theme);
        for (const background of backgrounds) {
          expect(contrast(moved, background[index] ?? '')).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrast(moved, textOn(moved))).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test.each(['red', '#fff', '#12345g', 'url(x)', '#1234567', null, 5])('%j is no accent', (value) => {
  expect(isColor(value)).toBe(false);
});

test.each(NO_COMMISSION)('a payment with the note %s says in words why it earned nothing', (note) => {
  expect(noteOf({ kind: 'payment', note })).toMatch(/^No commission: [a-z ]+\.$/);
});

test.each([
  ['payment', null, null],
  ['payment', 'toString', 'toString'],
  ['void', 'rejected', 'rejected'],
  ['adjustment', 'ended', 'ended'],
] as const)('the note of a %s that people wrote stays as it is: %j', (kind, note, shown) => {
  expect(noteOf({ kind, note })).toBe(shown);
});

test.each([
  ['#token=rta_a-b', true, 'rta_a-b'],
  ['#token=rta_a&utm_source=mail', true, 'rta_a'],
  ['#token=rta_a%20', true, 'rta_a'],
  ['#token=', true, undefined],
  ['#/referrals?token=rta_a', false, undefined],
])('the fragment %s has a token: %p', (hash, has, token) => {
  expect([hasToken(hash), tokenOfFragment(hash)]).toEqual([has, token]);
});

describe('the decimals of a currency', () => {
  test.each([
    ['usd', 4900, '$49.00', '49.00'],
    ['usd', -5, '-$0.05', '-0.05'],
    ['jpy', 4900, '¥4,900', '4900'],
    ['kwd', 4900, 'KWD 4.900', '4.900'],
    // Intl would show none.
    ['huf', 4900, 'HUF 49.00', '49.00'],
    ['cop', 123_456, 'COP 1,234.56', '1234.56'],
    ['idr', 1_000_000_000_000, 'IDR 10,000,000,000.00', '10000000000.00'],
    ['isk', 4900, 'ISK 49.00', '49.00'],
    ['usd', 900_719_925_474_099, '$9,007,199,254,740.99', '9007199254740.99'],
    ['usd', 0, '$0.00', '0.00'],
  ])('%s %i is %s, and %s in a file', (currency, amount, shown, inFile) => {
    expect(formatMoney(amount, currency, 'en').replace(/\u00a0/g, ' ')).toBe(shown);
    expect(inUnits(amount, currency)).toBe(inFile);
  });

  test('an amount in units has all its digits', () => {
    expect(inUnits(-9_007_199_254_740_993n, 'usd')).toBe('-90071992547409.93');
  });

  test('the decimals are the table in docs/payments.md', () => {
    const [, none = '', thousandths = '', hundredths = ''] =
      /unit of amounts[^\n]*\n[^\n]*\n\| (.*?) +\| the currency itself.*?\n\| (.*?) +\| a thousandth.*?\n\| (.*?) +\| a hundredth/s.exec(
        sectionText('docs/payments.md'),
      ) ?? [];
    const documented = [none, thousandths, hundredths].map(codeSpans);
    expect(documented.map((codes) => codes.length)).toEqual([15, 5, 2]);
    expect(documented.map((codes) => [...new Set(codes.map(decimalsOf))])).toEqual([[0], [3], [2]]);
    const others = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase());
    const special = new Set(documented.flat());
    expect(others.filter((code) => !special.has(code) && decimalsOf(code) !== 2)).toEqual([]);
  });
});

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
