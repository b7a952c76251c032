import { TtlCache } from '../../cache.ts';
import type { Table } from '../../dynamodb/table.ts';
import type { Clock } from '../../time.ts';
import { type ReadTerms, termsFor } from '../rules/advocate-terms.ts';
import type { Group } from '../rules/group.ts';
import { readGroups } from './groups.ts';

/** Returns the terms of an advocate. */
export const readTerms: ReadTerms<Table> = readerOf(
  async (table, program) => (await readGroups(table, program)).groups,
);

/**
 * Returns a reader of terms that remembers the groups of a program for at most 30 seconds. A group that was just created is
 * found immediately.
 */
export function termsReader(clock: Clock): ReadTerms<Table> {
  const cache = new TtlCache<readonly Group[]>(clock);
  return readerOf(async (table, program, maxAge) => {
    const load = async () => (await readGroups(table, program)).groups;
    return (await cache.getOrLoad(program, load, maxAge)) ?? [];
  });
}

function readerOf(
  groupsOf: (table: Table, program: string, maxAge?: number) => Promise<readonly Group[]>,
): ReadTerms<Table> {
  return async (table, program, advocate) => {
    const { group: name } = advocate;
    if (name === null) return termsFor(program, undefined, advocate);
    const find = async (maxAge?: number) =>
      (await groupsOf(table, program.id, maxAge)).find((group) => group.name === name);
    return termsFor(program, (await find()) ?? (await find(0)), advocate);
  };
}
