import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseGrId } from '../../../functions/domain/fields.ts';
import { anySlug, anyUtf16, aUuid, CLICK_ID, refusal } from '../samples.ts';

describe('gr_ids', () => {
  test('a gr_id is a slug, a dot or underscore, and a click id', () => {
    fc.assert(
      fc.property(anySlug, aUuid, (slug, clickId) => {
        for (const separator of ['.', '_']) {
          expect(parseGrId(`${slug}${separator}${clickId}`)).toEqual({ slug, clickId });
        }
      }),
    );
  });

  test.each([
    [`jane_doe.${CLICK_ID}`, 'jane_doe'],
    [`jane_doe_${CLICK_ID}`, 'jane_doe'],
    [`__${CLICK_ID}`, '_'],
    [`${CLICK_ID}_${CLICK_ID}`, CLICK_ID],
    [`${'_'.repeat(64)}_${CLICK_ID}`, '_'.repeat(64)],
  ])('a gr_id may have underscores in its slug: %s', (text, slug) => {
    expect(parseGrId(text)).toEqual({ slug, clickId: CLICK_ID });
  });

  test('a gr_id may have its slug in any case, and is parsed to lower case', () => {
    expect(parseGrId(`Jane-DOE.${CLICK_ID}`)).toEqual({ slug: 'jane-doe', clickId: CLICK_ID });
  });

  test.each([
    ['an empty slug', `.${CLICK_ID}`],
    ['a slug of 65 characters', `${'a'.repeat(65)}.${CLICK_ID}`],
    ['a slug with a dot', `jane.doe.${CLICK_ID}`],
    ['a slug of 65 underscores', `${'_'.repeat(65)}_${CLICK_ID}`],
    ['a hyphen instead of the dot', `jane-doe-${CLICK_ID}`],
    ['a slug with a Kelvin sign', `\u212Aim.${CLICK_ID}`],
    ['a slug alone', 'jane-doe'],
    ['a click id alone', CLICK_ID],
    ['an empty click id', 'jane-doe.'],
    ['a click id in capitals', `jane-doe.${CLICK_ID.toUpperCase()}`],
    ['a UUIDv4', 'jane-doe.0f0e1d2c-3b4a-4958-8766-554433221100'],
    ['a UUIDv7 of another variant', 'jane-doe.019a2b3c-4d5e-7f60-ca1b-2c3d4e5f6071'],
    ['a line break at its end', `jane-doe.${CLICK_ID}\n`],
    ['nothing', ''],
    ['100 KB', 'a'.repeat(100_000)],
  ])('a gr_id with %s is rejected, and the error contains gr_id', (_, text) => {
    expect(refusal(() => parseGrId(text))).toMatch(/^gr_id must /);
  });

  test('a gr_id is not an arbitrary text, nor a valid one with a foreign character', () => {
    fc.assert(
      fc.property(anyUtf16, anySlug, aUuid, fc.nat(101), (text, slug, id, place) => {
        const good = `${slug}.${id}`;
        fc.pre(/[^a-zA-Z0-9_-]/.test(text));
        expect(refusal(() => parseGrId(text))).toMatch(/^gr_id /);
        expect(refusal(() => parseGrId(good.slice(0, place) + text + good.slice(place)))).toMatch(/^gr_id /);
      }),
    );
  });
});
