import type { TestTable } from './table.ts';

/** Where a process dies: before it sends its nth write (from 0), or after the table has executed it. */
export interface Death {
  readonly write: number;
  readonly isExecuted: boolean;
}

/** Runs `work` as a process that dies at one of its writes, after which it sends nothing. Returns whether it died. */
export async function dyingAt({ client }: TestTable, death: Death, work: () => Promise<unknown>): Promise<boolean> {
  const name = 'death';
  let writes = 0;
  let isDead = false;
  const die = () => {
    isDead = true;
    throw Object.assign(new Error('made by a test'), { name: 'TimeoutError' });
  };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (isDead) return die();
        if (!/Put|Update|Delete|Write/.test(commandName)) return next(args);
        writes += 1;
        if (writes <= death.write) return next(args);
        if (death.isExecuted) await next(args);
        return die();
      },
    { step: 'initialize', name },
  );
  try {
    await work();
    return isDead;
  } finally {
    client.middlewareStack.remove(name);
  }
}
