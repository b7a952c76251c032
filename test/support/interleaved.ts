import type fc from 'fast-check';
import type { TestTable } from './table.ts';

/** Delays every request of `work` to the table until the scheduler releases it. */
export async function interleaved<Result>(scheduler: fc.Scheduler, table: TestTable, work: () => Promise<Result>) {
  const name = 'scheduler';
  table.client.middlewareStack.add(
    (next) => async (args) => {
      await scheduler.schedule(Promise.resolve());
      return next(args);
    },
    { step: 'initialize', name },
  );
  try {
    return await scheduler.waitFor(work());
  } finally {
    table.client.middlewareStack.remove(name);
  }
}

/**
 * Delays every attempt of a request until the scheduler releases it, the SDK's own retries included. `lost` holds, for
 * each attempt to write in the order of execution, whether its response is lost. The responses to later attempts arrive.
 */
export async function interleavedAttempts<Result>(
  scheduler: fc.Scheduler,
  table: TestTable,
  lost: readonly boolean[],
  work: () => Promise<Result>,
) {
  const name = 'scheduler of attempts';
  const losses = lost.values();
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      await scheduler.schedule(Promise.resolve());
      const response = await next(args);
      const isWrite = /Put|Update|Delete|TransactWrite/.test(String(context['commandName']));
      if (isWrite && losses.next().value) {
        throw Object.assign(new Error('The response was lost.'), { name: 'TimeoutError' });
      }
      return response;
    },
    { step: 'finalizeRequest', priority: 'low', name },
  );
  try {
    return await scheduler.waitFor(work());
  } finally {
    table.client.middlewareStack.remove(name);
  }
}

/** Runs `work` immediately before the next request with a command, for example `PutItemCommand`, or a later one. */
export function beforeNext(table: TestTable, command: string, work: () => Promise<unknown>, skipped = 0): void {
  const name = 'before next';
  let left = skipped;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context['commandName'] === command && left-- === 0) {
        table.client.middlewareStack.remove(name);
        await work();
      }
      return next(args);
    },
    { step: 'initialize', name },
  );
}
