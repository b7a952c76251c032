import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { isRow, linesOf, parseRow, recordsOf } from '../../../bin/admin/csv.ts';
import { storingEach } from '../../../bin/admin/import/run.ts';
import { escapeFormula, unescapeFormula } from '../../../functions/kernel/fields/formula.ts';
import { BatchStore } from '../../../functions/kernel/operator/batch-store.ts';
import { refusal } from '../../support/samples.ts';

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

const printable = aValue.filter((value) => !/[\p{Cc}]/u.test(value));

test('the apostrophe prevents formulas, and is removed again from every value', () => {
  fc.assert(
    fc.property(aValue, (value) => {
      const written = escapeFormula(value);
      expect(written).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      expect(unescapeFormula(written)).toBe(value);
    }),
  );
});

test.each([',', ';'] as const)('a line that an export writes with %j is parsed as the same values', (delimiter) => {
  fc.assert(
    fc.property(printable, printable, printable, (a, b, c) => {
      const text = stringify([[a, b, c]], { delimiter, cast: { string: escapeFormula } }).slice(0, -1);
      expect(parseRow(line(text), layout(delimiter))).toEqual({ a, b, c });
      expect(isRow(layout(delimiter), text)).toBe(true);
    }),
  );
});

test.each([
  ['1,2', 'the line has 2 columns, but the header has 3'],
  ['1,2"2,3', 'the line has a misplaced quote'],
])('the row %j is not valid', (text, sentence) => {
  expect(refusal(() => parseRow(line(text), layout(',')))).toContain(sentence);
});

/** Yields bytes in chunks of `size`, in a buffer that is reused for each chunk. */
async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(size);
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
  }
}

async function read(content: string | Uint8Array, size: number) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Readable.from(linesOf(inChunks(bytes, size))).toArray();
}

test.each<[string, string[]]>([
  ['', []],
  ['a', ['a']],
  ['a\nb', ['a', 'b']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\n\n\r\nb', ['a', '', '', 'b']],
  ['\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ['\u00fcn\u00ef\n\u{1f600}', ['\u00fcn\u00ef', '\u{1f600}']],
])('the text %j has the lines %j, whatever the chunks', async (content, texts) => {
  for (const size of [1, 2, 3, 7]) {
    expect(await read(content, size)).toEqual(texts.map((text, index) => ({ number: index + 1, text })));
  }
});

const LONGEST = 64 * 1024;

test.each<[string, Uint8Array]>([
  ['is not valid UTF-8: save the file as CSV in UTF-8', Buffer.from([0x61, 0xff])],
  ['contains control characters', Buffer.from('a\u0000')],
  ['contains control characters', Buffer.from('a\rb')],
  ['is longer than 64 KiB', Buffer.alloc(LONGEST + 1, 'a')],
])('a line is invalid, and its neighbors are not: it %s', async (problem, bytes) => {
  const longest = 'a'.repeat(LONGEST);
  const content = Buffer.concat([Buffer.from(`${longest}\n`), bytes, Buffer.from('\nb')]);
  for (const size of [50_000, 65_536, 1_000_000]) {
    const [before, after] = [
      { number: 1, text: longest },
      { number: 3, text: 'b' },
    ];
    expect(await read(content, size)).toEqual([before, { number: 2, problem }, after]);
  }
});

test('a line of more than 1 MiB ends the reading, although the stream goes on', async () => {
  let chunks = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (; chunks < 100; chunks += 1) yield Buffer.alloc(LONGEST, 'b');
    throw new Error('The line was read on.');
  }
  const lines = await Readable.from(linesOf(endless())).toArray();
  expect(lines).toEqual([{ number: 1, problem: 'is longer than 1 MiB: the rest of the file is not imported' }]);
  expect(chunks).toBe(16);
});

const positions = [
  ['a', [0]],
  ['b', [1]],
] as const;
const LAYOUT = { delimiter: ',', names: ['a', 'b'], positions } as const;

/** Returns the records of a file with two columns. */
async function recordsIn(content: string) {
  async function* chunks() {
    yield Buffer.from(content);
  }
  return Readable.from(recordsOf(linesOf(chunks()), (text) => isRow(LAYOUT, text))).toArray();
}

test('a value may contain line breaks', async () => {
  expect(await recordsIn('1,"a\n\nb"\r\n2,"c\r\nd ""e"""\n3,f')).toEqual([
    { number: 1, text: '1,"a\n\nb"' },
    { number: 4, text: '2,"c\nd ""e"""' },
    { number: 6, text: '3,f' },
  ]);
});

describe('misplaced quotes', () => {
  const numbers = (...lines: string[]) => lines.map((text, index) => ({ number: index + 1, text }));

  test.each([
    ['at the end of the file', ['1,"a', '2,b', '3,c']],
    ['in a line that would have another number of columns', ['1,a', 'x,y,"', '"', '4,b']],
  ])('a misplaced quote affects no other line: %s', async (_, lines) => {
    expect(await recordsIn(lines.join('\n'))).toEqual(numbers(...lines));
  });
});

const nothing = new BatchStore({ write: async () => [], read: async () => [] });

test('an error of an unknown kind ends an import if the table cannot be read, such as after credentials expired', async () => {
  let calls = 0;
  const store = async (): Promise<never> => {
    calls += 1;
    throw new TypeError('of an unknown kind');
  };
  const cannotRead = () => Promise.reject(new Error('The credentials are expired.'));
  await expect(storingEach(nothing, store, cannotRead)(['a', 'b'])).rejects.toThrow('The credentials are expired.');
  expect(calls).toBe(1);
});
