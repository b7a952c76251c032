import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../domain/caller.ts';
import type { Program } from '../domain/program.ts';
import type { Milliseconds, Seconds } from '../domain/time.ts';
import { hashToken, isTokenShaped, type TokenKind } from '../domain/token.ts';
import { type Item, map, optional, required, text, wholeSeconds, withoutNulls } from './item.ts';
import { parseSortKey, programTokens, sortKey, tokenKey } from './keys.ts';
import { readOwned } from './owned.ts';
import { programAttributes, programOf } from './programs.ts';
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
  const Item = {
    ...tokenKey(hashToken(token)),
    owner: programTokens(program.id),
    created: sortKey(record.createdAt, record.id),
    ...withoutNulls({
      kind: record.kind,
      advocate: record.advocateSlug,
      expires_at: record.expiresAt,
      program: programAttributes(program),
    }),
  };
  const command = new PutCommand({
    TableName: table.name,
    Item,
    // The second half: the SDK repeats a put whose answer was lost, and then meets its own.
    ConditionExpression: 'attribute_not_exists(pk) OR created = :created',
    ExpressionAttributeValues: { ':created': Item.created },
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
    Key: { pk: item['pk'], sk: item['sk'] },
    UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :now)',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': now },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await table.ask(deadline, (within) => table.client.send(command, within));
  return tokenOf(Attributes ?? {});
}

/** Finds who a token speaks for; `undefined` for a token that is malformed, unknown, revoked or expired. */
export type Authenticate = (token: string, deadline: Milliseconds) => Promise<Caller | undefined>;

interface Remembered {
  readonly caller: Caller;
  readonly expiresAt: Seconds | null;
  readonly readAt: Milliseconds;
}

/** For this long a revoked token may still be taken for good: 30 seconds, in milliseconds. */
const REMEMBERED_FOR = 30_000;
const MOST_REMEMBERED = 1000;

/** Makes an `Authenticate` that remembers the tokens it has seen for at most 30 seconds. */
export function authenticator(table: Table): Authenticate {
  const remembered = new Map<string, Remembered>();

  async function read(hash: string, deadline: Milliseconds): Promise<Remembered | undefined> {
    const readAt = table.clock();
    const command = new GetCommand({ TableName: table.name, Key: tokenKey(hash) });
    const { Item } = await table.ask(deadline, (within) => table.client.send(command, within));
    if (!Item) return undefined;
    const { revokedAt, expiresAt } = tokenOf(Item);
    return revokedAt === null ? { caller: callerOf(Item), expiresAt, readAt } : undefined;
  }

  async function recall(hash: string, deadline: Milliseconds): Promise<Remembered | undefined> {
    const known = remembered.get(hash);
    if (known && table.clock() - known.readAt < REMEMBERED_FOR) return known;
    remembered.delete(hash);
    const found = await read(hash, deadline);
    if (found) remembered.set(hash, found);
    // The oldest goes first: a Map keeps the order in which its entries came.
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MOST_REMEMBERED) break;
      remembered.delete(oldest);
    }
    return found;
  }

  return async (token, deadline) => {
    if (!isTokenShaped(token)) return undefined;
    const found = await recall(hashToken(token), deadline);
    const isLive = found && (found.expiresAt === null || found.expiresAt * 1000 > table.clock());
    return isLive ? found.caller : undefined;
  };
}

function tokenOf(item: Item): TokenRecord {
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

function callerOf(item: Item): Caller {
  const program = programOf(required(item, 'program', map));
  return required(item, 'kind', tokenKind) === 'program'
    ? { kind: 'program', program }
    : { kind: 'affiliate', program, slug: required(item, 'advocate', text) };
}

function tokenKind(value: unknown): TokenKind | undefined {
  return value === 'program' || value === 'affiliate' ? value : undefined;
}
