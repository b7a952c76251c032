import { replaceAdvocate } from '../../advocates/table/advocates.ts';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { AdvocateErased } from '../../kernel/errors.ts';
import { DAY, secondOf } from '../../kernel/time.ts';

/**
 * Invites an advocate: the stream makes an email of it. Writes nothing within a day after the last invitation, and for a deactivated advocate. Throws
 * `AdvocateNotFound` or `AdvocateErased`.
 */
export function inviteAdvocate(table: Table, program: string, slug: string): Promise<Advocate> {
  const now = secondOf(table.clock());
  return replaceAdvocate(table, program, slug, {
    change: (before) => {
      if (before.erasedAt !== null) throw new AdvocateErased();
      // A link of a deactivated advocate earns nothing.
      if (!before.active || (before.invitedAt !== null && now - before.invitedAt < DAY)) return before;
      return { ...before, invitedAt: now, version: before.version + 1 };
    },
  });
}
