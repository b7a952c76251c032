import { describe, expect, test } from '@jest/globals';
import { changeOf, currenciesOf, type Group, groupsIn, numberOf, sumOf } from '../../../web/kit/measures.ts';
import {
  beforeOf,
  boundsOf,
  bucketsOf,
  byOf,
  comparedDays,
  type Period,
  periodOf,
  requestsOf,
} from '../../../web/kit/period.ts';

/** The period of filters at noon of a day. */
const periodAt = (today: string, filters: Parameters<typeof periodOf>[0]) =>
  periodOf(filters, Date.parse(`${today}T12:00:00Z`));
const custom = (from: string, to: string): Period => ({ range: 'custom', from, to });
const text = (days: { from: string; to: string } | undefined) => days && `${days.from} ${days.to}`;

describe('the days of a range', () => {
  test.each([
    ['7d', '2026-11-29', '2026-11-23 2026-11-29'],
    ['30d', '2026-03-01', '2026-01-31 2026-03-01'],
    ['90d', '2024-03-01', '2023-12-03 2024-03-01'],
    // This month and the 11 before, even on a day that some of them do not have.
    ['12m', '2026-01-31', '2025-02-01 2026-01-31'],
    ['12m', '2024-02-29', '2023-03-01 2024-02-29'],
    ['this-month', '2026-11-01', '2026-11-01 2026-11-01'],
    ['last-month', '2024-03-31', '2024-02-01 2024-02-29'],
    ['last-month', '2026-01-15', '2025-12-01 2025-12-31'],
  ])('the range %s on %s is %s', (range, today, days) => {
    expect(text(periodAt(today, { range }))).toBe(days);
  });

  test('a custom range has at most 400 days', () => {
    const today = '2026-11-29';
    const longest = { range: 'custom', from: '2025-10-26', to: today };
    expect(periodAt(today, longest)).toEqual(longest);
    expect(periodAt(today, { ...longest, from: '2025-10-25' }).range).toBe('30d');
  });

  test.each([
    ['an unknown range', { range: '31d' }],
    ['a custom range without days', { range: 'custom' }],
    ['a day that does not exist', { range: 'custom', from: '2026-02-29', to: '2026-03-01' }],
    ['a range that ends before it begins', { range: 'custom', from: '2026-03-02', to: '2026-03-01' }],
    ['a range that ends in the future', { range: 'custom', from: '2026-11-01', to: '2026-11-30' }],
  ])('%s is 30 days', (_, filters) => {
    expect(periodAt('2026-11-29', filters)).toEqual({ range: '30d', from: '2026-10-31', to: '2026-11-29' });
  });

  test('a list shows the days of a range: filters exclude their bounds', () => {
    expect(boundsOf(periodAt('2026-11-29', { range: 'last-month' }))).toEqual({
      after: '2026-09-30T23:59:59.000Z',
      before: '2026-11-01T00:00:00Z',
    });
    expect(boundsOf(periodAt('2026-11-29', { range: '7d' }))).toEqual({
      after: '2026-11-22T23:59:59.000Z',
      before: undefined,
    });
  });
});

describe('buckets', () => {
  test.each([
    [custom('2026-01-01', '2026-01-31'), 'day'],
    [custom('2026-01-01', '2026-02-01'), 'week'],
    [custom('2026-01-01', '2026-06-29'), 'week'],
    [custom('2026-01-01', '2026-06-30'), 'month'],
  ])('a range from %j is drawn by %s', (period, by) => {
    expect(byOf(period)).toBe(by);
    expect(byOf(period, 'fortnight')).toBe(by);
    expect(byOf(period, 'week')).toBe('week');
  });

  test('weeks are blocks of 7 days counted back from the last day, and the first one may be shorter', () => {
    const buckets = bucketsOf(custom('2026-11-10', '2026-11-29'), 'week');
    expect(buckets.map((bucket) => [text(bucket), text(bucket.before), bucket.isShort])).toEqual([
      ['2026-11-10 2026-11-15', '2026-10-21 2026-10-26', true],
      ['2026-11-16 2026-11-22', '2026-10-27 2026-11-02', false],
      ['2026-11-23 2026-11-29', '2026-11-03 2026-11-09', false],
    ]);
  });

  test('months begin and end with the range', () => {
    const buckets = bucketsOf(custom('2026-01-31', '2026-03-30'), 'month');
    expect(buckets.map((bucket) => [text(bucket), bucket.isShort])).toEqual([
      ['2026-01-31 2026-01-31', true],
      ['2026-02-01 2026-02-28', false],
      ['2026-03-01 2026-03-30', true],
    ]);
  });

  test('12 months are compared month by month with the year before, whatever its February', () => {
    const buckets = bucketsOf(periodAt('2024-12-09', { range: '12m' }), 'month');
    expect(buckets).toHaveLength(12);
    expect([buckets[1], buckets[11]].map((bucket) => [text(bucket), text(bucket?.before)])).toEqual([
      ['2024-02-01 2024-02-29', '2023-02-01 2023-02-28'],
      ['2024-12-01 2024-12-09', '2023-12-01 2023-12-09'],
    ]);
  });

  test('days that the month before does not have are compared with nothing', () => {
    const buckets = bucketsOf(periodAt('2026-03-31', { range: 'this-month' }), 'day');
    expect(buckets.slice(27, 29).map(({ before }) => text(before))).toEqual(['2026-02-28 2026-02-28', undefined]);
  });

  test.each(['day', 'week', 'month'] as const)('buckets by %s contain each day once', (by) => {
    const period = periodAt('2024-03-31', { range: '12m' });
    const buckets = bucketsOf(period, by);
    const days = buckets.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1);
    expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([period.from, period.to]);
    expect(days.reduce((sum, count) => sum + count, 0)).toBe(366);
  });
});

