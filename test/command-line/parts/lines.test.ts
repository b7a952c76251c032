import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linesOf } from '../../../bin/admin/csv.ts';

/** Yields bytes in chunks of `size`, in a buffer that is reused for each chunk. */
async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(size);
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
  }
}

async function read(content: string | Uint8Array, size = 7) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const lines: unknown[] = [];
  for await (const line of linesOf(inChunks(bytes, size))) lines.push(line);
  return lines;
}

test.each<[string, string[]]>([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\nb', ['a', 'b']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\n\n\r\nb', ['a', '', '', 'b']],
  ['\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ['\u00fcn\u00ef\n\u{1f600}', ['\u00fcn\u00ef', '\u{1f600}']],
])('the text %j has the lines %j', async (content, texts) => {
  expect(await read(content)).toEqual(texts.map((text, index) => ({ number: index + 1, text })));
});

test('the lines do not depend on the chunks', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ',', '"', '\u00fc', '\u{1f600}', ' ') });
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 20 }), async (texts, size) => {
      const content = texts.map((text) => `${text}\n`).join('');
      expect(await read(content, size)).toEqual(texts.map((text, index) => ({ number: index + 1, text })));
    }),
  );
});

test('a tab is allowed', async () => {
  expect(await read(Buffer.from('a\tb'), 10)).toEqual([{ number: 1, text: 'a\tb' }]);
});

describe('invalid lines', () => {
  const LONGEST = 64 * 1024;

  test.each<[string, Uint8Array]>([
    ['is not valid UTF-8: save the file as CSV in UTF-8', Buffer.from([0x61, 0xff])],
    ['is not valid UTF-8: save the file as CSV in UTF-8', Buffer.from('\u00fc', 'latin1')],
    ['contains control characters', Buffer.from('a\u0000')],
    ['contains control characters', Buffer.from('a\rb')],
    ['contains control characters', Buffer.from('a\u0085b')],
    ['is longer than 64 KiB', Buffer.alloc(LONGEST + 1, 'a')],
    ['is longer than 64 KiB', Buffer.alloc(10 * LONGEST, 'a')],
  ])('an invalid line is reported: it %s', async (problem, bytes) => {
    const content = Buffer.concat([Buffer.from('a\n'), bytes, Buffer.from('\nb')]);
    for (const size of [50_000, 65_536, 1_000_000]) {
      expect(await read(content, size)).toEqual([
        { number: 1, text: 'a' },
        { number: 2, problem },
        { number: 3, text: 'b' },
      ]);
    }
  });

  test('a line longer than 64 KiB is invalid: exactly 64 KiB is valid', async () => {
    expect(await read(Buffer.alloc(LONGEST, 'a'), 10_000)).toEqual([{ number: 1, text: 'a'.repeat(LONGEST) }]);
  });
});

describe('lines of more than 1 MiB', () => {
  const MEBIBYTE = 1024 * 1024;
  const problem = 'is longer than 1 MiB: the rest of the file is not imported';

  test('a line of more than 1 MiB ends the reading, although the stream goes on', async () => {
    let chunks = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('a\n');
      for (; chunks < 100; chunks += 1) yield Buffer.alloc(64 * 1024, 'b');
      throw new Error('The line was read on.');
    }
    const lines = [];
    for await (const line of linesOf(endless())) lines.push(line);
    expect(lines).toEqual([
      { number: 1, text: 'a' },
      { number: 2, problem },
    ]);
    expect(chunks).toBe(16);
  });

  test.each([
    [
      MEBIBYTE,
      [
        { number: 1, problem: 'is longer than 64 KiB' },
        { number: 2, text: 'b' },
      ],
    ],
    [MEBIBYTE + 1, [{ number: 1, problem }]],
  ])('a line of %d bytes is found whatever the chunks', async (length, expected) => {
    const content = Buffer.concat([Buffer.alloc(length, 'a'), Buffer.from('\nb')]);
    for (const size of [50_000, 65_536, 3 * MEBIBYTE]) expect(await read(content, size)).toEqual(expected);
  });
});
