import type fc from 'fast-check';
import type { TestTable } from './table.ts';

/** Lets every request that `work` makes to the table wait until the scheduler lets it through. */
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
 * Lets every attempt of a request wait until the scheduler lets it through, the SDK's own repetitions too. `lost` says of
 * each attempt to write, in the order in which they are carried out, whether its response is lost; once it is used up,
 * none is.
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

/** Runs `work` right before the next request of a kind, such as `PutItemCommand`, goes to the table. */
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
