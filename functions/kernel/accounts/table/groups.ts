import { type Item, parseFields, required, toAttributes } from '../../dynamodb/item.ts';
import { groupsKey } from '../../dynamodb/keys.ts';
import { get, type Table } from '../../dynamodb/table.ts';
import { InvalidField } from '../../errors.ts';
import { list, number, record } from '../../fields/parsers.ts';
import { GROUP_FIELDS, type Group } from '../rules/group.ts';

/** The groups of a program, as their item contains them. */
export interface StoredGroups {
  /** By name. */
  readonly groups: readonly Group[];
  /** Number of writes, for optimistic locking; 0 if there is no item. */
  readonly version: number;
}

/** Reads all groups of a program. */
export async function readGroups(table: Table, program: string): Promise<StoredGroups> {
  return parseGroups(await get(table, groupsKey(program)));
}

/** Throws `InvalidField` unless the program has the group. Groups are never deleted, so it stays. Reads nothing without one. */
export async function assertGroup(table: Table, program: string, name: string | null | undefined): Promise<void> {
  if (name === null || name === undefined) return;
  const { groups } = await readGroups(table, program);
  if (groups.some((group) => group.name === name)) return;
  throw new InvalidField('group', 'must be the name of a group of the program');
}

function parseGroups(item: Item | undefined): StoredGroups {
  if (!item) return { groups: [], version: 0 };
  const groups = required(item, 'groups', list).map((value) => parseFields(GROUP_FIELDS, record(value) ?? {}));
  return { groups, version: required(item, 'version', number) };
}

/** Builds the item of all groups of a program. */
export function toGroupsItem(program: string, { groups, version }: StoredGroups): Item {
  return { ...groupsKey(program), groups: groups.map((group) => toAttributes(GROUP_FIELDS, group)), version };
}
