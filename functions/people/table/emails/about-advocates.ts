import { replaceAdvocate } from '../../../advocates/table/advocates.ts';
import type { Advocate } from '../../../kernel/accounts/rules/advocate.ts';
import { isPending } from '../../../kernel/accounts/rules/payout-account.ts';
import { findAdvocate } from '../../../kernel/accounts/table/advocate-items.ts';
import { addressHash } from '../../../kernel/address.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { type Seconds, secondOf } from '../../../kernel/time.ts';
import { getEntry } from '../../../ledger/table/entries.ts';
import { isSwitchable } from '../../rules/emails/kinds.ts';
import { makeLinkCode, writeLinkCode } from '../../rules/link-code.ts';
import { makeUnsubscribeSecret, writeUnsubscription } from '../../rules/unsubscribe.ts';
import type { StoredCode } from '../link-codes.ts';
import { readPreviousEmail } from '../previous-emails.ts';
import type { EmailMark } from '../sent-emails.ts';
import { type About, accountUrl, type CauseOf, type EmailData, emailCheck } from './data.ts';

/** The least time between two emails about changes of an account, in seconds. */
const ACCOUNT_PAUSE = 3600;

type AdvocateCause = CauseOf<'paying' | 'settled' | 'account_changed'>;

/** Reads what an email to an advocate says. */
export async function toAdvocate(table: Table, about: About, cause: AdvocateCause): Promise<EmailData | undefined> {
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
      // An undo ends tokens, so emails about the undo and about the next change have other names, and are sent immediately.
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
  const stored: StoredCode = { purpose: 'undo', slug, member: null, application: null, emailVersion, expiresAt };
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
