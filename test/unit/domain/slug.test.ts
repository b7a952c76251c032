import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSlug, parseSlug, slugFromNames } from '../../../functions/domain/fields.ts';
import { slugCandidates } from '../../../functions/domain/slug-candidates.ts';
import { anySlug, anyUtf16, refusal } from '../samples.ts';

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
    [['Jane', 'Doe'], 'jane-doe'],
    [['Jane', null], 'jane'],
    [[null, null], ''],
    [['李', '小龙'], ''],
    [['  --Åsa--  ', ''], 'asa'],
    [['Ørsted', 'Groß'], 'orsted-gross'],
    [['Işık', 'İnan'], 'isik-inan'],
    [['Cœur', 'ŒUVRE'], 'coeur-oeuvre'],
    [['Æ'.repeat(40), null], 'ae'.repeat(28)],
  ])('the names %p become the slug %p', (names, slug) => {
    expect(slugFromNames(...names)).toBe(slug);
  });

  test('the slug built from names leaves room for eight more characters, or is empty', () => {
    fc.assert(
      fc.property(anyUtf16, fc.option(anyUtf16), (first, last) => {
        expect(slugFromNames(first, last)).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]{0,54}[a-z0-9])?)?$/);
      }),
    );
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

  test.each([
    ['without names', null, null],
    ['with names in another script', '李', '小龙'],
    ['with empty names', '', ''],
  ])('the candidates are random %s', (_, first, last) => {
    expect([...slugCandidates({ firstName: first, lastName: last }, 'names', randomBytes)]).toEqual(
      Array(3).fill(expect.stringMatching(/^[a-z2-9]{8}$/)),
    );
  });

  test('the candidates are random if the program chose so', () => {
    const slugs = [...slugCandidates({ firstName: 'Jane', lastName: 'Doe' }, 'random', randomBytes)];
    expect(slugs).toEqual(Array(3).fill(expect.stringMatching(/^[a-z2-9]{8}$/)));
  });

  test('the candidates are valid and different, for all names', () => {
    const name = fc.option(fc.oneof(anyUtf16, fc.stringMatching(/^[a-z ]{40,80}$/)));
    fc.assert(
      fc.property(name, name, (first, last) => {
        const slugs = [...slugCandidates({ firstName: first, lastName: last }, 'names', randomBytes)];
        expect(slugs.filter((slug) => !isSlug(slug))).toEqual([]);
        expect(new Set(slugs).size).toBe(slugs.length);
      }),
    );
  });
});
