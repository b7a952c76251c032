import { isUuidv7, timeOfUuidv7 } from '../../domain/ids.ts';
import { oneOf, text, wholeSeconds } from '../../domain/parsers.ts';
import type { Seconds } from '../../domain/time.ts';
import { TOKEN_KINDS } from '../../domain/token.ts';
import { EXISTS } from '../dynamodb/conditions.ts';
import { queryAllByOwner } from '../dynamodb/index-pages.ts';
import { type Item, optional, required } from '../dynamodb/item.ts';
import type { Table } from '../dynamodb/table.ts';
import { update } from '../dynamodb/writes.ts';
import { keyOf, parseSortKey, programTokens } from '../keys.ts';
import type { TokenRecord } from '../tokens.ts';

/** Maximum lag of an index in milliseconds. On AWS it is usually well under a second. */
const INDEX_LAG = 10_000;
/** Maximum pause between two reads of an index that may lag, in milliseconds. */
const LONGEST_PAUSE = 500;

/** Lists all tokens of a program, newest first: also revoked ones, and expired ones until the table deletes them. */
export async function listTokens(table: Table, program: string): Promise<TokenRecord[]> {
  return (await queryAllByOwner(table, programTokens(program))).map(parseToken);
}

/**
 * Revokes a token of a program. Returns it, or `undefined` if the program has no such token. Revoking it again keeps
 * the time of the first revocation.
 */
export async function revokeToken(
  table: Table,
  program: string,
  id: string,
  now: Seconds,
): Promise<TokenRecord | undefined> {
  const item = await findToken(table, program, id);
  if (!item) return undefined;
  const UpdateExpression = 'SET revoked_at = if_not_exists(revoked_at, :now)';
  const change = { UpdateExpression, ExpressionAttributeValues: { ':now': now } };
  // The condition fails if the table has just deleted the expired token.
  const failed = await update(table, keyOf(item), change, EXISTS);
  const record = parseToken(item);
  return failed ? undefined : { ...record, revokedAt: record.revokedAt ?? now };
}

/** Finds a token by its id. Reads the index again for as long as it may lack a new token. */
async function findToken(table: Table, program: string, id: string): Promise<Item | undefined> {
  for (;;) {
    const mayLag = isUuidv7(id) && table.clock() - timeOfUuidv7(id) < INDEX_LAG;
    const items = await queryAllByOwner(table, programTokens(program));
    const item = items.find((candidate) => parseToken(candidate).id === id);
    if (item || !mayLag) return item;
    await table.backOff(LONGEST_PAUSE);
  }
}

function parseToken(item: Item): TokenRecord {
  const { id, second } = parseSortKey(required(item, 'created', text));
  return {
    id,
    kind: required(item, 'kind', oneOf(TOKEN_KINDS)),
    advocateSlug: optional(item, 'advocate', text),
    createdAt: second,
    expiresAt: optional(item, 'expires_at', wholeSeconds),
    revokedAt: optional(item, 'revoked_at', wholeSeconds),
  };
}
