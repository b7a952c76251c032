import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addCalendarMonths, intersection, parseMoment, rangeBetween, seconds } from '../../../functions/domain/time.ts';
import { aSecond } from '../samples.ts';

/** The Gregorian calendar by arithmetic alone: the reference for what the service computes with `Date`. */

interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

/** Days before the first of January of a year, counted from the year 0. */
function daysBeforeYear(year: number): number {
  const full = year - 1;
  return year * 365 + (year > 0 ? Math.floor(full / 4) - Math.floor(full / 100) + Math.floor(full / 400) + 1 : 0);
}

/** Days since 1970-01-01, negative before. */
function dayNumber({ year, month, day }: Day): number {
  let days = daysBeforeYear(year) - daysBeforeYear(1970) + day - 1;
  for (let earlier = 1; earlier < month; earlier += 1) days += daysInMonth(year, earlier);
  return days;
}

/** The reverse of `dayNumber`. */
function dayOf(number: number): Day {
  let year = 1970 + Math.floor(number / 366);
  while (dayNumber({ year: year + 1, month: 1, day: 1 }) <= number) year += 1;
  let month = 1;
  let day = number - dayNumber({ year, month: 1, day: 1 }) + 1;
  while (day > daysInMonth(year, month)) {
    day -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day };
}

describe('times', () => {
  const at = (text: string) => seconds(Date.parse(text) / 1000);

  describe('calendar months', () => {
    test.each([
      ['2026-01-31T10:20:30Z', 1, '2026-02-28T10:20:30Z'],
      ['2024-01-31T00:00:00Z', 1, '2024-02-29T00:00:00Z'],
      ['2024-02-29T23:59:59Z', 12, '2025-02-28T23:59:59Z'],
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

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

interface WrittenMoment {
  readonly text: string;
  readonly second: number;
  readonly fraction: string;
}

/** A moment in one of the accepted forms, with its second by the calendar's arithmetic. */
const written: fc.Arbitrary<WrittenMoment> = fc
  .record({
    year: fc.integer({ min: 0, max: 9999 }),
    month: fc.integer({ min: 1, max: 12 }),
    dayChoice: fc.integer({ min: 0, max: 30 }),
    timeOfDay: fc.integer({ min: 0, max: 86_399 }),
    offset: fc.integer({ min: -840, max: 840 }),
    form: fc.constantFrom('contract', 'T', 't'),
    zulu: fc.constantFrom('', 'Z', 'z'),
    plus: fc.constantFrom('+', ' '),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^\d{1,30}$/)),
  })
  .map(({ year, month, dayChoice, timeOfDay, offset, form, zulu, plus, fraction }) => {
    const day = 1 + (dayChoice % daysInMonth(year, month));
    const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
    const hour = Math.floor(timeOfDay / 3600);
    const time = `${pad(hour)}:${pad(Math.floor(timeOfDay / 60) % 60)}:${pad(timeOfDay % 60)}`;
    const sign = offset < 0 ? '-' : plus;
    const hours = pad(Math.floor(Math.abs(offset) / 60));
    const minutes = pad(Math.abs(offset) % 60);
    const local = dayNumber({ year, month, day }) * 86_400 + timeOfDay;
    if (form === 'contract') {
      const text = `${date} ${time} ${sign}${hours}${minutes}`;
      return { text, second: local - offset * 60, fraction: '' };
    }
    const end = zulu || `${sign}${hours}:${minutes}`;
    const text = `${date}${form}${time}${fraction && `.${fraction}`}${end}`;
    return { text, second: zulu ? local : local - offset * 60, fraction };
  });

describe('moments', () => {
  test('a moment in either form is parsed to the second of its date, time and offset', () => {
    fc.assert(
      fc.property(written, ({ text, second }) => {
        expect(parseMoment(text)?.second).toBe(second);
      }),
      { numRuns: 1000 },
    );
  });

  test('a moment has a fraction exactly if the fraction is not zero, however long', () => {
    fc.assert(
      fc.property(written, ({ text, fraction }) => {
        expect(parseMoment(text)?.hasFraction).toBe(BigInt(fraction || '0') !== 0n);
      }),
    );
    expect(parseMoment(`2026-01-31T00:00:00.${'0'.repeat(400)}1Z`)).toEqual({
      second: 1_769_817_600,
      hasFraction: true,
    });
  });

  test.each([
    '2026-01-31 00:00:00 +0000',
    '2026-01-31 00:00:00  0000',
    '2026-01-31T00:00:00Z',
    '2026-01-31t00:00:00z',
    '2026-01-31T05:30:00 05:30',
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
