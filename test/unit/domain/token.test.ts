import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashToken, isTokenShaped, makeToken, type TokenKind } from '../../../functions/domain/token.ts';
import { edgeFunction } from '../../support/edge-function.ts';
import { anyUtf16 } from '../samples.ts';

const atEdge = edgeFunction(0);

/** The verdict of the API. The function at the edge must have the same. */
function isValid(text: string): boolean {
  // More spaces after the scheme are allowed.
  const refused = atEdge('GET', '/v2/advocates', { authorization: `Bearer ${text}` });
  expect(refused === undefined).toBe(isTokenShaped(text.replace(/^ +/, '')));
  return isTokenShaped(text);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A reference implementation of CRC-32 (ISO 3309), bit by bit. */
function crc32(text: string): bigint {
  let crc = 0xffff_ffffn;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1n ? (crc >> 1n) ^ 0xedb8_8320n : crc >> 1n;
  }
  return crc ^ 0xffff_ffffn;
}

function base62(number: bigint): string {
  let [text, remainder] = ['', number];
  for (let place = 0; place < 6; place += 1) {
    text = DIGITS.charAt(Number(remainder % 62n)) + text;
    remainder /= 62n;
  }
  return text;
}

const kind = fc.constantFrom<TokenKind>('program', 'affiliate');
const secret = fc.stringMatching(/^[0-9A-Za-z]{30}$/);
const token = fc
  .tuple(fc.constantFrom('rtp_', 'rta_'), secret)
  .map(([prefix, random]) => `${prefix}${random}${base62(crc32(random))}`);

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
  test('a token is the prefix of its kind, 30 characters and their CRC-32 in 6 digits of base 62', () => {
    fc.assert(
      fc.property(kind, fc.integer(), (owner, seed) => {
        const made = makeToken(owner, bytes(seed));
        const [, prefix, random = '', sum] = /^(rt._)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(made) ?? [];
        expect(prefix).toBe(owner === 'program' ? 'rtp_' : 'rta_');
        expect(sum).toBe(base62(crc32(random)));
        expect(isValid(made)).toBe(true);
      }),
    );
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

  test('a token with the checksum in another order of the base-62 digits is not valid', () => {
    expect(isValid(`rtp_${'0'.repeat(30)}2c8gJs`)).toBe(false);
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

  test('a token is not an arbitrary text, nor a token with anything before or after it', () => {
    fc.assert(
      fc.property(token, fc.string({ minLength: 1 }), anyUtf16, (good, more, text) => {
        expect(isValid(`${good}${more}`)).toBe(false);
        expect(isValid(`${more}${good}`)).toBe(false);
        expect(isValid(`${good}\n`)).toBe(false);
        expect(isValid(text)).toBe(false);
      }),
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

  test('a token is stored as the SHA-256 of the whole token, in hex', () => {
    const known = `rtp_${'0'.repeat(30)}2C8GjS`;
    expect(hashToken(known)).toBe(createHash('sha256').update(Buffer.from(known)).digest('hex'));
    expect(hashToken('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

/** An endless source that repeats the given bytes. */
function bytesOf(pattern: readonly number[]) {
  return (count: number) => Uint8Array.from({ length: count }, (_, index) => pattern[index % pattern.length] ?? 0);
}
