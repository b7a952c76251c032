import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addCalendarMonths, intersection, parseMoment, rangeBetween, seconds } from '../../../functions/kernel/time.ts';
import { aSecond } from '../../support/samples.ts';

test.each([
  ['2026-01-31T10:20:30Z', 1, '2026-02-28T10:20:30Z'],
  ['2024-01-31T00:00:00Z', 1, '2024-02-29T00:00:00Z'],
  ['2024-02-29T23:59:59Z', 12, '2025-02-28T23:59:59Z'],
])('%s plus %i calendar months is %s', (start, months, end) => {
  const at = (text: string) => seconds(Date.parse(text) / 1000);
  expect(addCalendarMonths(at(start), months)).toBe(at(end));
});

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

describe('moments', () => {
  test('a moment has a fraction exactly if the fraction is not zero, however long', () => {
    const second = 1_769_817_600;
    for (const [fraction, hasFraction] of [
      ['0'.repeat(30), false],
      [`${'0'.repeat(400)}1`, true],
    ] as const) {
      expect(parseMoment(`2026-01-31T00:00:00.${fraction}Z`)).toEqual({ second, hasFraction });
    }
  });

  test.each([
    '2026-01-31 00:00:00 +0000',
    '2026-01-31 00:00:00  0000',
    '2026-01-31T00:00:00Z',
    '2026-01-31t00:00:00z',
    '2026-01-31T05:30:00 05:30',
    '2026-01-30T19:00:00-05:00',
  ])('the moment %p is midnight of 31 January 2026', (text) => {
    expect(parseMoment(text)).toEqual({ second: 1_769_817_600, hasFraction: false });
  });

  test.each([
    ['a date that the calendar lacks', '2026-02-29T00:00:00Z'],
    ['the second 60', '2016-12-31T23:59:60Z'],
    ['no offset', '2026-01-31 00:00:00'],
    ['a colon in the offset of the contract', '2026-01-31 00:00:00 +00:00'],
    ['no colon in the offset of RFC 3339', '2026-01-31T00:00:00+0000'],
    ['the hour 24', '2026-01-31T24:00:00Z'],
    ['an offset beyond 14 hours', '2026-01-31 00:00:00 +1401'],
    ['a line break at the end', '2026-01-31T00:00:00Z\n'],
  ])('a moment with %s is rejected: %p', (_, text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});
