import { MAX_MEMBERS, type Member } from '../../kernel/accounts/rules/member.ts';
import { type Seconds, seconds } from '../../kernel/time.ts';
import { LastAdmin, MemberExists, TooManyMembers } from './errors.ts';

/** The fields of a member to create. */
export type MemberDraft = Pick<Member, 'email' | 'name' | 'scopes'>;
export type MemberChanges = Partial<Pick<Member, 'name' | 'scopes'>>;

const sameScopes = (one: Pick<Member, 'scopes'>, other: Pick<Member, 'scopes'>) =>
  one.scopes.join() === other.scopes.join();

/**
 * Adds a member. Returns the members as they are if one with the same fields has the email. Throws `MemberExists`,
 * `TooManyMembers`, or `LastAdmin` if the first one lacks `admin`.
 */
export function withMember(
  members: readonly Member[],
  draft: MemberDraft,
  { id, now }: { readonly id: string; readonly now: Seconds },
): readonly Member[] {
  const known = members.find(({ email }) => email === draft.email);
  if (known && (known.name !== draft.name || !sameScopes(known, draft))) throw new MemberExists();
  if (known) return members;
  if (members.length >= MAX_MEMBERS) throw new TooManyMembers();
  return withAdmin([...members, { ...draft, id, createdAt: now, lastSignedInAt: null, sessionsEndedAt: null }]);
}

/** Changes a member, whose sessions end if the scopes change. Throws `LastAdmin`. */
export function changeMember(
  members: readonly Member[],
  before: Member,
  changes: MemberChanges,
  now: Seconds,
): readonly Member[] {
  const after = { ...before, ...changes };
  // Two changes differ, even in the same second or by different clocks.
  const sessionsEndedAt = seconds(Math.max(now, (before.sessionsEndedAt ?? 0) + 1));
  const changed = sameScopes(before, after) ? after : { ...after, sessionsEndedAt };
  return withAdmin(members.map((member) => (member === before ? changed : member)));
}

/** Removes a member. Throws `LastAdmin`. */
export const withoutMember = (members: readonly Member[], removed: Member): readonly Member[] =>
  withAdmin(members.filter((member) => member !== removed));

/** A program whose members could never be changed again would need the operator. */
function withAdmin(members: readonly Member[]): readonly Member[] {
  if (!members.some(({ scopes }) => scopes.includes('admin'))) throw new LastAdmin();
  return members;
}
