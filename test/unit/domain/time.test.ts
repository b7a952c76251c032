import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addCalendarMonths,
  intersection,
  LAST_SECOND,
  milliseconds,
  parseMoment,
  rangeBetween,
  secondOf,
  seconds,
} from '../../../functions/domain/time.ts';
import { dayNumber, dayOf, daysInMonth } from '../calendar.ts';
import { aSecond } from '../samples.ts';

describe('times', () => {
  const at = (text: string) => seconds(Date.parse(text) / 1000);

  describe('seconds', () => {
    test.each([0, 1, LAST_SECOND])('%p is a whole second of the years 1970 to 9999', (value) => {
      expect(seconds(value)).toBe(value);
    });

    test.each([-1, 0.5, LAST_SECOND + 1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
      '%p is not a valid second',
      (value) => {
        expect(() => seconds(value)).toThrow(RangeError);
      },
    );

    test('the second of a moment is its milliseconds rounded down', () => {
      expect(secondOf(milliseconds(1999.9))).toBe(1);
      expect(secondOf(milliseconds(2000))).toBe(2);
    });

    test.each([Number.NaN, Number.POSITIVE_INFINITY])('%p is not a time of a clock', (value) => {
      expect(() => milliseconds(value)).toThrow(RangeError);
    });
  });

  describe('calendar months', () => {
    test.each([
      ['2026-01-31T10:20:30Z', 1, '2026-02-28T10:20:30Z'],
      ['2024-01-31T00:00:00Z', 1, '2024-02-29T00:00:00Z'],
      ['2100-01-31T00:00:00Z', 1, '2100-02-28T00:00:00Z'],
      ['2000-01-31T00:00:00Z', 1, '2000-02-29T00:00:00Z'],
      ['2024-02-29T23:59:59Z', 12, '2025-02-28T23:59:59Z'],
      ['2024-02-29T23:59:59Z', 48, '2028-02-29T23:59:59Z'],
      ['2026-12-31T23:59:59Z', 1, '2027-01-31T23:59:59Z'],
      ['2026-03-31T00:00:00Z', 1, '2026-04-30T00:00:00Z'],
      ['2026-05-15T12:00:00Z', 0, '2026-05-15T12:00:00Z'],
      ['2026-02-28T00:00:00Z', 1, '2026-03-28T00:00:00Z'],
    ])('%s plus %i months is %s', (start, months, end) => {
      expect(addCalendarMonths(at(start), months)).toBe(at(end));
    });

    test('calendar months keep the day, clamped to the end of the month, and the time of day', () => {
      const start = fc.integer({ min: 0, max: at('9000-01-01T00:00:00Z') }).map(seconds);
      fc.assert(
        fc.property(start, fc.integer({ min: 0, max: 1200 }), (second, months) => {
          const timeOfDay = second % 86_400;
          const { year, month, day } = dayOf((second - timeOfDay) / 86_400);
          const count = year * 12 + (month - 1) + months;
          const target = { year: Math.floor(count / 12), month: (count % 12) + 1 };
          const clamped = Math.min(day, daysInMonth(target.year, target.month));
          expect(addCalendarMonths(second, months)).toBe(dayNumber({ ...target, day: clamped }) * 86_400 + timeOfDay);
        }),
      );
    });
  });
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
