import { isDeepStrictEqual } from 'node:util';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { required } from '../../kernel/dynamodb/item.ts';
import { resourcesKey } from '../../kernel/dynamodb/keys.ts';
import { get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { putWrite } from '../../kernel/dynamodb/writes.ts';
import { number } from '../../kernel/fields/parsers.ts';
import { type Resource, storedResources } from '../rules/resources.ts';

interface StoredResources {
  readonly resources: readonly Resource[];
  /** Number of writes, for optimistic locking; 0 if there is no item. */
  readonly version: number;
}

/** Reads what a program gives its advocates. */
export async function readResources(table: Table, program: string): Promise<readonly Resource[]> {
  return (await readStored(table, program)).resources;
}

/** Replaces the whole list with one read and one write. Writes nothing if it stays the same. Returns the list. */
export function replaceResources(
  table: Table,
  program: string,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  return retryOnConflict<readonly Resource[]>(table, async () => {
    const before = await readStored(table, program);
    if (isDeepStrictEqual(before.resources, resources)) return { result: resources };
    const item = { ...resourcesKey(program), resources, version: before.version + 1 };
    const condition = before.version === 0 ? NOT_EXISTS : unchangedSince(before);
    return commit(table, [putWrite('resources', item, condition)], resources);
  });
}

async function readStored(table: Table, program: string): Promise<StoredResources> {
  const item = await get(table, resourcesKey(program));
  if (!item) return { resources: [], version: 0 };
  return { resources: required(item, 'resources', storedResources), version: required(item, 'version', number) };
}
