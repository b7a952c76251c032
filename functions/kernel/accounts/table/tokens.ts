import { EXISTS } from '../../dynamodb/conditions.ts';
import { type Item, optional, required, withoutNulls } from '../../dynamodb/item.ts';
import {
  affiliateTokens,
  keyOf,
  parseSortKey,
  programSessions,
  programTokens,
  sortKey,
  tokenKey,
} from '../../dynamodb/keys.ts';
import { putNew } from '../../dynamodb/put-new.ts';
import { get, type Table } from '../../dynamodb/table.ts';
import { checkWrite, deleteWrite, type LabelledWrite, transact, update } from '../../dynamodb/writes.ts';
import { IdTaken, TokenRevoked } from '../../errors.ts';
import { boolean, list, number, oneOf, text, wholeSeconds } from '../../fields/parsers.ts';
import { secondOf } from '../../time.ts';
import type { Program } from '../rules/program.ts';
import { DEFAULT_SCOPES, hashToken, SCOPES, sortedScopes, TOKEN_KINDS, type TokenRecord } from '../rules/token.ts';
import { toProgramAttributes } from './programs.ts';

/**
 * Stores a token's hash, so that one read authenticates a request: a program's token has a copy of the program. An
 * update of the program at the same time may miss that copy; `createProgramToken` prevents it. Succeeds if an earlier
 * attempt, whose response was lost, stored the token. Throws `IdTaken` if the token exists.
 */
export async function createToken(table: Table, program: Program, token: string, record: TokenRecord): Promise<void> {
  // Affiliates need only the id, which never changes, so that an update of the program rewrites fewer tokens.
  const copy = record.kind === 'program' && !record.isSession ? toProgramAttributes(program) : { id: program.id };
  if (!(await putNew(table, toTokenItem(program.id, token, record, copy)))) throw new IdTaken();
}

/** A token that is created over the API. */
export interface CreatedToken {
  readonly token: string;
  readonly record: TokenRecord;
  /** The hash of the token that creates it. */
  readonly creator: string;
}

/**
 * Stores a token that another one creates, as `createToken` does. Callers are remembered for a while, so the table says
 * whether the creator is revoked, after the write: a revocation that the read misses happened later. A check in a
 * transaction would be as exact, but all tokens that a server creates at the same time would conflict on its own token.
 * Throws `TokenRevoked`.
 */
export async function createTokenBy(
  table: Table,
  program: Program,
  { token, record, creator }: CreatedToken,
): Promise<void> {
  await createToken(table, program, token, record);
  const item = await get(table, tokenKey(creator));
  if (item && parseToken(item).revokedAt === null) return;
  // Nobody has seen the token, so it does no harm if it stays because of a failure.
  await deleteToken(table, token);
  throw new TokenRevoked();
}

/**
 * Builds the check that a calling token is valid, by its hash. Callers are remembered for a while: a revoked token must not
 * outlive that by what it creates.
 */
export const validTokenCheck = (hash: string): LabelledWrite<'token'> =>
  checkWrite('token', tokenKey(hash), {
    ConditionExpression: `${EXISTS.ConditionExpression} AND attribute_not_exists(revoked_at)`,
  });

/** Deletes a token. Returns false if it does not exist. */
async function deleteToken(table: Table, token: string): Promise<boolean> {
  const failed = await transact(table, [deleteWrite('token', tokenKey(hashToken(token)), EXISTS)]);
  return failed.size === 0;
}

/** Builds the item of a token. `copy` has the attributes of its program. */
export function toTokenItem(program: string, token: string, record: TokenRecord, copy: Item): Item {
  return {
    ...tokenKey(hashToken(token)),
    owner: ownerOf(program, record),
    created: sortKey(record.createdAt, record.id),
    ...withoutNulls({
      kind: record.kind,
      name: record.name,
      scopes: record.scopes.length > 0 ? record.scopes : null,
      advocate: record.advocateSlug,
      tokens_revoked_at: record.advocateTokensRevokedAt,
      session: record.isSession || null,
      email_version: record.emailVersion,
      member: record.memberId,
      sessions_ended_at: record.memberSessionsEndedAt,
      expires_at: record.expiresAt,
      program: copy,
    }),
  };
}

/** The partition that lists a token. */
function ownerOf(program: string, { kind, isSession }: TokenRecord): string {
  if (isSession) return programSessions(program);
  return kind === 'program' ? programTokens(program) : affiliateTokens(program);
}

/** Revokes a stored token, and returns it. Keeps the time of an earlier revocation. */
export async function revokeItem(table: Table, item: Item): Promise<TokenRecord | undefined> {
  const now = secondOf(table.clock());
  const UpdateExpression = 'SET revoked_at = if_not_exists(revoked_at, :now)';
  const change = { UpdateExpression, ExpressionAttributeValues: { ':now': now } };
  // The condition fails if the table has just deleted the expired token.
  const failed = await update(table, keyOf(item), change, EXISTS);
  const record = parseToken(item);
  return failed ? undefined : { ...record, revokedAt: record.revokedAt ?? now };
}

/** Parses a token from its item. */
export function parseToken(item: Item): TokenRecord {
  const { id, second } = parseSortKey(required(item, 'created', text));
  const kind = required(item, 'kind', oneOf(TOKEN_KINDS));
  // Program tokens from before there were scopes have none.
  const scopes = optional(item, 'scopes', storedScopes) ?? DEFAULT_SCOPES;
  return {
    id,
    kind,
    name: optional(item, 'name', text),
    scopes: kind === 'program' ? scopes : [],
    advocateSlug: optional(item, 'advocate', text),
    advocateTokensRevokedAt: optional(item, 'tokens_revoked_at', wholeSeconds),
    isSession: optional(item, 'session', boolean) ?? false,
    emailVersion: optional(item, 'email_version', number),
    memberId: optional(item, 'member', text),
    memberSessionsEndedAt: optional(item, 'sessions_ended_at', wholeSeconds),
    createdAt: second,
    expiresAt: optional(item, 'expires_at', wholeSeconds),
    revokedAt: optional(item, 'revoked_at', wholeSeconds),
  };
}

const storedScopes = (value: unknown) => {
  const scopes = list(value)
    ?.map(oneOf(SCOPES))
    .filter((scope) => scope !== undefined);
  return scopes && sortedScopes(scopes);
};
