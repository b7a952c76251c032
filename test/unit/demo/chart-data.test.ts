import { describe, expect, test } from '@jest/globals';
import { STATES as DOMAIN_STATES } from '../../../functions/domain/referral/state.ts';
import { axisOf, lastMonths, sum } from '../../../web/demo/chart-data.ts';
import { STATES, type State } from '../../../web/demo/referral.ts';

const NONE = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
const group = (key: string, state: State) => ({ key, counts: { ...NONE, [state]: 1 } });

test('the demo site has the same states as the service, in the same order', () => {
  expect(STATES).toEqual(DOMAIN_STATES);
});

test('sum adds every state', () => {
  expect(sum({ clicked: 1, converted: 10, paid: 100, churned: 1000, rejected: 10_000 })).toBe(11_111);
});

describe('lastMonths', () => {
  test('lastMonths returns no months without groups', () => {
    expect(lastMonths([], 24)).toEqual([]);
  });

  test('lastMonths returns at least a year, with its empty months', () => {
    const months = lastMonths([group('2026-02', 'paid'), group('2026-01', 'clicked'), group('2025-11', 'churned')], 24);
    expect(months.length).toBe(12);
    expect(months[0]).toEqual({ year: 2025, month: 3, counts: NONE });
    expect(months.slice(-4)).toEqual([
      { year: 2025, month: 11, counts: { ...NONE, churned: 1 } },
      { year: 2025, month: 12, counts: NONE },
      { year: 2026, month: 1, counts: { ...NONE, clicked: 1 } },
      { year: 2026, month: 2, counts: { ...NONE, paid: 1 } },
    ]);
  });

  test('lastMonths keeps only the last months above the limit', () => {
    const months = lastMonths([group('2026-03', 'paid'), group('2026-01', 'paid'), group('2020-01', 'paid')], 3);
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
  ])('the axis up to %d has grid lines at %j', (highest, lines) => {
    expect(axisOf(highest)).toEqual(lines);
  });

  test('the axis has at most six grid lines, at integers that reach the highest value', () => {
    for (let highest = 0; highest <= 2000; highest += 1) {
      const lines = axisOf(highest);
      expect(lines.length).toBeLessThanOrEqual(6);
      expect(lines.every(Number.isInteger)).toBe(true);
      expect(lines[lines.length - 1]).toBeGreaterThanOrEqual(highest);
    }
  });
});
