import { describe, expect, test } from '@jest/globals';
import {
  mostPayingFirst,
  NO_NUMBERS,
  statisticsOf,
  sumOf,
} from '../../../../functions/domain/statistics/statistics.ts';

const numbers = (clicks: number, conversions = 0, paying = 0) => ({ ...NO_NUMBERS, clicks, conversions, paying });

describe('the groups of statistics', () => {
  const daily = new Map([
    ['2026-01-30', numbers(100)],
    ['2026-01-31', numbers(1, 2)],
    ['2026-02-02', numbers(10, 0, 5)],
    ['2026-02-03', numbers(1000)],
  ]);
  const range = { from: '2026-01-31', to: '2026-02-02' };

  test('every day of the range is a group, newest first, zeros included', () => {
    expect(statisticsOf(daily, range, 'day')).toEqual({
      total: numbers(11, 2, 5),
      groups: [
        { key: '2026-02-02', numbers: numbers(10, 0, 5) },
        { key: '2026-02-01', numbers: NO_NUMBERS },
        { key: '2026-01-31', numbers: numbers(1, 2) },
      ],
    });
  });

  test('a month counts only the days of the range', () => {
    expect(statisticsOf(daily, range, 'month').groups).toEqual([
      { key: '2026-02', numbers: numbers(10, 0, 5) },
      { key: '2026-01', numbers: numbers(1, 2) },
    ]);
  });
});

test('advocates are sorted by paying customers, conversions, clicks and slug', () => {
  const sorted = [
    { slug: 'paying', numbers: numbers(0, 0, 2) },
    { slug: 'converting', numbers: numbers(0, 9, 1) },
    { slug: 'clicked', numbers: numbers(9, 8, 1) },
    { slug: 'a', numbers: numbers(8, 8, 1) },
    { slug: 'b', numbers: numbers(8, 8, 1) },
  ];
  expect(sorted.toReversed().sort(mostPayingFirst)).toEqual(sorted);
  expect(sumOf(sorted.map((one) => one.numbers))).toEqual(numbers(25, 33, 6));
});
