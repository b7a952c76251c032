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
  table: TestTable,
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
