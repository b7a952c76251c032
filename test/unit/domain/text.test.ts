import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_NAME,
  MAX_SUB_ID,
  MAX_UID,
  parseSubId,
  parseText,
  SUB_ID_PATTERN,
  TEXT_PATTERN,
} from '../../../functions/domain/fields.ts';
import { anyUtf16, refusal } from '../samples.ts';

const REFUSED = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufffd]/u;

describe('texts', () => {
  test('a text has at most 128 characters in sub_id and uid, and 200 in names', () => {
    expect({ MAX_SUB_ID, MAX_UID, MAX_NAME }).toEqual({ MAX_SUB_ID: 128, MAX_UID: 128, MAX_NAME: 200 });
  });

  test.each(['a', 'é', '😀', '李'])(
    'a text is measured in code points: 128 times %s is accepted and 129 times is not',
    (character) => {
      expect(parseText('sub_id', character.repeat(128), 128)).toBe(character.repeat(128));
      expect(refusal(() => parseText('sub_id', character.repeat(129), 128))).toBe(
        'sub_id must be 1 to 128 characters long',
      );
    },
  );

  test.each(['\u0000', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009f', '\ud800', '\udfff', '\udc00\ud800'])(
    'a text with %j is rejected, and the error contains the field',
    (bad) => {
      expect(refusal(() => parseText('uid', `a${bad}b`, 128))).toBe(
        'uid must not contain control characters, line separators or lone surrogates',
      );
    },
  );

  test('a text with U+FFFD, which may replace invalid UTF-8, is rejected; a sub id is not', () => {
    expect(refusal(() => parseText('uid', 'caf\ufffd', 128))).toBe(
      'uid must not contain U+FFFD, which replaces invalid UTF-8: send valid UTF-8',
    );
    expect(parseSubId('sub_id', 'caf\ufffd')).toBe('caf\ufffd');
  });

  test.each([' Spring sale ', '#', 'Ä', 'e\u0301', '__proto__', 'שרה', '\ufeff'])(
    'a text is not changed: %j',
    (text) => {
      expect(parseText('sub_id', text, 128)).toBe(text);
    },
  );

  test('a text without control characters, lone surrogates and over-length is accepted unchanged', () => {
    fc.assert(
      fc.property(anyUtf16, fc.integer({ min: 1, max: 12 }), (text, max) => {
        const accepted = refusal(() => expect(parseText('uid', text, max)).toBe(text)) === undefined;
        const characters = [...text];
        const isGood =
          characters.length >= 1 &&
          characters.length <= max &&
          characters.every((character) => !REFUSED.test(character));
        expect(accepted).toBe(isGood);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('invisible characters', () => {
  test.each([
    ['U+200B', 'U+200F'],
    ['U+202A', 'U+202E'],
    ['U+2066', 'U+2069'],
  ])('neither a text nor a sub id has a character from %s to %s', (first, last) => {
    const [from = 0, to = 0] = [first, last].map((code) => Number.parseInt(code.slice(2), 16));
    const isAccepted = (code: number) => {
      const text = `a${String.fromCharCode(code)}b`;
      const parsers = [() => parseText('uid', text, MAX_UID), () => parseSubId('sub_id', text)];
      return parsers.some((parse) => refusal(() => expect(parse()).toBe(text)) === undefined);
    };
    const codes = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    expect(codes.filter(isAccepted)).toEqual([]);
    // No text contains U+2029, a paragraph separator.
    const neighbors = [from - 1, to + 1].filter((code) => code !== 0x2029);
    expect(neighbors.filter(isAccepted)).toEqual(neighbors);
  });
});

const PARSERS: [what: string, pattern: string, parse: (text: string) => string][] = [
  ['text', TEXT_PATTERN, (text) => parseText('uid', text, MAX_UID)],
  ['sub id', SUB_ID_PATTERN, (text) => parseSubId('sub_id', text)],
];

test.each(PARSERS)('a %s is accepted if and only if the documented pattern accepts it', (_, pattern, parse) => {
  const documented = new RegExp(pattern, 'u');
  const special = fc.oneof(fc.integer({ min: 0x2000, max: 0x2070 }), fc.constant(0xfffd));
  const character = fc.oneof(anyUtf16, special.map(String.fromCharCode));
  const line = fc.array(character, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      line.filter(({ length }) => length > 0 && length <= MAX_UID),
      (text) => {
        expect(documented.test(text)).toBe(refusal(() => parse(text)) === undefined);
      },
    ),
    { numRuns: 1000 },
  );
});
