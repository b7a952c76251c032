import { replaceAdvocate } from '../../advocates/table/advocates.ts';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import type { Member } from '../../kernel/accounts/rules/member.ts';
import { isPending } from '../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { advocatesWithEmail } from '../../kernel/accounts/table/advocate-emails.ts';
import { findAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { readMembers } from '../../kernel/accounts/table/members.ts';
import { addressHash } from '../../kernel/address.ts';
import { unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { advocateKey, membersKey } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { checkWrite } from '../../kernel/dynamodb/writes.ts';
import { DAY, type Seconds, secondOf, seconds } from '../../kernel/time.ts';
import { getEntry } from '../../ledger/table/entries.ts';
import type { EmailCause } from '../rules/email-cause.ts';
import { type EmailContent, pageUrl } from '../rules/emails/email.ts';
import { isSwitchable } from '../rules/emails/kinds.ts';
import { safeName } from '../rules/emails/names.ts';
import type { PeopleSettings } from '../rules/emails/settings.ts';
import { type LinkCode, makeLinkCode, SIGN_IN_LIFETIME, writeLinkCode } from '../rules/link-code.ts';
import { makeUnsubscribeSecret, writeUnsubscription } from '../rules/unsubscribe.ts';
import type { StoredCode } from './link-codes.ts';
import { readPreviousEmail } from './previous-emails.ts';
import type { EmailMark, PersonCheck } from './sent-emails.ts';

/** The most advocates with one address who get links in one email, the newest of so many that are read. */
const MAX_LINKS = 10;
const MAX_READ = 100;
/** A change of an account is told at most so often, in seconds. */
const ACCOUNT_PAUSE = 3600;

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

type CauseOf<Kind extends EmailCause['kind']> = Extract<EmailCause, { kind: Kind }>;

/**
 * Reads everything that an email says, as it is now. Returns `undefined` if nobody gets it: the person is unknown, erased or
 * removed, or has switched it off.
 */
export async function readEmailData(table: Table, about: About, cause: EmailCause): Promise<EmailData | undefined> {
  if (cause.kind === 'invited') return invitation(table, about, cause);
  if (cause.kind === 'sign_in' && cause.page === 'dashboard') return memberSignIn(table, about, cause);
  if (about.program.mode === 'test' && about.leavesMachine) return undefined;
  if (cause.kind === 'sign_in') return advocateSignIn(table, about, cause);
  return toAdvocate(table, about, cause);
}

const accountUrl = ({ baseUrl, program }: About) => pageUrl(`${baseUrl}/account`, program);

async function invitation(table: Table, { program, baseUrl }: About, { member: id }: CauseOf<'invited'>) {
  const member = await findMember(table, program, (each) => each.id === id);
  return (
    member &&
    ({
      to: member.email,
      content: { kind: 'invited', firstName: member.name, url: pageUrl(`${baseUrl}/dashboard`, program) },
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

async function findMember(table: Table, { id }: Program, isWanted: (member: Member) => boolean) {
  const stored = await readMembers(table, id);
  const member = stored.members.find(isWanted);
  return member && { ...member, check: checkWrite('person', membersKey(id), unchangedSince(stored)) };
}

/** Builds the check that an advocate still has its address: it was not erased. */
const emailCheck = (program: Program, slug: string, email: string): PersonCheck =>
  checkWrite('person', advocateKey(program.id, slug), {
    ConditionExpression: 'email = :email',
    ExpressionAttributeValues: { ':email': email },
  });

async function memberSignIn(table: Table, about: About, cause: CauseOf<'sign_in'>): Promise<EmailData | undefined> {
  const member = await findMember(table, about.program, ({ email }) => addressHash(email) === cause.address);
  if (!member) return undefined;
  const { id, email, name, check } = member;
  return signInEmail(table, about, cause, [
    {
      email,
      check,
      slug: null,
      member: id,
      emailVersion: 0,
      firstName: name,
      name: name ?? `a member of ${about.program.name}`,
    },
  ]);
}

async function advocateSignIn(table: Table, about: About, cause: CauseOf<'sign_in'>): Promise<EmailData | undefined> {
  const found = await advocatesWithEmail(table, about.program.id, cause.address, { limit: MAX_READ });
  const hasSeveral = found.length > 1;
  const people = found
    .sort((one, other) => other.createdAt - one.createdAt)
    .slice(0, MAX_LINKS)
    .flatMap((advocate) => {
      const { email, slug, emailVersion, firstName } = advocate;
      const name = hasSeveral ? `${nameOf(advocate)} (${slug})` : nameOf(advocate);
      if (email === null) return [];
      const check = emailCheck(about.program, slug, email);
      return [{ email, check, slug, member: null, emailVersion, firstName, name }];
    });
  return signInEmail(table, about, cause, people);
}

/** What people call an advocate. */
const nameOf = ({ firstName, lastName, slug }: Advocate): string =>
  [firstName, lastName].filter((name) => name !== null).join(' ') || slug;

/** Somebody who gets a link. */
interface Person extends Pick<StoredCode, 'slug' | 'member' | 'emailVersion'> {
  readonly email: string;
  readonly check: PersonCheck;
  readonly firstName: string | null;
  readonly name: string;
}

function signInEmail(
  table: Table,
  { program, baseUrl }: About,
  { page, address, request }: CauseOf<'sign_in'>,
  people: readonly Person[],
): EmailData | undefined {
  const [first] = people;
  if (!first) return undefined;
  const expiresAt = seconds(secondOf(table.clock()) + SIGN_IN_LIFETIME);
  const links = people.map(({ slug, member, emailVersion, name }) => {
    const code = makeLinkCode(program.id, address, table.random);
    const stored: StoredCode = { purpose: 'sign_in', slug, member, emailVersion, expiresAt };
    const path = page === 'portal' ? '/account' : '/dashboard';
    return { code, stored, name, url: urlOf(`${baseUrl}${path}`, code, name) };
  });
  return {
    to: first.email,
    content: {
      kind: 'sign_in',
      page,
      firstName: people.length === 1 ? first.firstName : null,
      links: links.map(({ name, url }) => ({ name, url })),
    },
    unsubscribeUrl: null,
    mark: { program: program.id, name: `sign_in:${request}`, people: people.map(({ check }) => check), codes: links },
  };
}

/** The page shows the name before the code is used: scanners open links, but press no button. */
const urlOf = (page: string, code: LinkCode, name: string): string =>
  `${page}#code=${writeLinkCode(code)}&name=${encodeURIComponent(safeName(name))}`;

type AdvocateCause = CauseOf<'paying' | 'settled' | 'account_changed'>;

async function toAdvocate(table: Table, about: About, cause: AdvocateCause): Promise<EmailData | undefined> {
  const { program, settings } = about;
  const advocate = await findAdvocate(table, program.id, cause.slug);
  if (!advocate || advocate.email === null) return undefined;
  if (isSwitchable(cause.kind) && [...advocate.emailsOff, ...settings.emailsOff].includes(cause.kind)) return undefined;
  const people = [emailCheck(program, cause.slug, advocate.email)];
  if (cause.kind === 'account_changed') return accountChanged(table, about, cause, { advocate, people });
  const to = { to: advocate.email, unsubscribeUrl: await unsubscribeUrlOf(table, about, advocate) };
  const common = { firstName: advocate.firstName, url: accountUrl(about) };
  const mark = { program: program.id, people, codes: [] };
  switch (cause.kind) {
    case 'paying':
      return {
        ...to,
        content: { kind: 'paying', ...common },
        mark: { ...mark, name: `paying:${cause.slug}:${cause.day}` },
      };
    case 'settled': {
      const { commission, currency, reference } = await getEntry(table, program.id, cause.slug, {
        createdAt: cause.createdAt,
        id: cause.entry,
      });
      return {
        ...to,
        content: { kind: 'settled', ...common, amount: -commission, currency, reference },
        mark: { ...mark, name: `settled:${cause.entry}` },
      };
    }
  }
}

async function accountChanged(
  table: Table,
  about: About,
  { slug, version, changes, to: which }: CauseOf<'account_changed'>,
  { advocate, people }: Pick<EmailMark, 'people'> & { readonly advocate: Advocate },
): Promise<EmailData | undefined> {
  const { program, baseUrl } = about;
  const to = which === 'now' ? advocate.email : await readPreviousEmail(table, program.id, slug);
  if (to === null || to === undefined || (which === 'before' && to === advocate.email)) return undefined;
  const pendingUntil = isPending(advocate, secondOf(table.clock())) ? advocate.payoutPendingUntil : null;
  const undo =
    which === 'now' && pendingUntil !== null && advocate.payoutBefore !== null
      ? undoCode(table, program.id, advocate, { address: addressHash(to), expiresAt: pendingUntil })
      : undefined;
  return {
    to,
    content: {
      kind: 'account_changed',
      firstName: advocate.firstName,
      url: accountUrl(about),
      changes,
      account: advocate,
      pendingUntil,
      undoUrl: undo ? `${baseUrl}/account#undo=${writeLinkCode(undo.code)}` : null,
    },
    unsubscribeUrl: null,
    mark: {
      program: program.id,
      // An undo ends tokens, so that the undo itself and the next change are told immediately.
      name: `account_changed:${slug}:${which}:${advocate.tokensRevokedAt ?? 0}:${pendingUntil === null ? 'final' : 'pending'}`,
      again: ACCOUNT_PAUSE,
      version,
      people,
      codes: undo ? [undo] : [],
    },
  };
}

function undoCode(
  table: Table,
  program: string,
  { slug, emailVersion }: Advocate,
  { address, expiresAt }: { readonly address: string; readonly expiresAt: Seconds },
) {
  const stored: StoredCode = { purpose: 'undo', slug, member: null, emailVersion, expiresAt };
  return { code: makeLinkCode(program, address, table.random), stored };
}

/** Returns the link that switches emails off, whose secret the advocate gets with its first email. */
async function unsubscribeUrlOf(table: Table, { program, baseUrl }: About, advocate: Advocate): Promise<string> {
  const { slug } = advocate;
  const made = makeUnsubscribeSecret(table.random);
  const { unsubscribe } =
    advocate.unsubscribe === null
      ? await replaceAdvocate(table, program.id, slug, {
          change: (before) =>
            before.unsubscribe === null && before.erasedAt === null
              ? { ...before, unsubscribe: made, version: before.version + 1 }
              : before,
        })
      : advocate;
  return `${baseUrl}/v2/unsubscribe/${writeUnsubscription({ program: program.id, slug, secret: unsubscribe ?? made })}`;
}
