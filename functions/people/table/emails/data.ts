import type { Member } from '../../../kernel/accounts/rules/member.ts';
import type { Program } from '../../../kernel/accounts/rules/program.ts';
import { readMembers } from '../../../kernel/accounts/table/members.ts';
import { unchangedSince } from '../../../kernel/dynamodb/conditions.ts';
import { advocateKey, membersKey } from '../../../kernel/dynamodb/keys.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { checkWrite } from '../../../kernel/dynamodb/writes.ts';
import type { EmailCause } from '../../rules/email-cause.ts';
import { type EmailContent, pageUrl } from '../../rules/emails/content.ts';
import type { PeopleSettings } from '../../rules/emails/settings.ts';
import type { EmailMark, PersonCheck } from '../sent-emails.ts';

/** Whom an email is about. */
export interface About {
  readonly program: Program;
  readonly settings: PeopleSettings;
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** True if emails leave the machine. Then programs in test mode send to members only. */
  readonly leavesMachine: boolean;
}

/** An email that can be written, and the mark that it was sent. */
export interface EmailData {
  readonly to: string;
  readonly content: EmailContent;
  readonly unsubscribeUrl: string | null;
  readonly mark: EmailMark;
}

/** The cause of an email of some kinds. */
export type CauseOf<Kind extends EmailCause['kind']> = Extract<EmailCause, { kind: Kind }>;

/** The page on which an advocate signs in. */
export const accountUrl = ({ baseUrl, program }: About) => pageUrl(`${baseUrl}/account`, program);

/** The page on which a member signs in. */
export const dashboardUrl = ({ baseUrl, program }: About) => pageUrl(`${baseUrl}/dashboard`, program);

/** Finds a member, with the check that no member has changed. */
export async function findMember(table: Table, { id }: Program, isWanted: (member: Member) => boolean) {
  const stored = await readMembers(table, id);
  const member = stored.members.find(isWanted);
  return member && { ...member, check: checkWrite('person', membersKey(id), unchangedSince(stored)) };
}

/** Builds the check that an advocate still has its address: it was not erased. */
export const emailCheck = (program: Program, slug: string, email: string): PersonCheck =>
  checkWrite('person', advocateKey(program.id, slug), {
    ConditionExpression: 'email = :email',
    ExpressionAttributeValues: { ':email': email },
  });
