import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addCalendarMonths, LAST_SECOND, milliseconds, secondOf, seconds } from '../../../functions/domain/time.ts';
import { dayNumber, dayOf, daysInMonth } from '../calendar.ts';

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
