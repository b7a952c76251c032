import { describe, expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { canonicalText, escapeFormula, parseHeader, parseRow, unescapeFormula } from '../../../bin/admin/csv.ts';
import { refusal } from '../samples.ts';

const COLUMNS = ['a', 'b', 'c'] as const;
const line = (text: string) => ({ number: 1, text });
/** Values that are difficult to quote, and any others. */
const aValue = fc.oneof(
  fc.stringMatching(/^'{0,3}[=+\-@\t\r\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}a]?.{0,5}$/u),
  fc.string({ unit: fc.constantFrom("'", '"', ',', '=', ' ', 'a', '\u00fc', ';') }),
  fc.string(),
);

describe('the apostrophe', () => {
  test('prevents formulas, and is removed again from every value', () => {
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
  ])('of %j is written %j', (value, written) => {
    expect(escapeFormula(value)).toBe(written);
  });
});

test('a line that an export writes is parsed as the same values', () => {
  const printable = aValue.filter((value) => !/[\p{Cc}]/u.test(value));
  fc.assert(
    fc.property(printable, printable, printable, (a, b, c) => {
      const text = stringify([[a, b, c]], { cast: { string: escapeFormula } }).slice(0, -1);
      expect(parseRow(line(text), COLUMNS)).toEqual({ a, b, c });
    }),
  );
});

describe('a header', () => {
  const header = (text: string | undefined, required: (typeof COLUMNS)[number][] = []) =>
    parseHeader(text === undefined ? undefined : line(text), { allowed: COLUMNS, required });

  test('names some of the columns, in any order', () => {
    expect(header('c,a')).toEqual(['c', 'a']);
    expect(header('"b"', ['b'])).toEqual(['b']);
  });

  test.each<[string | undefined, string]>([
    [undefined, 'the file is empty: its first line must name its columns'],
    ['a,d', 'column 2 of the header must be one of a, b, c'],
    ['A', 'column 1 of the header must be one of a, b, c'],
    ['a,', 'column 2 of the header must be one of a, b, c'],
    ['a,b,a', 'the header must not name the column a twice'],
    ['a', 'the header must name the column b'],
    ['"a', 'the line has a misplaced quote, or a value that continues on the next line'],
  ])('%j is not valid', (text, sentence) => {
    expect(refusal(() => header(text, ['b']))).toBe(sentence);
  });
});

describe('a row', () => {
  const row = (text: string) => parseRow(line(text), COLUMNS);

  test.each([
    [',,', { a: '', b: '', c: '' }],
    ['1,"2, ""3""",4', { a: '1', b: '2, "3"', c: '4' }],
    [' 1 ,2,3', { a: ' 1 ', b: '2', c: '3' }],
    ["'=1,''=1,'1", { a: '=1', b: "'=1", c: "'1" }],
  ])('%j has the cells %j', (text, cells) => {
    expect(row(text)).toEqual(cells);
  });

  test.each([
    ['1,2', 'the line has 2 columns, but the header has 3'],
    ['1,2,3,', 'the line has 4 columns, but the header has 3'],
    ['1,2,"3', 'the line has a misplaced quote'],
    ['1,2"2,3', 'the line has a misplaced quote'],
    ['1,"2"2,3', 'the line has a misplaced quote'],
  ])('%j is not valid', (text, sentence) => {
    expect(refusal(() => row(text))).toContain(sentence);
  });

  test('that cannot be parsed is an error with the reason', () => {
    const problem = 'is longer than 64 KiB';
    expect(refusal(() => parseRow({ number: 2, problem }, COLUMNS))).toBe(`the line ${problem}`);
  });
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
