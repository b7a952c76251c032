import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAutomatic } from '../../../functions/tracking/http/handlers.ts';
import { parseConversionV1, parseConversionV2 } from '../../../functions/tracking/http/mapping.ts';
import { reported } from '../../support/conversion.ts';
import { anyUtf16, CLICK_ID, refusal } from '../../support/samples.ts';

describe('V1', () => {
  const GR_ID = `jane-doe.${CLICK_ID}`;
  const BY_COOKIE = { email: 'a@example.com', gr_id: GR_ID };
  const BY_UID = { email: 'a@example.com', pk: 'pk_1', uid: 'u-1' };
  const sentence = (body: unknown) => refusal(() => parseConversionV1(body));

  describe('V1 conversions', () => {
    test('a V1 conversion with a bad gr_id is not rescued by a good pk and uid', () => {
      fc.assert(
        fc.property(anyUtf16, (text) => {
          fc.pre(text !== '');
          expect(sentence({ ...BY_UID, gr_id: text })).toMatch(/^gr_id must /);
        }),
      );
      expect(sentence({ ...BY_UID, gr_id: 7 })).toMatch(/^gr_id must be a string/);
    });

    test.each([
      [JSON.parse(`{"__proto__":${JSON.stringify(BY_COOKIE)}}`), 'gr_id, or both pk and uid, are required'],
      [
        JSON.parse(`{"email":"a@example.com","__proto__":{"gr_id":"${GR_ID}"}}`),
        'gr_id, or both pk and uid, are required',
      ],
    ])('the invalid body %# is rejected: %j', (body, expected) => {
      expect(sentence(body)).toBe(expected);
    });
  });
});

describe('V2', () => {
  const GR_ID = `jane-doe.${CLICK_ID}`;
  const BY_COOKIE = { email: 'a@example.com', gr_id: GR_ID };
  const BY_SLUG = { uid: 'customer-1', affiliate_slug: 'jane-doe' };
  const sentence = (body: unknown) => refusal(() => parseConversionV2(body));
  const absent = fc.constantFrom(null, '');

  describe('V2 conversions', () => {
    test('a V2 conversion with a slug has no click, and keeps the case of the customer’s uid', () => {
      expect(parseConversionV2({ affiliate_slug: 'Jane-Doe', uid: 'Ab#1 é', sub_id: 'Spring 1' })).toEqual({
        attribution: { slug: 'jane-doe', clickId: null, isExplicit: true },
        reported: reported({ customerUid: 'Ab#1 é', subId: 'Spring 1' }),
      });
    });

    test('a V2 conversion with affiliate_slug and gr_id uses that slug and the click of gr_id', () => {
      const { attribution } = parseConversionV2({ ...BY_COOKIE, affiliate_slug: 'john' });
      expect(attribution).toEqual({ slug: 'john', clickId: CLICK_ID, isExplicit: true });
    });

    test('a V2 conversion with null or "" in a field equals a conversion without it', () => {
      fc.assert(
        fc.property(absent, absent, (one, two) => {
          expect(parseConversionV2({ ...BY_COOKIE, uid: one, affiliate_slug: two, code: two, sub_id: one })).toEqual(
            parseConversionV2(BY_COOKIE),
          );
          expect(parseConversionV2({ ...BY_SLUG, email: one, gr_id: two })).toEqual(parseConversionV2(BY_SLUG));
          expect(sentence({ ...BY_COOKIE, email: one, uid: two })).toBe('email or uid is required');
          expect(sentence({ ...BY_COOKIE, gr_id: one, affiliate_slug: two, code: one })).toBe(
            'affiliate_slug, gr_id or code is required',
          );
        }),
      );
    });
  });
});

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const PEOPLE: [client: string, userAgent: string][] = [
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/142.0.0.0 Safari/537.36`],
  ['Safari on iOS', `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['the browser in Instagram', `${IPHONE} Mobile/15E148 Instagram 400.0.0.0.50 (iPhone15,2; iOS 18_6; en_GB)`],
];

const BOTS: [client: string, userAgent: string][] = [
  [
    'Google on a phone',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${KHTML} Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  ],
  ['OpenAI', `Mozilla/5.0 ${KHTML}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`],
  ['a preview of WhatsApp', 'WhatsApp/2.23.20.0'],
  ['a headless browser', `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/142.0.0.0 Safari/537.36`],
  ['curl', 'curl/8.5.0'],
];
const [[, BROWSER]] = PEOPLE as [[string, string]];

describe('clicks of people', () => {
  test.each(PEOPLE)('a click in %s is a person’s', (_, userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(false);
  });
});

describe('automatic clicks', () => {
  test.each(BOTS)('a click from %s is automatic', (_, userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(true);
  });

  test.each([undefined, '', ' ', '\t'])('a click with the user agent %j is automatic', (userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(true);
  });

  // Browsers send these headers if they load a page before, or without, showing it.
  test.each([
    ['sec-purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('a click with %s is automatic: %s', (name, value) => {
    expect(isAutomatic({ 'user-agent': BROWSER, [name.toLowerCase()]: value })).toBe(true);
  });
});
