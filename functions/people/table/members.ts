import type { Member } from '../../kernel/accounts/rules/member.ts';
import type { Scope } from '../../kernel/accounts/rules/token.ts';
import { readMembers, type StoredMembers, toMembersItem } from '../../kernel/accounts/table/members.ts';
import { validTokenCheck } from '../../kernel/accounts/table/tokens.ts';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { type LabelledWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import { TokenRevoked } from '../../kernel/errors.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { secondOf } from '../../kernel/time.ts';
import { MemberNotFound } from '../rules/errors.ts';
import { changeMember, type MemberChanges, type MemberDraft, withMember, withoutMember } from '../rules/members.ts';

/** Who creates, changes or removes a member. */
export interface Editor {
  /** Throws if the editor, as the members are now, may not give or take some scopes. */
  readonly guard: (members: readonly Member[], scopes: readonly Scope[]) => void;
  /** The hash of the editor's token; `null` for the operator. */
  readonly tokenHash: string | null;
}

const OPERATOR: Editor = { guard: () => undefined, tokenHash: null };

/**
 * Creates a member with one read and one transaction. Returns the member with the same fields if it is repeated. Throws
 * `MemberExists`, `TooManyMembers`, `LastAdmin`, `TokenRevoked` or what `guard` throws; then nothing is written.
 */
export async function createMember(
  table: Table,
  program: string,
  draft: MemberDraft,
  editor: Editor = OPERATOR,
): Promise<{ readonly member: Member; readonly isNew: boolean }> {
  const now = table.clock();
  const id = uuidv7(now, table.random);
  const member = await retryOnConflict<Member>(table, async () => {
    const before = await readMembers(table, program);
    editor.guard(before.members, draft.scopes);
    const members = withMember(before.members, draft, { id, now: secondOf(now) });
    const found = members.find(({ email }) => email === draft.email);
    if (!found) throw new MemberNotFound();
    return members === before.members ? { result: found } : write(table, program, { before, members, editor }, found);
  });
  return { member, isNew: member.id === id };
}

/** Changes a member. Throws `MemberNotFound`, `LastAdmin`, `TokenRevoked` or what `guard` throws; then nothing is written. */
export function updateMember(
  table: Table,
  program: string,
  id: string,
  { changes, editor = OPERATOR }: { readonly changes: MemberChanges; readonly editor?: Editor },
): Promise<Member> {
  return retryOnConflict<Member>(table, async () => {
    const before = await readMembers(table, program);
    const member = memberIn(before, id);
    editor.guard(before.members, [...member.scopes, ...(changes.scopes ?? [])]);
    const members = changeMember(before.members, member, changes, secondOf(table.clock()));
    const after = memberIn({ members }, id);
    return write(table, program, { before, members, editor }, after);
  });
}

/**
 * Removes a member, and returns it. Throws `MemberNotFound`, `LastAdmin`, `TokenRevoked` or what `guard` throws; then nothing
 * is written.
 */
export function removeMember(table: Table, program: string, id: string, editor: Editor = OPERATOR): Promise<Member> {
  let seen: Member | undefined;
  return retryOnConflict<Member>(table, async () => {
    const before = await readMembers(table, program);
    const member = before.members.find((each) => each.id === id);
    // An earlier attempt, whose response was lost, may have removed it.
    if (!member && seen) return { result: seen };
    if (!member) throw new MemberNotFound();
    editor.guard(before.members, member.scopes);
    seen = member;
    return write(table, program, { before, members: withoutMember(before.members, member), editor }, member);
  });
}

/** What becomes of the members of a program. */
interface Change {
  readonly before: StoredMembers;
  readonly members: readonly Member[];
  readonly editor: Editor;
}

function write(table: Table, program: string, { before, members, editor }: Change, result: Member) {
  const checks = editor.tokenHash === null ? [] : [validTokenCheck(editor.tokenHash)];
  return commit<Member>(table, [membersWrite(program, before, members), ...checks], result, (failed) => {
    if (failed.has('token')) throw new TokenRevoked();
  });
}

function memberIn({ members }: Pick<StoredMembers, 'members'>, id: string): Member {
  const member = members.find((each) => each.id === id);
  if (!member) throw new MemberNotFound();
  return member;
}

/** Builds the write of all members, which fails if they were written since they were read. */
export function membersWrite(
  program: string,
  before: StoredMembers,
  members: readonly Member[],
): LabelledWrite<'members'> {
  const condition = before.version === 0 ? NOT_EXISTS : unchangedSince(before);
  return putWrite('members', toMembersItem(program, { members, version: before.version + 1 }), condition);
}
