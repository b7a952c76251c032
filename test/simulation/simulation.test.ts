import { expect, test } from '@jest/globals';
import { FAULTS } from './network.ts';
import { simulate } from './run.ts';

// npm run test:simulation runs a million calls. These runs are short, with seeds of their own, so that they never vary.

test.each([
  { seed: 1, callers: 2 },
  { seed: 2, callers: 8 },
  { seed: 3, callers: 16 },
  { seed: 4, callers: 32 },
])('no promise breaks in the world $seed, with $callers callers and every fault', async ({ seed, callers }) => {
  const { calls, delivered, violations } = await simulate({ seed, callers, calls: 5000, faults: FAULTS });
  expect(violations).toEqual([]);
  expect(calls).toBeGreaterThanOrEqual(5000);
  expect(delivered).toBeGreaterThan(500);
});

test('the same seed replays the same world', async () => {
  const plan = { seed: 5, callers: 8, calls: 500, faults: FAULTS };
  expect(await simulate(plan)).toEqual(await simulate(plan));
});
