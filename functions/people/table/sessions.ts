import { replaceAdvocate } from '../../advocates/table/advocates.ts';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { makeToken, newToken, type TokenRecord } from '../../kernel/accounts/rules/token.ts';
import { readMembers } from '../../kernel/accounts/table/members.ts';
import { revokeItem, toTokenItem } from '../../kernel/accounts/table/tokens.ts';
import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { tokenKey } from '../../kernel/dynamodb/keys.ts';
import { get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { type FailedConditions, type LabelledWrite, putWrite, transactOnRead } from '../../kernel/dynamodb/writes.ts';
import { AdvocateNotFound } from '../../kernel/errors.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { type Seconds, secondOf, seconds } from '../../kernel/time.ts';
import { InvalidLink } from '../rules/errors.ts';
import type { LinkCode } from '../rules/link-code.ts';
import { readCode, spendWrite } from './link-codes.ts';
import { membersWrite } from './members.ts';

/** How long a session lasts, in seconds: usually, and if the person wants to stay signed in on the device. */
const USUAL = 12 * 3600;
const KEPT = { advocate: 30 * 86_400, member: 7 * 86_400 } as const;

/** A new session with its secret. */
export interface Session {
  readonly token: string;
  readonly record: TokenRecord;
}

/**
 * Signs in the person to whom a link was sent: spends its code in the transaction that creates the token. Throws
 * `InvalidLink`, also if the person has been erased or removed, or has another address; then nothing is written.
 */
export async function signIn(table: Table, code: LinkCode, keep: boolean): Promise<Session> {
  const now = secondOf(table.clock());
  const { slug, member, emailVersion } = await readCode(table, code, 'sign_in', now);
  const parts = { code, now, id: uuidv7(table.clock(), table.random) };
  if (slug !== null)
    return signInAdvocate(table, { slug, emailVersion }, { ...parts, expiresAt: endOf(now, keep, 'advocate') });
  return signInMember(table, member ?? '', { ...parts, expiresAt: endOf(now, keep, 'member') });
}

const endOf = (now: Seconds, keep: boolean, who: keyof typeof KEPT): Seconds =>
  seconds(now + (keep ? KEPT[who] : USUAL));

/** What a sign-in is made of. */
interface Parts {
  readonly code: LinkCode;
  readonly now: Seconds;
  /** The id of the token. */
  readonly id: string;
  readonly expiresAt: Seconds;
}

async function signInAdvocate(
  table: Table,
  { slug, emailVersion }: Pick<Advocate, 'slug' | 'emailVersion'>,
  { code, now, id, expiresAt }: Parts,
): Promise<Session> {
  const { program } = code;
  const token = makeToken('affiliate', table.random);
  const recordOf = (advocate: Advocate) => newToken({ advocate, expiresAt, isSession: true }, id, now);
  const advocate = await replaceAdvocate(table, program, slug, {
    change: (before) => {
      if (before.emailVersion !== emailVersion) throw new InvalidLink();
      return before.signedInAt === null ? { ...before, signedInAt: now, version: before.version + 1 } : before;
    },
    also: (after) => [spendWrite(code, now), tokenWrite(program, token, recordOf(after))],
    refuse,
  }).catch((error: unknown) => {
    // The program was deleted.
    throw error instanceof AdvocateNotFound ? new InvalidLink() : error;
  });
  return { token, record: recordOf(advocate) };
}

async function signInMember(table: Table, id: string, { code, now, id: tokenId, expiresAt }: Parts): Promise<Session> {
  const { program } = code;
  const token = makeToken('program', table.random);
  return retryOnConflict<Session>(table, async () => {
    const before = await readMembers(table, program);
    const member = before.members.find((each) => each.id === id);
    if (!member) throw new InvalidLink();
    const record = newToken({ member, scopes: [], expiresAt, isSession: true }, tokenId, now);
    const members = before.members.map((each) => (each === member ? { ...each, lastSignedInAt: now } : each));
    const writes = [membersWrite(program, before, members), spendWrite(code, now), tokenWrite(program, token, record)];
    const outcome = await transactOnRead<string>(table, writes);
    if ('conflict' in outcome) return outcome;
    refuse(outcome.result);
    return outcome.result.size === 0 ? { result: { token, record } } : { conflict: undefined };
  });
}

const tokenWrite = (program: string, token: string, record: TokenRecord): LabelledWrite<'token'> =>
  putWrite('token', toTokenItem(program, token, record, { id: program }), NOT_EXISTS);

/** Another request has spent the code. */
function refuse(failed: FailedConditions<string>): void {
  if (failed.has('code')) throw new InvalidLink();
}

/** Ends a session. Does nothing if the table has just deleted the expired token. */
export async function signOut(table: Table, tokenHash: string): Promise<void> {
  const item = await get(table, tokenKey(tokenHash));
  if (item) await revokeItem(table, item);
}
