import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isTokenShaped, makeToken, type TokenKind } from '../../../functions/kernel/accounts/rules/token.ts';
import { parseGrId } from '../../../functions/kernel/fields/fields.ts';
import { derivedId, derivedRandom, UUIDV7_PATTERN, uuidv7 } from '../../../functions/kernel/ids.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { edgeFunction } from '../../support/edge-function.ts';
import { anySlug, aSecond, aUuid, CLICK_ID, NOW, refusal } from '../../support/samples.ts';

const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 }).map(milliseconds);
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('UUIDv7', () => {
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
    [`Jane_DOE_${CLICK_ID}`, 'jane_doe'],
    [`${CLICK_ID}_${CLICK_ID}`, CLICK_ID],
    [`${'_'.repeat(64)}_${CLICK_ID}`, '_'.repeat(64)],
  ])('a gr_id may have underscores and capitals in its slug: %s', (text, slug) => {
    expect(parseGrId(text)).toEqual({ slug, clickId: CLICK_ID });
  });

  test.each([
    ['an empty slug', `.${CLICK_ID}`],
    ['a slug of 65 characters', `${'a'.repeat(65)}.${CLICK_ID}`],
    ['a slug with a Kelvin sign', `\u212Aim.${CLICK_ID}`],
    ['a click id in capitals', `jane-doe.${CLICK_ID.toUpperCase()}`],
    ['a UUIDv7 of another variant', 'jane-doe.019a2b3c-4d5e-7f60-ca1b-2c3d4e5f6071'],
    ['a line break at its end', `jane-doe.${CLICK_ID}\n`],
  ])('a gr_id with %s is rejected, and the error contains gr_id', (_, text) => {
    expect(refusal(() => parseGrId(text))).toMatch(/^gr_id must /);
  });
});

const atEdge = edgeFunction(0);

/** The verdict of the API. The function at the edge must have the same. */
function isValid(text: string): boolean {
  // More spaces after the scheme are allowed.
  const refused = atEdge('GET', '/v2/advocates', { authorization: `Bearer ${text}` });
  expect(refused === undefined).toBe(isTokenShaped(text.replace(/^ +/, '')));
  return isTokenShaped(text);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const kind = fc.constantFrom<TokenKind>('program', 'affiliate');
const token = fc.tuple(kind, fc.integer()).map(([owner, seed]) => makeToken(owner, bytes(seed)));

/** An endless source of bytes that depends only on a seed. */
function bytes(seed: number) {
  let state = seed;
  return (count: number) =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    });
}

describe('tokens', () => {
  test('a token is the prefix of its kind, 30 characters and a checksum', () => {
    expect(makeToken('program', bytes(1))).toMatch(/^rtp_[0-9A-Za-z]{36}$/);
    expect(makeToken('affiliate', bytes(1))).toMatch(/^rta_[0-9A-Za-z]{36}$/);
  });

  // Computed with another program: CRC-32 2011552642, 3941780757 and 8816593.
  test.each([
    `rtp_${'0'.repeat(30)}2C8GjS`,
    `rta_${'z'.repeat(30)}4IlJEz`,
    'rtp_ABCDEFGHIJKLMNOPQRSTUVWXYZabcd34KlM6',
    'rta_00000000000000000000000000040500azb7',
  ])('the token %s is valid: base 62 orders digits, capitals, lower case, and the checksum is padded', (known) => {
    expect(isValid(known)).toBe(true);
  });

  test('a token is not valid after any change of one character', () => {
    fc.assert(
      fc.property(token, fc.nat(39), fc.oneof(fc.constantFrom(...DIGITS), fc.string()), (good, place, put) => {
        const changed = good.slice(0, place) + put + good.slice(place + 1);
        fc.pre(changed !== good && changed.replace(/^rt[pa]_/, '') !== good.slice(4));
        return isValid(good) && !isValid(changed);
      }),
      { numRuns: 2000 },
    );
  });

  test('a token uses all characters with equal probability: bytes that would favor some are skipped', () => {
    const pattern = Array.from({ length: 256 }, (_, byte) => byte);
    const made = Array.from({ length: 10 }, (_, part) => pattern.slice(25 * part, 25 * part + 25)).map((bytes) =>
      makeToken('program', bytesOf(bytes)).slice(4, 4 + Math.min(25, 248 - Number(bytes[0]))),
    );
    expect(made.join('')).toBe(DIGITS.repeat(4));
    expect(makeToken('program', bytesOf([248, 255, 0, 61, 62, 247])).slice(4, 8)).toBe('0z0z');
  });
});

/** An endless source that repeats the given bytes. */
function bytesOf(pattern: readonly number[]) {
  return (count: number) => Uint8Array.from({ length: count }, (_, index) => pattern[index % pattern.length] ?? 0);
}
