import type fc from 'fast-check';
import type { TestTable } from './table.ts';

/** Delays every request of `work` to the table until the scheduler releases it. */
export async function interleaved<Result>(scheduler: fc.Scheduler, at: TestTable, work: () => Promise<Result>) {
  const name = 'scheduler';
  at.client.middlewareStack.add(
    (next) => async (args) => {
      await scheduler.schedule(Promise.resolve());
      return next(args);
    },
    { step: 'initialize', name },
  );
  try {
    return await scheduler.waitFor(work());
  } finally {
    at.client.middlewareStack.remove(name);
  }
}

/**
 * Delays every attempt of a request until the scheduler releases it, the SDK's own retries included. `lost` says for each
 * attempt to write, in the order of execution, whether its response gets lost. The responses of all further attempts
 * arrive.
 */
export async function interleavedAttempts<Result>(
  scheduler: fc.Scheduler,
  at: TestTable,
  lost: readonly boolean[],
  work: () => Promise<Result>,
) {
  const name = 'scheduler of attempts';
  const losses = lost.values();
  at.client.middlewareStack.add(
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
    at.client.middlewareStack.remove(name);
  }
}

/** Runs `work` immediately before the next request of a kind, for example `PutItemCommand`. */
export function beforeNext(at: TestTable, command: string, work: () => Promise<unknown>): void {
  const name = 'before next';
  at.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context['commandName'] === command) {
        at.client.middlewareStack.remove(name);
        await work();
      }
      return next(args);
    },
    { step: 'initialize', name },
  );
}
