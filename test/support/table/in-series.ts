import { setImmediate } from 'node:timers/promises';
import type { TestTable } from '../table.ts';

/** Sends a request in the next round. */
type InRound = <Response>(send: () => Promise<Response>) => Promise<Response>;

/**
 * Runs `work` and counts its requests in series: all requests that do not depend on each other's responses count as
 * one. Requests are sent in rounds. The next round begins when all responses of the previous one have been handled.
 * Requests to the table count by themselves, others if `work` sends them through its parameter.
 */
export async function inSeries<Result>(table: TestTable, work: (inRound: InRound) => Promise<Result>) {
  const name = 'rounds';
  const waiting: (() => Promise<unknown>)[] = [];
  const inRound: InRound = (send) =>
    new Promise((resolve) => {
      waiting.push(() => {
        const response = send();
        resolve(response);
        return response.catch(() => undefined);
      });
    });
  table.client.middlewareStack.add((next) => (args) => inRound(() => next(args)), { step: 'initialize', name });
  let rounds = 0;
  let isDone = false;
  try {
    const result = work(inRound).finally(() => {
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
