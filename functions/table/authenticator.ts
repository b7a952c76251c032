import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../domain/caller.ts';
import type { Milliseconds, Seconds } from '../domain/time.ts';
import { hashToken, isTokenShaped } from '../domain/token.ts';
import { type Item, map, required, text } from './item.ts';
import { tokenKey } from './keys.ts';
import { programOf } from './programs.ts';
import type { Table } from './table.ts';
import { tokenKind, tokenOf } from './tokens.ts';

/** Finds who a token speaks for; `undefined` for a token that is malformed, unknown, revoked or expired. */
export type Authenticate = (token: string, deadline: Milliseconds) => Promise<Caller | undefined>;

interface Remembered {
  readonly caller: Caller;
  readonly expiresAt: Seconds | null;
  readonly readAt: Milliseconds;
}

/**
 * For this long, in milliseconds, a revoked token may still be taken for good: 30 seconds, less one for a read that lags
 * behind the revocation.
 */
const REMEMBERED_FOR = 29_000;
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

function callerOf(item: Item): Caller {
  const program = programOf(required(item, 'program', map));
  return required(item, 'kind', tokenKind) === 'program'
    ? { kind: 'program', program }
    : { kind: 'affiliate', program, slug: required(item, 'advocate', text) };
}
