import { Unavailable } from '../../domain/errors.ts';
import type { Item } from '../item.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { Table } from '../table.ts';
import { type FailedConditions, type LabelledPut, requestToken } from '../writes.ts';

/** Conditional puts of which all are written or none. */
export type Group<Name extends string> = readonly LabelledPut<Name>[];

/** DynamoDB takes no more writes in one transaction. */
export const MAX_WRITES = 100;
/** Longest pauses after a transaction for which the table was too busy, in milliseconds. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;
/** Tries at a table that stays busy: more than half a minute. */
const MAX_TRIES = 20;

/**
 * Writes many groups in their order, as many as go into one transaction at a time. Returns of each group its failedConditions,
 * none where it is written. What stands in one group's way keeps out no other: the others are sent again without it.
 * Throws `Unavailable`; then the first of the groups are written, and sending all of them again is no harm.
 */
export async function bulkTransact<Name extends string>(
  table: Table,
  groups: readonly Group<Name>[],
): Promise<FailedConditions<Name>[]> {
  const decided: FailedConditions<Name>[] = [];
  let open = groups.map((group, index) => ({ group, index }));
  while (open.length > 0) {
    const together = open.slice(0, lengthOfFirst(open.map(({ group }) => group)));
    const writes = together.flatMap(({ group, index }) =>
      group.map(({ name, write }) => ({ name: `${index} ${name}` as const, write })),
    );
    // One token for all attempts: a throttled attempt may follow one that was carried out but whose response was lost.
    const token = requestToken(table.random);
    const failedConditions = await retryWhileThrottled(table, () => table.transact(writes, token));
    for (const { group, index } of together) {
      const own = failedConditionsOf(group, (name) => failedConditions.get(`${index} ${name}`));
      if (failedConditions.size === 0 || own.size > 0) decided[index] = own;
    }
    open = open.filter(({ index }) => decided[index] === undefined);
  }
  return decided;
}

/** How many groups, from the first on, one transaction takes: it never writes the same item twice. */
function lengthOfFirst(groups: readonly Group<string>[]): number {
  const keys = new Set<unknown>();
  const length = groups.findIndex((group) => {
    const own = group.map(({ write }) => write.Put.Item[PARTITION_KEY]);
    const isOneMore = keys.size + own.length <= MAX_WRITES && !own.some((key) => keys.has(key));
    for (const key of own) keys.add(key);
    return !isOneMore;
  });
  return length === -1 ? groups.length : length;
}

function failedConditionsOf<Name extends string>(
  group: Group<Name>,
  refusalOf: (name: Name) => Item | undefined,
): FailedConditions<Name> {
  return new Map(
    group.flatMap(({ name }) => {
      const item = refusalOf(name);
      return item ? [[name, item]] : [];
    }),
  );
}

/**
 * Repeats a transaction that a busy table rejected, with longer and longer pauses. A transaction without a response is not
 * repeated.
 */
async function retryWhileThrottled<Result>(table: Table, send: () => Promise<Result>): Promise<Result> {
  for (let tries = 1, pause = FIRST_PAUSE; ; tries += 1, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await send();
    } catch (error) {
      const isBusy = error instanceof Unavailable && error.reason !== undefined;
      if (!isBusy || tries === MAX_TRIES) throw error;
      await table.backOff(pause);
    }
  }
}
