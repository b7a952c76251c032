import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConversionV2 } from '../../../functions/tracking/mapping.ts';
import { reported } from '../../support/conversion.ts';
import { anyUtf16, CLICK_ID, refusal } from '../samples.ts';

const GR_ID = `jane-doe.${CLICK_ID}`;
const BY_COOKIE = { email: 'a@example.com', gr_id: GR_ID };
const BY_SLUG = { uid: 'customer-1', affiliate_slug: 'jane-doe' };
const sentence = (body: unknown) => refusal(() => parseConversionV2(body));
const absent = fc.constantFrom(null, '');

describe('V2 conversions', () => {
  test('a V2 conversion with a cookie has the slug and the click in it', () => {
    expect(parseConversionV2({ email: ' A@Example.com ', gr_id: `Jane-Doe.${CLICK_ID}` })).toEqual({
      attribution: { slug: 'jane-doe', clickId: CLICK_ID },
      reported: reported({ email: 'a@example.com' }),
    });
  });

  test('a V2 conversion with a slug has no click, and keeps the case of the customer’s uid', () => {
    expect(parseConversionV2({ affiliate_slug: 'Jane-Doe', uid: 'Ab#1 é', sub_id: 'Spring 1' })).toEqual({
      attribution: { slug: 'jane-doe', clickId: null },
      reported: reported({ customerUid: 'Ab#1 é', subId: 'Spring 1' }),
    });
  });

  test('a V2 conversion with affiliate_slug and gr_id uses that slug and the click of gr_id', () => {
    const { attribution } = parseConversionV2({ ...BY_COOKIE, affiliate_slug: 'john' });
    expect(attribution).toEqual({ slug: 'john', clickId: CLICK_ID });
  });

  test('a bad gr_id is not rescued by a good slug, nor a bad slug by a good gr_id', () => {
    fc.assert(
      fc.property(anyUtf16, (text) => {
        fc.pre(text !== '');
        expect(sentence({ ...BY_SLUG, gr_id: text })).toMatch(/^gr_id must /);
        if (!/^[\w-]{1,64}$/.test(text))
          expect(sentence({ ...BY_COOKIE, affiliate_slug: text })).toMatch(/^affiliate_slug must /);
      }),
    );
  });

  test('a V2 conversion with null or "" in a field equals a conversion without it', () => {
    fc.assert(
      fc.property(absent, absent, (one, two) => {
        expect(parseConversionV2({ ...BY_COOKIE, uid: one, affiliate_slug: two, sub_id: one })).toEqual(
          parseConversionV2(BY_COOKIE),
        );
        expect(parseConversionV2({ ...BY_SLUG, email: one, gr_id: two })).toEqual(parseConversionV2(BY_SLUG));
        expect(sentence({ ...BY_COOKIE, email: one, uid: two })).toBe('email or uid is required');
        expect(sentence({ ...BY_COOKIE, gr_id: one, affiliate_slug: two })).toBe('affiliate_slug or gr_id is required');
      }),
    );
  });

  test('a V2 conversion ignores unknown fields, and pk, which only identifies the caller', () => {
    const known = ['email', 'uid', 'gr_id', 'affiliate_slug', 'sub_id', 'pk'];
    const field = fc.string().filter((name) => !known.includes(name));
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), fc.string(), (unknown, pk) => {
        expect(parseConversionV2({ ...unknown, ...BY_COOKIE, pk })).toEqual(parseConversionV2(BY_COOKIE));
      }),
    );
    const named = { ...BY_COOKIE, state: 'paid', created_at: 1, commission_percentage: 99, id: CLICK_ID };
    expect(parseConversionV2(named)).toEqual(parseConversionV2(BY_COOKIE));
  });
});
