import { isDeepStrictEqual } from 'node:util';
import type { CommissionRules } from '../../kernel/accounts/rules/commission-rules.ts';
import { type Group, MAX_GROUPS } from '../../kernel/accounts/rules/group.ts';
import { storeRules } from '../../kernel/accounts/table/commission-rules.ts';
import { readGroups, type StoredGroups, toGroupsItem } from '../../kernel/accounts/table/groups.ts';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { putWrite } from '../../kernel/dynamodb/writes.ts';
import { TooManyGroups } from '../../kernel/errors.ts';

/** A group as a request describes it: its rules are a list. */
export type GroupRequest = Omit<Group, 'commissionRulesId'> & { readonly commissionRules: CommissionRules | null };

/**
 * Creates or replaces a group with one read and one write, after storing its rules, so that the group never refers to
 * unknown ones. Writes nothing if the group is the same. Returns the group. Throws `TooManyGroups`.
 */
export async function putGroup(
  table: Table,
  program: string,
  { commissionRules, ...fields }: GroupRequest,
): Promise<Group> {
  const commissionRulesId = commissionRules && (await storeRules(table, program, commissionRules));
  const group: Group = { ...fields, commissionRulesId };
  return retryOnConflict<Group>(table, async () => {
    const before = await readGroups(table, program);
    const groups = withGroup(before, group);
    if (groups === before.groups) return { result: group };
    const item = toGroupsItem(program, { groups, version: before.version + 1 });
    const condition = before.version === 0 ? NOT_EXISTS : unchangedSince(before);
    return commit(table, [putWrite('groups', item, condition)], group);
  });
}

function withGroup({ groups }: StoredGroups, group: Group): readonly Group[] {
  const known = groups.find(({ name }) => name === group.name);
  if (known && isDeepStrictEqual(known, group)) return groups;
  if (!known && groups.length >= MAX_GROUPS) throw new TooManyGroups();
  const others = groups.filter((other) => other !== known);
  return [...others, group].sort((one, other) => (one.name < other.name ? -1 : 1));
}
