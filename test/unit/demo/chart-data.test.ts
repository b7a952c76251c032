import { describe, expect, test } from '@jest/globals';
import { STATES as DOMAIN_STATES } from '../../../functions/domain/state.ts';
import { axisOf, byMonth, countStates, sum } from '../../../web/demo/chart-data.ts';
import { STATES, type State } from '../../../web/demo/service.ts';

const NONE = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
const at = (time: string, state: State = 'paid') => ({ state, createdAt: Date.parse(time) / 1000 });

test('the demo site has the same states as the service, in the same order', () => {
  expect(STATES).toEqual(DOMAIN_STATES);
});

describe('countStates', () => {
  test('counts every state, including empty ones', () => {
    const referrals = [at('2026-01-01', 'paid'), at('2026-01-02', 'clicked'), at('2026-02-01', 'paid')];
    expect(countStates(referrals)).toEqual({ ...NONE, paid: 2, clicked: 1 });
    expect(countStates([])).toEqual(NONE);
  });

  test('sum adds every state', () => {
    expect(sum({ clicked: 1, converted: 10, paid: 100, churned: 1000, rejected: 10_000 })).toBe(11_111);
  });
});

describe('byMonth', () => {
  test('returns no months without referrals', () => {
    expect(byMonth([], 24)).toEqual([]);
  });

  test('groups by month in UTC and includes empty months, across the end of a year', () => {
    const referrals = [
      at('2026-01-31T23:59:59Z', 'clicked'),
      at('2026-02-01T00:00:00Z', 'paid'),
      at('2025-11-01T00:00:00Z', 'churned'),
    ];
    expect(byMonth(referrals, 24)).toEqual([
      { year: 2025, month: 11, counts: { ...NONE, churned: 1 } },
      { year: 2025, month: 12, counts: NONE },
      { year: 2026, month: 1, counts: { ...NONE, clicked: 1 } },
      { year: 2026, month: 2, counts: { ...NONE, paid: 1 } },
    ]);
  });

  test('keeps only the last months above the limit', () => {
    const months = byMonth([at('2020-01-01'), at('2026-01-15'), at('2026-03-15')], 3);
    expect(months.map(({ year, month, counts }) => [year, month, sum(counts)])).toEqual([
      [2026, 1, 1],
      [2026, 2, 0],
      [2026, 3, 1],
    ]);
  });
});

describe('axisOf', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 1, 2, 3, 4, 5]],
    [7, [0, 2, 4, 6, 8]],
    [11, [0, 5, 10, 15]],
    [100, [0, 20, 40, 60, 80, 100]],
    [101, [0, 50, 100, 150]],
  ])('up to %d has grid lines at %j', (highest, lines) => {
    expect(axisOf(highest)).toEqual(lines);
  });

  test('has at most six grid lines, at integers that reach the highest value', () => {
    for (let highest = 0; highest <= 2000; highest += 1) {
      const lines = axisOf(highest);
      expect(lines.length).toBeLessThanOrEqual(6);
      expect(lines.every(Number.isInteger)).toBe(true);
      expect(lines[lines.length - 1]).toBeGreaterThanOrEqual(highest);
    }
  });
});
