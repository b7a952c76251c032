import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../domain/program.ts';
import type { Milliseconds, Seconds } from '../domain/time.ts';
import { hashToken, type TokenKind } from '../domain/token.ts';
import { absentOrOwn } from './conditions.ts';
import { type Item, optional, required, text, wholeSeconds, withoutNulls } from './item.ts';
import { keyOf, parseSortKey, programTokens, sortKey, tokenKey } from './keys.ts';
import { readOwned } from './owned.ts';
import { programAttributes } from './programs.ts';
import type { Table } from './table.ts';

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

/** Stores a token's hash with a copy of its program, so that a request is authenticated in one read. */
export async function createToken(
  table: Table,
  program: Program,
  token: string,
  record: TokenRecord,
  deadline: Milliseconds,
): Promise<void> {
  const created = sortKey(record.createdAt, record.id);
  const command = new PutCommand({
    TableName: table.name,
    Item: {
      ...tokenKey(hashToken(token)),
      owner: programTokens(program.id),
      created,
      ...withoutNulls({
        kind: record.kind,
        advocate: record.advocateSlug,
        expires_at: record.expiresAt,
        program: programAttributes(program),
      }),
    },
    ...absentOrOwn(created),
  });
  await table.ask(deadline, (within) => table.client.send(command, within));
}

/** All tokens of a program, newest first, revoked ones too; expired ones until the table deletes them. */
export async function listTokens(
  table: Table,
  program: string,
  deadline: Milliseconds,
): Promise<TokenRecord[]> {
  return (await readOwned(table, programTokens(program), deadline)).map(tokenOf);
}

/** Revokes a token of a program by its id. Returns it, or `undefined` where there is none. Again changes nothing. */
export async function revokeToken(
  table: Table,
  program: string,
  id: string,
  now: Seconds,
  deadline: Milliseconds,
): Promise<TokenRecord | undefined> {
  const items = await readOwned(table, programTokens(program), deadline);
  const item = items.find((candidate) => tokenOf(candidate).id === id);
  if (!item) return undefined;
  const command = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(item),
    UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :now)',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': now },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await table.ask(deadline, (within) => table.client.send(command, within));
  return tokenOf(Attributes ?? {});
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

/** Parses the kind of a token. */
export function tokenKind(value: unknown): TokenKind | undefined {
  return value === 'program' || value === 'affiliate' ? value : undefined;
}
