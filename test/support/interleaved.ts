import type fc from 'fast-check';
import type { Table } from '../../functions/table/table.ts';

/** Lets every request that `work` makes to the table wait until the scheduler lets it through. */
export async function interleaved<Result>(scheduler: fc.Scheduler, at: Table, work: () => Promise<Result>) {
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

/** Runs `work` right before the next request of a kind, such as `PutItemCommand`, goes to the table. */
export function beforeNext(at: Table, command: string, work: () => Promise<unknown>): void {
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
