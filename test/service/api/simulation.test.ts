import { expect, test } from '@jest/globals';
import { FAULTS } from '../../simulation/network.ts';
import { simulate } from '../../simulation/run.ts';

test('no promise breaks in a short simulation with 4 callers and every fault', async () => {
  const { calls, delivered, violations } = await simulate({ seed: 1, callers: 4, calls: 1000, faults: FAULTS });
  expect(violations).toEqual([]);
  expect(calls).toBeGreaterThanOrEqual(1000);
  expect(delivered).toBeGreaterThan(100);
});
