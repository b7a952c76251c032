import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Conversion,
  conversionFingerprint,
  parseIdempotencyKey,
} from '../../../functions/tracking/rules/conversion.ts';
import { reported } from '../../support/conversion.ts';
import { anyUtf16, CLICK_ID, refusal } from '../../support/samples.ts';

describe('an Idempotency-Key', () => {
  test('an Idempotency-Key is 1 to 255 printable ASCII characters', () => {
    fc.assert(
      fc.property(fc.oneof(anyUtf16, fc.string({ maxLength: 300 })), (text) => {
        const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
        const isKey = codes.length >= 1 && codes.length <= 255 && codes.every((code) => code >= 32 && code < 127);
        expect(refusal(() => expect(parseIdempotencyKey(text)).toBe(text)) === undefined).toBe(isKey);
      }),
    );
    expect(parseIdempotencyKey('k'.repeat(255))).toHaveLength(255);
  });

  test.each(['', 'k'.repeat(256), 'a\nb', 'a\tb', 'é', '\u007f', 'key\n'])(
    'the Idempotency-Key %j is not valid, and the error contains the header',
    (text) => {
      expect(refusal(() => parseIdempotencyKey(text))).toMatch(/^Idempotency-Key must /);
    },
  );
});

describe('the fingerprint of a conversion', () => {
  test('the fingerprint does not depend on fields that are not set, which older requests did not have', () => {
    const attribution = { slug: 'jane', clickId: CLICK_ID };
    const { email, customerUid, subId } = reported({ email: 'a@example.com' });
    const older = createHash('sha256').update(
      JSON.stringify([email, customerUid, ['click', attribution.slug, attribution.clickId], subId]),
    );
    expect(conversionFingerprint({ attribution, reported: reported({ email }) })).toBe(older.digest('hex'));
  });

  test.each([
    ['email', { reported: reported({ email: 'b@example.com' }) }],
    ["customer's uid", { reported: reported({ email: 'a@example.com', customerUid: '1' }) }],
    ['slug', { attribution: { slug: 'john', clickId: CLICK_ID } }],
    ['click', { attribution: { slug: 'jane', clickId: CLICK_ID.replace('0', '1') } }],
    ['sub id', { reported: reported({ email: 'a@example.com', subId: 'spring' }) }],
    ['sub id, the string "null"', { reported: reported({ email: 'a@example.com', subId: 'null' }) }],
    ['identifier with the same value', { reported: reported({ customerUid: 'a@example.com' }) }],
    ['way to identify the advocate with the same values', { attribution: { publicKey: 'jane', uid: CLICK_ID } }],
  ])('the fingerprint differs for another %s', (_, change) => {
    const conversion: Conversion = {
      attribution: { slug: 'jane', clickId: CLICK_ID },
      reported: reported({ email: 'a@example.com' }),
    };
    expect(conversionFingerprint({ ...conversion, ...change })).not.toBe(conversionFingerprint(conversion));
  });

  test('with a code, the fingerprint differs for a slug of its own and the slug of a click', () => {
    const [click, slug] = [false, true].map((isExplicit) =>
      conversionFingerprint({
        attribution: { slug: 'jane', clickId: CLICK_ID, isExplicit },
        promotion: { code: 'JANE20' },
        reported: reported({ email: 'a@example.com' }),
      }),
    );
    expect(click).not.toBe(slug);
  });
});
