import { type Item, parseFields, required, toAttributes } from '../../dynamodb/item.ts';
import { membersKey } from '../../dynamodb/keys.ts';
import { get, type Table } from '../../dynamodb/table.ts';
import { list, number, record } from '../../fields/parsers.ts';
import { MEMBER_FIELDS, type Member } from '../rules/member.ts';

/** The members of a program, as their item contains them. */
export interface StoredMembers {
  /** In the order in which they were created. */
  readonly members: readonly Member[];
  /** Number of writes, for optimistic locking; 0 if there is no item. */
  readonly version: number;
}

/** Reads all members of a program. */
export async function readMembers(table: Table, program: string): Promise<StoredMembers> {
  return parseMembers(await get(table, membersKey(program)));
}

/** Parses the item of all members of a program. */
export function parseMembers(item: Item | undefined): StoredMembers {
  if (!item) return { members: [], version: 0 };
  const members = required(item, 'members', list).map((value) => parseFields(MEMBER_FIELDS, record(value) ?? {}));
  return { members, version: required(item, 'version', number) };
}

/** Builds the item of all members of a program. */
export function toMembersItem(program: string, { members, version }: StoredMembers): Item {
  return { ...membersKey(program), members: members.map((member) => toAttributes(MEMBER_FIELDS, member)), version };
}
