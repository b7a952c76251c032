import { describe, expect, test } from '@jest/globals';
import { RangeTooLarge } from '../../../functions/kernel/errors.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { COUNT_LIMITS, type Countable, Counter, type Grouping } from '../../../functions/referrals/rules/counts.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';

const NONE = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
const at = (moment: string, subId: string | null = null): Countable => ({
  createdAt: seconds(Date.parse(moment) / 1000),
  subId,
});
const withSubId = (subId: string | null) => at('2026-05-01T00:00:00Z', subId);

function count(grouping: Grouping | undefined, rows: readonly (readonly [State, Countable])[], limits = COUNT_LIMITS) {
  const counter = new Counter(grouping, limits);
  for (const [state, row] of rows) counter.addOne(state, row);
  return counter.result();
}
const keysOf = (grouping: Grouping, rows: readonly Countable[]) =>
  count(
    grouping,
    rows.map((row) => ['paid', row] as const),
  ).groups.map(({ key }) => key);

describe('groups', () => {
  test('groups by day and month follow UTC, newest first, and exist only if they have referrals', () => {
    const rows = [
      '2025-12-31T23:59:59Z',
      '2026-01-01T00:00:00Z',
      '2026-01-01T23:59:59Z',
      '2026-03-01T00:00:00Z',
      '2028-02-29T12:00:00Z',
    ].map((moment) => at(moment));
    expect(keysOf('day', rows)).toEqual(['2028-02-29', '2026-03-01', '2026-01-01', '2025-12-31']);
    expect(keysOf('month', rows)).toEqual(['2028-02', '2026-03', '2026-01', '2025-12']);
  });

  test('groups by sub id ascend by code unit, and referrals without sub id are last', () => {
    const sorted = [' ', '0', '10', '9', 'News', 'a', 'news', 'null', 'ñ', '\ud83d\ude00', '\uff5e'];
    const rows = [null, ...sorted.toReversed()].map(withSubId);
    expect(keysOf('sub_id', rows)).toEqual([...sorted, null]);
  });
});

describe('more groups than the limit', () => {
  const LIMITS = { rows: 100_000, groups: 2 };
  const inGroup = (key: string | null, states: string) =>
    [...states].map((letter) => [letter === 'c' ? 'clicked' : 'paid', withSubId(key)] as const);
  const keysWith = (...groups: (readonly [key: string | null, states: string])[]) =>
    count(
      'sub_id',
      groups.flatMap(([key, states]) => inGroup(key, states)),
      LIMITS,
    ).groups.map(({ key }) => key);

  test('the largest groups are listed in the usual order, and the others are summed up', () => {
    const rows = [...inGroup('a', 'cc'), ...inGroup('b', 'p'), ...inGroup('c', 'ppc'), ...inGroup(null, 'cccc')];
    expect(count('sub_id', rows, LIMITS)).toEqual({
      total: { ...NONE, clicked: 7, paid: 3 },
      groups: [
        { key: 'b', counts: { ...NONE, paid: 1 } },
        { key: 'c', counts: { ...NONE, clicked: 1, paid: 2 } },
      ],
      other: { ...NONE, clicked: 6 },
    });
    expect(count('sub_id', rows, { ...LIMITS, groups: 4 }).other).toBeNull();
  });

  test('groups are ranked by referrals of every state but clicked', () => {
    const one = (state: State) => [state, withSubId(state)] as const;
    const clicks = inGroup('clicks', 'cccc');
    for (const state of ['converted', 'paid', 'churned', 'rejected'] as const) {
      const { groups } = count('sub_id', [...clicks, one(state)], { ...LIMITS, groups: 1 });
      expect(groups).toEqual([{ key: state, counts: { ...NONE, [state]: 1 } }]);
    }
  });

  test('groups with equally many referrals are ranked by clicks, then in the usual order', () => {
    expect(keysWith(['a', 'p'], ['b', 'pc'], ['c', 'pcc'])).toEqual(['b', 'c']);
    expect(keysWith([null, 'p'], ['c', 'p'], ['b', 'p'])).toEqual(['b', 'c']);
    const days = ['2026-01-01', '2026-01-03', '2026-01-02'].map((day) => ['clicked', at(`${day}T00:00:00Z`)] as const);
    expect(count('day', days, LIMITS).groups.map(({ key }) => key)).toEqual(['2026-01-03', '2026-01-02']);
  });
});

describe('the limits', () => {
  const rows = (number: number) =>
    Array.from({ length: number }, (_, index) => ['paid', withSubId(`${index % 3}`)] as const);

  test('the limits allow exactly as many referrals, but not one more, counted one by one or together', () => {
    const limits = { rows: 10, groups: 3 };
    expect(count('sub_id', rows(10), limits).total).toEqual({ ...NONE, paid: 10 });
    expect(() => count('sub_id', rows(11), limits)).toThrow(RangeTooLarge);
    const counter = new Counter(undefined, limits);
    counter.add('paid', 6);
    counter.add('clicked', 4);
    counter.add('churned', 0);
    expect(counter.result().total).toEqual({ ...NONE, paid: 6, clicked: 4 });
    expect(() => counter.add('churned', 1)).toThrow(RangeTooLarge);
  });
});
