import { expect } from '@jest/globals';
import type { ApiRequest, Send } from './drivers.ts';
import { metered } from './meter.ts';
import type { TestTable } from './table.ts';

/** A call, its request, its status, and its requests, read units and write units. */
export type Step = readonly [string, ApiRequest, number, number, number, number];

/** Sends requests in their order to functions, which keep what they have read, and compares what they cost. */
export async function expectUsage(table: TestTable, send: Send | undefined, steps: readonly Step[]): Promise<void> {
  if (!send) throw new RangeError('There are no functions.');
  const readings = [];
  for (const [name, request] of steps) {
    const { result, requests, readUnits, writeUnits } = await metered(table, () => send(request));
    readings.push([name, result.status, requests, readUnits, writeUnits]);
  }
  expect(readings).toEqual(steps.map(([name, , ...usage]) => [name, ...usage]));
}
