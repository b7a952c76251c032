import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_NAME, MAX_SUB_ID, MAX_UID, parseText } from '../../../functions/domain/fields.ts';
import { anyUtf16, refusal } from '../samples.ts';

describe('a text', () => {
  test('has at most 128 characters in sub_id and uid, and 200 in names', () => {
    expect({ MAX_SUB_ID, MAX_UID, MAX_NAME }).toEqual({ MAX_SUB_ID: 128, MAX_UID: 128, MAX_NAME: 200 });
  });

  test.each(['a', 'é', '😀', '李'])(
    'is measured in code points: 128 times %s is accepted and 129 times is not',
    (character) => {
      expect(parseText('sub_id', character.repeat(128), 128)).toBe(character.repeat(128));
      expect(refusal(() => parseText('sub_id', character.repeat(129), 128))).toBe(
        'sub_id must be 1 to 128 characters long',
      );
    },
  );

  test('must not be empty', () => {
    expect(refusal(() => parseText('sub_id', '', 128))).toBe('sub_id must be 1 to 128 characters long');
  });

  test.each(['\u0000', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009f', '\ud800', '\udfff', '\udc00\ud800'])(
    'with %j is rejected, and the error names the field',
    (bad) => {
      expect(refusal(() => parseText('uid', `a${bad}b`, 128))).toBe(
        'uid must not contain control characters, line separators or lone surrogates',
      );
    },
  );

  test.each([' Spring sale ', '#', 'Ä', 'e\u0301', '__proto__', 'a\u200db', '\ufeff'])('is not changed: %j', (text) => {
    expect(parseText('sub_id', text, 128)).toBe(text);
  });

  test('is accepted unchanged if it has a valid length, no control characters and no lone surrogates', () => {
    fc.assert(
      fc.property(anyUtf16, fc.integer({ min: 1, max: 12 }), (text, max) => {
        const accepted = refusal(() => expect(parseText('uid', text, max)).toBe(text)) === undefined;
        const characters = [...text];
        const isGood =
          characters.length >= 1 &&
          characters.length <= max &&
          characters.every((character) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(character));
        expect(accepted).toBe(isGood);
      }),
      { numRuns: 1000 },
    );
  });
});
