import type { Advocate } from '../../../kernel/accounts/rules/advocate.ts';
import { advocatesWithEmail } from '../../../kernel/accounts/table/advocate-emails.ts';
import { addressHash } from '../../../kernel/address.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { secondOf, seconds } from '../../../kernel/time.ts';
import { safeName } from '../../rules/emails/names.ts';
import { type LinkCode, makeLinkCode, SIGN_IN_LIFETIME, writeLinkCode } from '../../rules/link-code.ts';
import type { StoredCode } from '../link-codes.ts';
import type { PersonCheck } from '../sent-emails.ts';
import { type About, type CauseOf, type EmailData, emailCheck, findMember } from './data.ts';

/** The most advocates with one address who get links in one email, the newest of so many that are read. */
const MAX_LINKS = 10;
const MAX_READ = 100;

/** Reads the link of a member. */
export async function memberSignIn(
  table: Table,
  about: About,
  cause: CauseOf<'sign_in'>,
): Promise<EmailData | undefined> {
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

/** Reads the links of all advocates with an address. */
export async function advocateSignIn(
  table: Table,
  about: About,
  cause: CauseOf<'sign_in'>,
): Promise<EmailData | undefined> {
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
    const stored: StoredCode = { purpose: 'sign_in', slug, member, application: null, emailVersion, expiresAt };
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