describe('the period before', () => {
  test.each([
    ['30d', '2026-11-29', '2026-10-01 2026-10-30'],
    ['this-month', '2026-11-10', '2026-10-01 2026-10-10'],
    ['this-month', '2026-03-31', '2026-02-01 2026-02-28'],
    ['last-month', '2026-04-02', '2026-02-01 2026-02-28'],
    ['12m', '2024-02-29', '2022-03-01 2023-02-28'],
  ])('the period before %s on %s is %s', (range, today, days) => {
    expect(text(beforeOf(periodAt(today, { range })))).toBe(days);
  });

  test.each([
    ['30d', '2026-11-29', '2026-10-31 2026-11-28', '2026-10-01 2026-10-29'],
    ['this-month', '2026-11-10', '2026-11-01 2026-11-09', '2026-10-01 2026-10-09'],
    // February has no 31st, so no day of it is left out.
    ['this-month', '2026-03-31', '2026-03-01 2026-03-30', '2026-02-01 2026-02-28'],
    ['12m', '2026-03-01', '2025-04-01 2026-02-28', '2024-04-01 2025-02-28'],
    // A range without today is compared as it is.
    ['last-month', '2026-11-10', '2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
  ])('a change of %s on %s leaves today out on both sides', (range, today, now, before) => {
    const days = comparedDays(periodAt(today, { range }), today);
    expect([text(days?.now), text(days?.before)]).toEqual([now, before]);
  });

  test('a range of today alone has no change', () => {
    expect(comparedDays(periodAt('2026-11-01', { range: 'this-month' }), '2026-11-01')).toBeUndefined();
  });

  test('one request reads a range with the period before, and two read 12 months', () => {
    expect(requestsOf(periodAt('2026-11-29', { range: '90d' })).map(text)).toEqual(['2026-06-03 2026-11-29']);
    expect(requestsOf(custom('2026-05-14', '2026-11-29')).map(text)).toEqual(['2025-10-26 2026-11-29']);
    expect(requestsOf(custom('2026-05-13', '2026-11-29')).map(text)).toEqual([
      '2026-05-13 2026-11-29',
      '2025-10-24 2026-05-12',
    ]);
    expect(requestsOf(periodAt('2026-11-29', { range: '12m' })).map(text)).toEqual([
      '2025-12-01 2026-11-29',
      '2024-12-01 2025-11-29',
    ]);
  });
});

describe('a change', () => {
  test.each([
    ['a count', 12, 10, false, { share: 0.2 }],
    ['a count of few', 12, 9, false, { was: 9 }],
    ['a count that fell to nothing', 0, 10, false, { share: -1 }],
    ['money of a cent', 2, 1, true, { share: 1 }],
    ['money from nothing', 500, 0, true, { was: 0 }],
    ['money from less than nothing', 500, -100, true, { was: -100 }],
    ['money that became less than nothing', -50, 100, true, { share: -1.5 }],
    ['999%', 1099, 100, true, { share: 9.99 }],
    ['1,000%', 1100, 100, true, { was: 100 }],
    ['a percentage that is rounded to 1,000%', 109_960, 10_000, true, { was: 10_000 }],
  ])('a change of %s is a percentage, or says what the value was', (_, now, was, isAmount, change) => {
    expect(changeOf(now, was, isAmount)).toEqual(change);
  });
});

const group = (key: string, money: Group['money'] = []): Group => ({
  ...{ key, clicks: 4, conversions: 3, paying: 2, churned: 1, rejected: 0 },
  money,
});
const sums = (currency: string, revenue: number) => ({
  ...{ currency, revenue, commissions: 200 },
  ...{ adjustments: 50, settled: 7 },
});

test('currencies are never added, and the largest revenue in units comes first', () => {
  const groups = [
    group('2026-11-01', [sums('jpy', 3000), sums('usd', 10_000)]),
    group('2026-11-02', [sums('eur', 9000), sums('jpy', 100)]),
  ];
  expect(currenciesOf(groups)).toEqual(['jpy', 'usd', 'eur']);
  expect(currenciesOf(groups).map((currency) => sumOf('revenue', groups, currency))).toEqual([3100, 10_000, 9000]);
  expect(sumOf('clicks', groupsIn(groups, { from: '2026-11-02', to: '2026-11-03' }), 'usd')).toBe(4);
});

test('an advocate earns commissions, bonuses and corrections', () => {
  const day = group('2026-11-01', [sums('eur', 1000)]);
  const measures = ['revenue', 'commissions', 'earned', 'clicks', 'signUps', 'paying'] as const;
  expect(measures.map((measure) => numberOf(measure, day, 'eur'))).toEqual([1000, 200, 250, 4, 3, 2]);
  expect(numberOf('earned', day, 'usd')).toBe(0);
});
