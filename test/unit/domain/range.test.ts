import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { intersection, LAST_SECOND, parseMoment, rangeBetween, seconds } from '../../../functions/domain/time.ts';
import { aSecond } from '../samples.ts';

/** A bound near the second 1,000,000: as it is parsed, and exactly, in thousandths of a second. */
const bound = fc
  .record({
    second: fc.integer({ min: 999_990, max: 1_000_010 }),
    thousandths: fc.integer({ min: 0, max: 999 }),
  })
  .map(({ second, thousandths }) => {
    const exact = second * 1000 + thousandths;
    return { exact, moment: parseMoment(new Date(exact).toISOString()) };
  });
const nearby = fc.integer({ min: 999_985, max: 1_000_015 });

const has = (range: { from: number; to: number }, second: number) => second >= range.from && second < range.to;

describe('ranges between two moments', () => {
  test('the range contains the seconds strictly between two moments, fractions compared exactly', () => {
    fc.assert(
      fc.property(bound, bound, nearby, (after, before, second) => {
        expect(has(rangeBetween(after.moment, before.moment), second)).toBe(
          second * 1000 > after.exact && second * 1000 < before.exact,
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('the range is open if a bound is missing', () => {
    fc.assert(
      fc.property(bound, nearby, ({ moment, exact }, second) => {
        expect(has(rangeBetween(moment, undefined), second)).toBe(second * 1000 > exact);
        expect(has(rangeBetween(undefined, moment), second)).toBe(second * 1000 < exact);
        expect(has(rangeBetween(undefined, undefined), second)).toBe(true);
      }),
    );
  });

  test('the range includes the first second of 1970 after any moment before it', () => {
    expect(has(rangeBetween(parseMoment('1969-12-31T23:59:59Z'), undefined), 0)).toBe(true);
    expect(has(rangeBetween(parseMoment('0000-01-01T00:00:00+14:00'), undefined), 0)).toBe(true);
    expect(has(rangeBetween(parseMoment('1970-01-01T00:00:00Z'), undefined), 0)).toBe(false);
  });

  test('the range is empty before 1970 and after 9999', () => {
    const past = rangeBetween(undefined, parseMoment('1970-01-01T00:00:00Z'));
    const future = rangeBetween(parseMoment('9999-12-31T23:59:59-14:00'), undefined);
    expect(past.from).toBeGreaterThanOrEqual(past.to);
    expect(future.from).toBeGreaterThanOrEqual(future.to);
  });

  test('the range stays within the seconds that can be stored', () => {
    const moment = fc.option(fc.record({ second: fc.integer({ min: -1e11, max: 3e11 }), hasFraction: fc.boolean() }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(moment, moment, (after, before) => {
        const { from, to } = rangeBetween(after, before);
        expect(seconds(from)).toBe(from);
        expect(seconds(to)).toBe(to);
        expect(to).toBeLessThanOrEqual(LAST_SECOND);
      }),
    );
  });
});

test('a second is in the intersection of two ranges exactly if it is in both', () => {
  const range = fc.record({ from: aSecond, to: aSecond });
  fc.assert(
    fc.property(range, range, aSecond, (one, other, second) => {
      for (const place of [second, one.from, one.to, other.from, other.to]) {
        expect(has(intersection(one, other), place)).toBe(has(one, place) && has(other, place));
      }
    }),
  );
});
