import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { slugCandidates } from '../../../functions/advocates/rules/slug-candidates.ts';
import {
  MAX_UID,
  parseSlug,
  parseSubId,
  parseText,
  SUB_ID_PATTERN,
  slugFromNames,
  TEXT_PATTERN,
} from '../../../functions/kernel/fields/fields.ts';
import { anySlug, anyUtf16, refusal } from '../../support/samples.ts';

describe('texts', () => {
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

describe('slugs', () => {
  test('a slug is 1 to 64 of a-z, 0-9, hyphen and underscore, and capitals count as lower case', () => {
    fc.assert(
      fc.property(anySlug, (slug) => {
        expect(parseSlug('slug', slug)).toBe(slug);
        expect(parseSlug('slug', slug.toUpperCase())).toBe(slug);
      }),
    );
    expect(parseSlug('slug', 'a'.repeat(64))).toHaveLength(64);
  });

  test.each(['', 'a'.repeat(65), 'jane doe', 'jane.doe', 'zoë', '\u212Aim', '\u0130', 'jane\n', '#'])(
    'the slug %p is not valid',
    (text) => {
      expect(refusal(() => parseSlug('slug', text))).toBe(
        'slug must be 1 to 64 letters, digits, hyphens or underscores',
      );
    },
  );
});

describe('the slug built from names', () => {
  test.each([
    [['Zoë', "O'Neil"], 'zoe-o-neil'],
    [['Jane', null], 'jane'],
    [['李', '小龙'], ''],
    [['Işık', 'İnan'], 'isik-inan'],
    [['Cœur', 'ŒUVRE'], 'coeur-oeuvre'],
    [['Æ'.repeat(40), null], 'ae'.repeat(28)],
  ])('the names %p become the slug %p', (names, slug) => {
    expect(slugFromNames(...names)).toBe(slug);
  });

  test('the slug built from names leaves room for eight more characters', () => {
    expect(slugFromNames('a'.repeat(500), null)).toHaveLength(56);
  });
});

describe('candidate slugs', () => {
  test('the candidates are the names, with a number from 2 to 5, and with random characters', () => {
    const [plain, ...others] = slugCandidates({ firstName: 'Jane', lastName: 'Doe' }, 'names', randomBytes);
    expect(plain).toBe('jane-doe');
    expect(others.slice(0, 4)).toEqual(['jane-doe-2', 'jane-doe-3', 'jane-doe-4', 'jane-doe-5']);
    expect(others.slice(4)).toEqual(Array(3).fill(expect.stringMatching(/^jane-doe-[a-z2-9]{6}$/)));
    expect(new Set(others).size).toBe(7);
  });
});
