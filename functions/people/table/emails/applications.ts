import { referralLinks } from '../../../kernel/accounts/rules/advocate.ts';
import { advocatesWithEmail } from '../../../kernel/accounts/table/advocate-emails.ts';
import { findAdvocate } from '../../../kernel/accounts/table/advocate-items.ts';
import { readMembers } from '../../../kernel/accounts/table/members.ts';
import { unchangedSince } from '../../../kernel/dynamodb/conditions.ts';
import type { Item } from '../../../kernel/dynamodb/item.ts';
import {
  applicationKey,
  draftKey,
  isDraftKey,
  keyOf,
  membersKey,
  signInPartition,
} from '../../../kernel/dynamodb/keys.ts';
import { get, queryPages, type Table, wholePartition } from '../../../kernel/dynamodb/table.ts';
import { checkWrite } from '../../../kernel/dynamodb/writes.ts';
import { secondOf } from '../../../kernel/time.ts';
import { expiryOf } from '../../rules/applications/application.ts';
import { makeLinkCode, writeLinkCode } from '../../rules/link-code.ts';
import { isBlocking, parseApplication, sameDraft } from '../applications/items.ts';
import type { StoredCode } from '../link-codes.ts';
import { type About, accountUrl, type CauseOf, dashboardUrl, type EmailData, emailCheck } from './data.ts';
import { advocateSignIn } from './sign-in.ts';

/**
 * Reads the link that confirms an application. An address that is an advocate's gets a link to sign in instead, and an address
 * whose application is pending or was rejected gets nothing.
 */
export async function confirmation(
  table: Table,
  about: About,
  { address, application: id }: CauseOf<'confirm'>,
): Promise<EmailData | undefined> {
  const { program, baseUrl } = about;
  const now = secondOf(table.clock());
  const items = await itemsOf(table, signInPartition(program.id, address));
  const { value: draft } = parseApplication(
    items.find((item) => isDraftKey(keyOf(item))),
    now,
  );
  if (draft?.id !== id) return undefined;
  if ((await advocatesWithEmail(table, program.id, address, { limit: 1 })).length > 0) {
    return advocateSignIn(table, about, { kind: 'sign_in', page: 'portal', address, request: id });
  }
  const expiresAt = expiryOf(draft);
  if (items.some((item) => isBlocking(item, now)) || expiresAt === null) return undefined;
  const code = makeLinkCode(program.id, address, table.random);
  const none = { slug: null, member: null, emailVersion: 0 };
  const stored: StoredCode = { purpose: 'confirm', ...none, application: id, expiresAt };
  return {
    to: draft.email,
    content: { kind: 'confirm', firstName: null, url: `${baseUrl}/account#confirm=${writeLinkCode(code)}` },
    unsubscribeUrl: null,
    mark: {
      program: program.id,
      name: `confirm:${id}`,
      people: [checkWrite('person', draftKey(program.id, address), sameDraft(draft))],
      codes: [{ code, stored }],
    },
  };
}

/** Reads all items of an address. */
async function itemsOf(table: Table, partition: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const { items } of queryPages(table, { ...wholePartition(partition), ConsistentRead: true }))
    found.push(...items);
  return found;
}

/** Reads the link of an advocate who was approved or invited, and how to sign in. */
export async function approval(
  table: Table,
  about: About,
  { slug, request }: CauseOf<'approved'>,
): Promise<EmailData | undefined> {
  const { program } = about;
  const advocate = await findAdvocate(table, program.id, slug);
  if (!advocate?.active || advocate.email === null) return undefined;
  return {
    to: advocate.email,
    content: {
      kind: 'approved',
      firstName: advocate.firstName,
      url: accountUrl(about),
      referralLink: referralLinks(program)(slug),
    },
    unsubscribeUrl: null,
    mark: {
      program: program.id,
      name: `approved:${slug}:${request}`,
      people: [emailCheck(program, slug, advocate.email)],
      codes: [],
    },
  };
}

/** Reads what the merchant says about a rejection. */
export async function rejection(
  table: Table,
  about: About,
  { application: id }: CauseOf<'rejected'>,
): Promise<EmailData | undefined> {
  const { program } = about;
  const key = applicationKey(program.id, id);
  const found = parseApplication(await get(table, key), secondOf(table.clock()));
  if (!found.value?.notify) return undefined;
  const { email, firstName, note } = found.value;
  return {
    to: email,
    content: { kind: 'rejected', firstName, url: accountUrl(about), note },
    unsubscribeUrl: null,
    mark: {
      program: program.id,
      name: `rejected:${id}`,
      people: [checkWrite('person', key, unchangedSince(found))],
      codes: [],
    },
  };
}

/** Reads the emails to all members who can approve, the first of a day, unless somebody has decided meanwhile. */
export async function waiting(
  table: Table,
  about: About,
  { application, day }: CauseOf<'waiting'>,
): Promise<readonly EmailData[]> {
  const { program, settings } = about;
  if (settings.emailsOff.includes('waiting')) return [];
  const found = parseApplication(await get(table, applicationKey(program.id, application)), secondOf(table.clock()));
  if (found.value?.state !== 'pending') return [];
  const stored = await readMembers(table, program.id);
  return stored.members
    .filter(({ scopes }) => scopes.includes('advocates'))
    .map(({ id, email, name }) => ({
      to: email,
      content: { kind: 'waiting', firstName: name, url: dashboardUrl(about) },
      unsubscribeUrl: null,
      mark: {
        program: program.id,
        name: `waiting:${id}:${day}`,
        people: [checkWrite('person', membersKey(program.id), unchangedSince(stored))],
        codes: [],
      },
    }));
}
