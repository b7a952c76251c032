import { setImmediate } from 'node:timers/promises';
import type { TestTable } from './table.ts';

/** The number of requests, and their capacity. */
export interface Reading {
  requests: number;
  /** Capacity units as DynamoDB reports them, of table and indexes together. */
  readUnits: number;
  writeUnits: number;
}

interface CommandArguments {
  input: object;
}

/** Counts the requests of a table's client while `work` runs, and the capacity units that the engine reports. */
export async function metered<Result>(
  table: Pick<TestTable, 'client'>,
  work: () => Promise<Result>,
): Promise<Reading & { result: Result }> {
  const reading: Reading = { requests: 0, readUnits: 0, writeUnits: 0 };
  const name = 'meter';
  table.client.middlewareStack.add(
    (next, context) => async (args: CommandArguments) => {
      reading.requests += 1;
      const response = await next({
        ...args,
        input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' },
      } as never);
      const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(String(context['commandName']));
      const units = unitsOf(response.output);
      reading[isWrite ? 'writeUnits' : 'readUnits'] += units;
      return response;
    },
    { step: 'initialize', name, priority: 'high' },
  );
  try {
    return { result: await work(), ...reading };
  } finally {
    table.client.middlewareStack.remove(name);
  }
}

function unitsOf(output: object): number {
  const consumed: unknown = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  const entries: unknown[] = Array.isArray(consumed) ? consumed : [consumed];
  return entries.reduce<number>(
    (sum, entry) => sum + ((entry as { CapacityUnits?: number } | undefined)?.CapacityUnits ?? 0),
    0,
  );
}

/** Sends a request in the next round. */
type InRound = <Response>(send: () => Promise<Response>) => Promise<Response>;

/**
 * Runs `work` and counts its requests in series: all requests that do not depend on each other's responses count as
 * one. Requests are sent in rounds. The next round starts when all responses of the previous one have been handled.
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
