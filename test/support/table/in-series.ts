import { setImmediate } from 'node:timers/promises';
import type { TestTable } from '../table.ts';

/**
 * Runs `work` and counts its requests in series: all requests that do not depend on each other's responses count as
 * one. Requests are sent in rounds. The next round begins when all responses of the previous one have been handled.
 */
export async function inSeries<Result>(table: TestTable, work: () => Promise<Result>) {
  const name = 'rounds';
  const waiting: (() => Promise<unknown>)[] = [];
  table.client.middlewareStack.add(
    (next) => (args) =>
      new Promise((resolve) => {
        waiting.push(() => {
          const response = next(args);
          resolve(response);
          return response.catch(() => undefined);
        });
      }),
    { step: 'initialize', name },
  );
  let rounds = 0;
  let isDone = false;
  try {
    const result = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      const round = waiting.splice(0);
      if (round.length > 0) rounds += 1;
      await Promise.all(round.map((send) => send()));
    }
    return { result: await result, rounds };
  } finally {
    table.client.middlewareStack.remove(name);
  }
}
