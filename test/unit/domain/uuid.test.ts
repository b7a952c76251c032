import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UUIDV7_PATTERN, uuidv7 } from '../../../functions/domain/ids.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { aUuid } from '../samples.ts';

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
