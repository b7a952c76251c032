import { IdTaken } from '../../domain/errors.ts';
import { isUuidv7, timeOfUuidv7 } from '../../domain/ids.ts';
import type { Program } from '../../domain/program.ts';
import type { Seconds } from '../../domain/time.ts';
import { hashToken, type TokenKind } from '../../domain/token.ts';
import { tokenKind } from '../callers.ts';
import { type Item, optional, required, text, wholeSeconds, withoutNulls } from '../item.ts';
import { keyOf, parseSortKey, programTokens, sortKey, tokenKey } from '../keys.ts';
import { programAttributes } from '../programs.ts';
import type { Table } from '../table.ts';
import { EXISTS, NOT_EXISTS } from '../writes.ts';
import { queryAllByOwner } from './lists.ts';

/** An index of AWS shows a new item usually well within a second; one younger than this may be missing. Milliseconds. */
const INDEX_LAG = 10_000;
/** Longest pause between two reads of an index that may lag, in milliseconds. */
const LONGEST_PAUSE = 500;

/** A token as the operator sees it: never the token itself, of which only a hash is stored. */
export interface TokenRecord {
  /** UUIDv7 by which it is revoked. */
  readonly id: string;
  readonly kind: TokenKind;
  readonly advocateSlug: string | null;
  readonly createdAt: Seconds;
  readonly expiresAt: Seconds | null;
  readonly revokedAt: Seconds | null;
}

/**
 * Stores a token's hash with a copy of its program, so that a request is authenticated in one read. A token that this
 * very call stored, in an attempt whose response was lost, is a success, and what happened to it since stays. Throws
 * `IdTaken` if the token exists already, or `Unavailable`.
 */
export async function createToken(table: Table, program: Program, token: string, record: TokenRecord): Promise<void> {
  const created = sortKey(record.createdAt, record.id);
  const item = {
    ...tokenKey(hashToken(token)),
    owner: programTokens(program.id),
    created,
    ...withoutNulls({
      kind: record.kind,
      advocate: record.advocateSlug,
      expires_at: record.expiresAt,
      program: programAttributes(program),
    }),
  };
  const failed = await table.put(item, NOT_EXISTS);
  if (failed && failed.item?.['created'] !== created) throw new IdTaken();
}

/** All tokens of a program, newest first, revoked ones too; expired ones until the table deletes them. */
export async function listTokens(table: Table, program: string): Promise<TokenRecord[]> {
  return (await queryAllByOwner(table, programTokens(program))).map(tokenOf);
}

/**
 * Revokes a token of a program by its id. Returns it, or `undefined` if the program has no such token. Revoking it again
 * changes nothing. Throws `Unavailable`.
 */
export async function revokeToken(
  table: Table,
  program: string,
  id: string,
  now: Seconds,
): Promise<TokenRecord | undefined> {
  const item = await findToken(table, program, id);
  if (!item) return undefined;
  const update = {
    UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :now)',
    ExpressionAttributeValues: { ':now': now },
  };
  // The condition fails if the table has deleted the token since, because it had expired.
  const failed = await table.update(keyOf(item), update, EXISTS);
  const record = tokenOf(item);
  return failed ? undefined : { ...record, revokedAt: record.revokedAt ?? now };
}

/**
 * A token by its id, from the index of its program. The index lags behind the table: a token so young that the index may
 * lack it is looked for until it shows or has become too old for that.
 */
async function findToken(table: Table, program: string, id: string): Promise<Item | undefined> {
  for (;;) {
    const mayBeMissing = isUuidv7(id) && table.clock() - timeOfUuidv7(id) < INDEX_LAG;
    const items = await queryAllByOwner(table, programTokens(program));
    const item = items.find((candidate) => tokenOf(candidate).id === id);
    if (item || !mayBeMissing) return item;
    await table.backOff(LONGEST_PAUSE);
  }
}

/** Parses a token as the operator sees it. */
export function tokenOf(item: Item): TokenRecord {
  const { id, second } = parseSortKey(required(item, 'created', text));
  return {
    id,
    kind: required(item, 'kind', tokenKind),
    advocateSlug: optional(item, 'advocate', text),
    createdAt: second,
    expiresAt: optional(item, 'expires_at', wholeSeconds),
    revokedAt: optional(item, 'revoked_at', wholeSeconds),
  };
}
