import { describe, expect, test } from '@jest/globals';
import { positionIn, rankedAfter } from '../../../functions/kernel/accounts/rules/ranking.ts';
import { NO_MONEY, NO_NUMBERS } from '../../../functions/kernel/accounts/rules/totals.ts';
import { daysIn, MAX_DAYS, monthsIn, parseDayRange } from '../../../functions/kernel/days.ts';
import { InvalidCursor } from '../../../functions/kernel/errors.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { valuesOf } from '../../../functions/statistics/rules/sorts.ts';
import { statisticsOf } from '../../../functions/statistics/rules/statistics.ts';

const numbers = (clicks: number, conversions = 0, paying = 0) => ({ ...NO_NUMBERS, clicks, conversions, paying });

describe('the groups of statistics', () => {
  const money = (revenue: bigint) => ({ ...NO_MONEY, revenue });
  const daily = {
    numbers: new Map([
      ['2026-01-30', numbers(100)],
      ['2026-01-31', numbers(1, 2)],
      ['2026-02-02', numbers(10, 0, 5)],
      ['2026-02-03', numbers(1000)],
    ]),
    money: new Map([
      [
        'usd',
        new Map([
          ['2026-01-30', money(100n)],
          ['2026-01-31', money(2n ** 60n)],
          ['2026-02-02', money(-7n)],
        ]),
      ],
    ]),
  };
  const usd = (revenue: bigint) => new Map([['usd', money(revenue)]]);
  const range = { from: '2026-01-31', to: '2026-02-02' };

  test('every day of the range is a group, newest first, zeros included', () => {
    expect(statisticsOf(daily, range, 'day')).toEqual({
      total: { numbers: numbers(11, 2, 5), money: usd(2n ** 60n - 7n) },
      groups: [
        { key: '2026-02-02', numbers: numbers(10, 0, 5), money: usd(-7n) },
        { key: '2026-02-01', numbers: NO_NUMBERS, money: usd(0n) },
        { key: '2026-01-31', numbers: numbers(1, 2), money: usd(2n ** 60n) },
      ],
    });
  });

  test('a month counts only the days of the range', () => {
    expect(statisticsOf(daily, range, 'month').groups).toEqual([
      { key: '2026-02', numbers: numbers(10, 0, 5), money: usd(-7n) },
      { key: '2026-01', numbers: numbers(1, 2), money: usd(2n ** 60n) },
    ]);
  });
});

test('advocates are sorted by paying customers, conversions, clicks and slug', () => {
  const sorted = [
    { slug: 'paying', values: valuesOf('paying', numbers(0, 0, 2)) },
    { slug: 'converting', values: valuesOf('paying', numbers(0, 9, 1)) },
    { slug: 'clicked', values: valuesOf('paying', numbers(9, 8, 1)) },
    { slug: 'a', values: valuesOf('paying', numbers(8, 8, 1)) },
    { slug: 'b', values: valuesOf('paying', numbers(8, 8, 1)) },
  ];
  expect(rankedAfter(sorted.toReversed(), undefined)).toEqual(sorted);
  for (const [index, row] of sorted.entries()) {
    expect(rankedAfter(sorted, positionIn(row))).toEqual(sorted.slice(index + 1));
  }
  for (const position of ['', '1', '1#', 'x#jane', '1#Not a slug!']) {
    expect(() => rankedAfter(sorted, position)).toThrow(InvalidCursor);
  }
});

/** 2026-03-01, in its last second. */
const NOW = seconds(Date.parse('2026-03-01T23:59:59Z') / 1000);

describe('the range of statistics', () => {
  test.each([
    ['both are inclusive', '2026-01-31', '2026-02-02', '2026-01-31', '2026-02-02'],
    ['from alone ends today', '2026-02-27', undefined, '2026-02-27', '2026-03-01'],
    ['to alone starts 29 days earlier', undefined, '2024-03-01', '2024-02-01', '2024-03-01'],
    ['neither is the last 30 days', undefined, undefined, '2026-01-31', '2026-03-01'],
    ['400 days', '2025-01-26', undefined, '2025-01-26', '2026-03-01'],
  ])('%s', (_, from, to, first, last) => {
    expect(parseDayRange(from, to, NOW)).toEqual({ from: first, to: last });
  });

  test.each([
    ['2026-02-02', '2026-02-01', 'from must not be after to'],
    ['2026-03-02', undefined, 'from must not be after today'],
    ['2025-01-25', undefined, `from must be at most ${MAX_DAYS} days before the end of the range`],
    ['2026-02-29', undefined, 'from must be a date such as 2026-01-31'],
    [undefined, '2026-04-31', 'to must be a date such as 2026-01-31'],
  ])('from %j to %j is rejected', (from, to, message) => {
    expect(() => parseDayRange(from, to, NOW)).toThrow(message);
  });

  test('a range lists its days and months newest first, across years', () => {
    const range = { from: '2025-12-30', to: '2026-01-02' };
    expect(daysIn(range)).toEqual(['2026-01-02', '2026-01-01', '2025-12-31', '2025-12-30']);
    expect(monthsIn(range)).toEqual(['2026-01', '2025-12']);
  });
});
