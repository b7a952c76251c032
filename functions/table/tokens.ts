import { IdTaken } from '../domain/errors.ts';
import type { Program } from '../domain/program.ts';
import type { Seconds } from '../domain/time.ts';
import { hashToken, type TokenKind } from '../domain/token.ts';
import { type Item, withoutNulls } from './dynamodb/item.ts';
import { putNew } from './dynamodb/put-new.ts';
import type { Table } from './dynamodb/table.ts';
import { programTokens, sortKey, tokenKey } from './keys.ts';
import { toProgramAttributes } from './programs.ts';

/** A stored token. Its secret is not stored, only a hash of it. */
export interface TokenRecord {
  /** UUIDv7. */
  readonly id: string;
  readonly kind: TokenKind;
  readonly advocateSlug: string | null;
  readonly createdAt: Seconds;
  readonly expiresAt: Seconds | null;
  readonly revokedAt: Seconds | null;
}

/**
 * Stores a token's hash, so that one read authenticates a request: a program's token has a copy of the program. An
 * update of the program at the same time may miss that copy; `createProgramToken` prevents it. Succeeds if an earlier
 * attempt, whose response was lost, stored the token. Throws `IdTaken` if the token exists.
 */
export async function createToken(table: Table, program: Program, token: string, record: TokenRecord): Promise<void> {
  // Affiliates need only the id, which never changes, so that an update of the program rewrites fewer tokens.
  const copy = record.kind === 'program' ? toProgramAttributes(program) : { id: program.id };
  if (!(await putNew(table, toTokenItem(program.id, token, record, copy)))) throw new IdTaken();
}

/** Builds the item of a token. `copy` has the attributes of its program. */
export function toTokenItem(program: string, token: string, record: TokenRecord, copy: Item): Item {
  return {
    ...tokenKey(hashToken(token)),
    owner: programTokens(program),
    created: sortKey(record.createdAt, record.id),
    ...withoutNulls({
      kind: record.kind,
      advocate: record.advocateSlug,
      expires_at: record.expiresAt,
      program: copy,
    }),
  };
}
