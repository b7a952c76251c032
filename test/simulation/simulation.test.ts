import { expect, test } from '@jest/globals';
import { FAULTS, NONE } from './network.ts';
import { OPERATIONS_THAT_WRITE, type Plan, simulate } from './run.ts';
import type { ApiRequest, ApiResponse } from './service.ts';
import { shortestFailure } from './shrink.ts';

// npm run test:simulation runs a million calls. These runs are short, with seeds of their own, so that they never vary.
// World 1 is in test/service.

test.each([
  { seed: 2, callers: 10 },
  { seed: 3, callers: 20 },
  { seed: 5, callers: 32 },
])('no promise breaks in the world $seed, with $callers callers and every fault', async ({ seed, callers }) => {
  const { calls, delivered, violations } = await simulate({ seed, callers, calls: 2500, faults: FAULTS });
  expect(violations).toEqual([]);
  expect(calls).toBeGreaterThanOrEqual(2500);
  expect(delivered).toBeGreaterThan(300);
});

test('every write route of the API takes part in a world with all kinds of callers', async () => {
  const { successes, violations } = await simulate({ seed: 3, callers: 30, calls: 2600, faults: NONE });
  expect(violations).toEqual([]);
  expect(OPERATIONS_THAT_WRITE.filter((operation) => !successes.has(operation as never))).toEqual([]);
});

test('a failing seed replays the same failure, and the shortest failing run needs fewer calls, callers and faults', async () => {
  const plan = { seed: 11, callers: 10, calls: 100, faults: FAULTS };
  const broken = {
    response: ({ operation }: ApiRequest, response: ApiResponse) =>
      operation === 'setState' && response.status === 200 ? { ...response, status: 409 } : response,
  };
  const { violations } = await simulate(plan, broken);
  expect(violations).not.toEqual([]);
  expect((await simulate(plan, broken)).violations).toEqual(violations);
  const isFailure = async (next: Plan) => (await simulate(next, broken)).violations.length > 0;
  const shortest = await shortestFailure(plan, isFailure);
  expect(await isFailure(shortest)).toBe(true);
  expect(Object.values(shortest.faults).filter((rate) => rate > 0).length).toBeLessThan(5);
  expect(shortest.calls).toBeLessThan(plan.calls);
  expect(shortest.callers).toBeLessThan(plan.callers);
});
