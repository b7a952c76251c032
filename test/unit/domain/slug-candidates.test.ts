import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSlug } from '../../../functions/domain/fields.ts';
import { slugCandidates } from '../../../functions/domain/slug-candidates.ts';
import { anyUtf16 } from '../samples.ts';

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
