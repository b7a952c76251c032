import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseGrId } from '../../../functions/domain/fields.ts';
import { derivedId, derivedRandom, UUIDV7_PATTERN, uuidv7 } from '../../../functions/domain/ids.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { anySlug, anyUtf16, aSecond, aUuid, CLICK_ID, NOW, refusal } from '../samples.ts';

const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 }).map(milliseconds);
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const FORM = new RegExp(`^${UUIDV7_PATTERN}$`);

describe('UUIDv7', () => {
  test('a UUIDv7 is the example of RFC 9562 if built from its time and bits', () => {
    const bytes = Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f);
    expect(uuidv7(milliseconds(0x017f_22e2_79b0), () => bytes)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  test('a UUIDv7 has 48 bits of time, then the version 7, 12 random bits, the variant 10 and 62 random bits', () => {
    fc.assert(
      fc.property(moment, tenBytes, (time, bytes) => {
        const id = uuidv7(time, () => bytes);
        const bits = BigInt(`0x${id.replaceAll('-', '')}`);
        const random = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
        expect(bits >> 80n).toBe(BigInt(time));
        expect((bits >> 76n) & 0xfn).toBe(7n);
        expect((bits >> 64n) & 0xfffn).toBe((random >> 64n) & 0xfffn);
        expect((bits >> 62n) & 3n).toBe(2n);
        expect(bits & (2n ** 62n - 1n)).toBe(random & (2n ** 62n - 1n));
      }),
    );
  });

  test('a UUIDv7 matches its pattern; upper case, other versions and other variants do not', () => {
    fc.assert(
      fc.property(aUuid, (id) => {
        expect(id).toMatch(FORM);
        expect(`${id.slice(0, 14)}4${id.slice(15)}`).not.toMatch(FORM);
        expect(`${id.slice(0, 19)}c${id.slice(20)}`).not.toMatch(FORM);
        expect(`A${id.slice(1).toUpperCase()}`).not.toMatch(FORM);
        expect(id.replaceAll('-', '')).not.toMatch(FORM);
      }),
    );
  });
});

test('a derived id is a UUIDv7 of its second, the same for the same source and second', () => {
  fc.assert(
    fc.property(fc.string(), aSecond, (source, second) => {
      const id = derivedId(source, second);
      expect(id).toMatch(new RegExp(`^${UUIDV7_PATTERN}$`));
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(second * 1000);
      expect(derivedId(source, second)).toBe(id);
      expect(derivedId(`${source}.`, second)).not.toBe(id);
    }),
  );
  expect(derivedId('a', null)).toMatch(/^00000000-0000-7/);
  expect(derivedId('a', NOW)).not.toBe(derivedId('a', null));
});

test('derived random bytes have the requested length, are the same in each run, and do not repeat', () => {
  const random = derivedRandom('a');
  const drawn = [32, 1, 100, 0, 8].map((count) => Buffer.from(random(count)).toString('hex'));
  expect(drawn.map((bytes) => bytes.length / 2)).toEqual([32, 1, 100, 0, 8]);
  const again = derivedRandom('a');
  expect([32, 1, 100, 0, 8].map((count) => Buffer.from(again(count)).toString('hex'))).toEqual(drawn);
  const whole = drawn.join('');
  expect(new Set(whole.match(/.{16}/g)).size).toBe(Math.floor(whole.length / 16));
});

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
