import { addressHash } from '../../../kernel/address.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { DAY } from '../../../kernel/time.ts';
import type { EmailCause } from '../../rules/email-cause.ts';
import { toAdvocate } from './about-advocates.ts';
import { approval, confirmation, rejection, waiting } from './applications.ts';
import { type About, type CauseOf, dashboardUrl, type EmailData, findMember } from './data.ts';
import { advocateSignIn, memberSignIn } from './sign-in.ts';

/**
 * Reads everything that the emails of a cause say, as it is now. Returns none if nobody gets one: the person is unknown, erased
 * or removed, or has switched it off.
 */
export async function readEmails(table: Table, about: About, cause: EmailCause): Promise<readonly EmailData[]> {
  if (cause.kind === 'waiting') return waiting(table, about, cause);
  const data = await readEmail(table, about, cause);
  return data ? [data] : [];
}

async function readEmail(table: Table, about: About, cause: Exclude<EmailCause, { kind: 'waiting' }>) {
  if (cause.kind === 'invited') return invitation(table, about, cause);
  if (cause.kind === 'sign_in' && cause.page === 'dashboard') return memberSignIn(table, about, cause);
  if (about.program.mode === 'test' && about.leavesMachine) return undefined;
  switch (cause.kind) {
    case 'sign_in':
      return advocateSignIn(table, about, cause);
    case 'confirm':
      return confirmation(table, about, cause);
    case 'approved':
      return approval(table, about, cause);
    case 'rejected':
      return rejection(table, about, cause);
    default:
      return toAdvocate(table, about, cause);
  }
}

async function invitation(table: Table, about: About, { member: id }: CauseOf<'invited'>) {
  const { program } = about;
  const member = await findMember(table, program, (each) => each.id === id);
  return (
    member &&
    ({
      to: member.email,
      content: { kind: 'invited', firstName: member.name, url: dashboardUrl(about) },
      unsubscribeUrl: null,
      mark: {
        program: program.id,
        name: `invited:${addressHash(member.email)}`,
        again: DAY,
        version: member.createdAt,
        people: [member.check],
        codes: [],
      },
    } satisfies EmailData)
  );
}
