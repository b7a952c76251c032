import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import {
  canonicalText,
  delimiterIn,
  formatRow,
  isRow,
  parseRow,
  splitHeader,
  valuesIn,
} from '../../../bin/admin/csv.ts';
import { escapeFormula, unescapeFormula } from '../../../functions/domain/formula.ts';
import { refusal } from '../../unit/samples.ts';

/** A file with the columns a, b and c. */
const layout = (delimiter: ',' | ';') => ({
  delimiter,
  names: ['a', 'b', 'c'],
  positions: (['a', 'b', 'c'] as const).map((column, index) => [column, [index]] as const),
});
const line = (text: string) => ({ number: 1, text });
/** Values that are difficult to quote, and any others. */
const aValue = fc.oneof(
  fc.stringMatching(/^'{0,3}[=+\-@\t\r\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}a]?.{0,5}$/u),
  fc.string({ unit: fc.constantFrom("'", '"', ',', '=', ' ', 'a', '\u00fc', ';') }),
  fc.string(),
);

describe('the apostrophe', () => {
  test('the apostrophe prevents formulas, and is removed again from every value', () => {
    fc.assert(
      fc.property(aValue, (value) => {
        const written = escapeFormula(value);
        expect(written).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
        expect(unescapeFormula(written)).toBe(value);
      }),
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ["'=1", "''=1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['＝1', "'＝1"],
    ["'a", "'a"],
    ["o'neil", "o'neil"],
    ['a=1', 'a=1'],
  ])('the value %j is written %j', (value, written) => {
    expect(escapeFormula(value)).toBe(written);
  });
});

test.each([',', ';'] as const)('a line that an export writes with %j is parsed as the same values', (delimiter) => {
  const printable = aValue.filter((value) => !/[\p{Cc}]/u.test(value));
  fc.assert(
    fc.property(printable, printable, printable, (a, b, c) => {
      const text = stringify([[a, b, c]], { delimiter, cast: { string: escapeFormula } }).slice(0, -1);
      expect(parseRow(line(text), layout(delimiter))).toEqual({ a, b, c });
      expect(isRow(layout(delimiter), text)).toBe(true);
    }),
  );
});

describe('rows of failed lines', () => {
  const delimiters = fc.constantFrom(',' as const, ';' as const);
  const printable = aValue.filter((value) => !/[\p{Cc}]/u.test(value));
  const text = (values: readonly string[], delimiter: ',' | ';') => formatRow(values, delimiter).slice(0, -1);

  test('a failed row has the same values when it is read again, none of which a spreadsheet runs', () => {
    fc.assert(
      fc.property(fc.array(printable, { minLength: 1 }), delimiters, (values, delimiter) => {
        const written = text(['line 2: a reason', ...values], delimiter);
        expect(valuesIn(line(written), delimiter)).toEqual(['line 2: a reason', ...values]);
        const cells: string[][] = parse(written, { delimiter });
        expect(cells.flat().filter((cell) => /^[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([]);
      }),
    );
  });

  test('a failed row that is the header is recognized with the same delimiter', () => {
    fc.assert(
      fc.property(fc.array(printable, { minLength: 1 }), delimiters, (names, delimiter) => {
        const written = text(['failure_reason', ...names], delimiter);
        expect(splitHeader(line(written))).toEqual({ names: ['failure_reason', ...names], delimiter });
      }),
      {
        examples: [
          [['a, b, c', 'd'], ';'],
          [['a; b; c', 'd'], ','],
        ],
      },
    );
  });

  test('a failed row is the whole text of a line with a misplaced quote, and nothing of a binary line', () => {
    expect(valuesIn(line('a,"b,c'), ',')).toEqual(['a,"b,c']);
    expect(valuesIn({ number: 2, problem: 'contains control characters' }, ',')).toEqual([]);
    expect(formatRow(['line 2: x', '=a,"b'], ',')).toBe('line 2: x,"\'=a,""b"\n');
  });
});

describe('rows', () => {
  const row = (text: string) => parseRow(line(text), layout(','));

  test.each([
    [',,', { a: '', b: '', c: '' }],
    ['1,"2, ""3""",4', { a: '1', b: '2, "3"', c: '4' }],
    [' 1 ,2,3', { a: ' 1 ', b: '2', c: '3' }],
    ["'=1,''=1,'1", { a: '=1', b: "'=1", c: "'1" }],
  ])('the row %j has the cells %j', (text, cells) => {
    expect(row(text)).toEqual(cells);
  });

  test.each([
    ['1,2', 'the line has 2 columns, but the header has 3'],
    ['1,2,3,', 'the line has 4 columns, but the header has 3'],
    ['1,2,"3', 'the line has a misplaced quote'],
    ['1,2"2,3', 'the line has a misplaced quote'],
    ['1,"2"2,3', 'the line has a misplaced quote'],
  ])('the row %j is not valid', (text, sentence) => {
    expect(refusal(() => row(text))).toContain(sentence);
  });

  test('a row has the first of several columns that is not empty', () => {
    const positions = [['a', [2, 0]]] as const;
    const parse = (text: string) => parseRow(line(text), { ...layout(','), positions });
    expect([parse('1,2,3'), parse('1,2,'), parse(',2,')]).toEqual([{ a: '3' }, { a: '1' }, { a: '' }]);
  });

  test.each([
    ['1,2', false],
    ['1,2,3', true],
    ['1,"2\n",3', true],
    ['1,2,3\n1,2,3', false],
    ['1,2,"3', false],
  ])('the row is recognized: %j %p', (text, expected) => {
    expect(isRow(layout(','), text)).toBe(expected);
  });

  test('a row that cannot be parsed is an error with the reason', () => {
    const problem = 'is longer than 64 KiB';
    expect(refusal(() => parseRow({ number: 2, problem }, layout(',')))).toBe(`the line ${problem}`);
  });
});

test.each([
  ['sep=;', ';'],
  ['SEP=,', ','],
  ['sep=|', undefined],
  ['sep=;;', undefined],
  ['sep', undefined],
  ['email;sep=;', undefined],
])("Excel's first line %j identifies the delimiter %j", (text, delimiter) => {
  expect(delimiterIn(line(text))).toBe(delimiter);
});

test('the canonical text does not depend on the order of the columns, and differs for different rows', () => {
  fc.assert(
    fc.property(aValue, aValue, aValue, (a, b, c) => {
      expect(canonicalText('p', { a, b, c })).toBe(canonicalText('p', { c, b, a }));
      expect(canonicalText('p', { a, b, c })).not.toBe(canonicalText('q', { a, b, c }));
      expect(canonicalText('p', { a, b }) === canonicalText('p', { a: b, b: a })).toBe(a === b);
      expect(canonicalText('p', { a, b, c })).not.toBe(canonicalText('p', { a, b: b + c }));
    }),
  );
});
