import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import {
  commissionOf,
  MAX_AMOUNT,
  parseCurrency,
  roundedQuotient,
  shareOf,
} from '../../../functions/kernel/fields/money.ts';
import { expectedCommission, expectedLeft } from '../../support/ledger/money-oracle.ts';

const amounts = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: MAX_AMOUNT }),
  fc.integer({ min: MAX_AMOUNT - 1000, max: MAX_AMOUNT }),
);
/** Rates with at most 6 decimals, as the service stores them. */
const rates = fc.oneof(
  fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => millionths / 1e6),
  fc.integer({ min: 0, max: 100 }),
  fc.constantFrom(0.000001, 33.333333, 66.666667, 99.999999, 12.5, 0.5),
);

describe('the commission of a payment', () => {
  test.each([
    [1, 50, 1],
    [1, 49.999999, 0],
    [50_000_000, 0.000001, 1],
    [MAX_AMOUNT, 100, MAX_AMOUNT],
    // 1.005 and 4.35 are no binary fractions: their products with numbers end below the half.
    [100, 1.005, 1],
    [1000, 4.35, 44],
  ])('%p at %p percent is %p', (amount, rate, commission) => {
    expect(commissionOf(amount, rate)).toBe(commission);
    expect(expectedCommission(amount, rate)).toBe(commission);
  });

  test('every amount and rate has the commission that long multiplication finds', () => {
    const property = (amount: number, rate: number) =>
      expect(commissionOf(amount, rate)).toBe(expectedCommission(amount, rate));
    fc.assert(fc.property(amounts, rates, property), { numRuns: 1000 });
  });
});

describe('the share of a commission', () => {
  test.each([
    [5, 1, 2, 3],
    [-5, 1, 2, -3],
    [MAX_AMOUNT, MAX_AMOUNT, MAX_AMOUNT, MAX_AMOUNT],
    [MAX_AMOUNT, MAX_AMOUNT - 1, MAX_AMOUNT, MAX_AMOUNT - 1],
    [1, 500_000_000_000, MAX_AMOUNT, 1],
  ])('%p × %p / %p is %p', (amount, part, whole, share) => {
    expect(shareOf(amount, part, whole)).toBe(share + 0);
  });

  test('every part has the share that long division finds', () => {
    const parts = amounts.chain((amount) =>
      fc.tuple(fc.constant(amount), fc.integer({ min: 0, max: amount }), amounts),
    );
    const property = ([amount, refunded, commission]: [number, number, number]) =>
      expect(shareOf(commission, amount - refunded, amount)).toBe(expectedLeft(commission, amount, refunded));
    fc.assert(fc.property(parts, property), { numRuns: 1000 });
  });

  test('a negative dividend is rounded like its positive counterpart', () => {
    const property = (dividend: bigint, divisor: bigint) =>
      expect(roundedQuotient(-dividend, divisor)).toBe(-roundedQuotient(dividend, divisor));
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.bigInt({ min: 1n, max: 10n ** 14n }), property));
  });
});

describe('a currency', () => {
  test('every currency that Intl knows is accepted in lower case, and nothing else', () => {
    for (const code of Intl.supportedValuesOf('currency')) {
      expect(parseCurrency('currency', code.toLowerCase())).toBe(code.toLowerCase());
      expect(() => parseCurrency('currency', code)).toThrow(InvalidField);
    }
    for (const text of ['', 'us', 'usdd', 'Usd', ' usd', 'zzq', 'constructor']) {
      expect(() => parseCurrency('currency', text)).toThrow(InvalidField);
    }
  });
});
