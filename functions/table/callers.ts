import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Callers, TokenCaller } from '../domain/caller.ts';
import { type Program, programIdOf } from '../domain/program.ts';
import type { Milliseconds, Seconds } from '../domain/time.ts';
import { hashToken, isTokenShaped } from '../domain/token.ts';
import { type Item, map, required, text } from './item.ts';
import { tokenKey } from './keys.ts';
import { findProgram, programOf } from './programs.ts';
import type { Table } from './table.ts';
import { tokenKind, tokenOf } from './tokens.ts';
import { TtlCache } from './ttl-cache.ts';

interface LiveToken {
  readonly caller: TokenCaller;
  readonly expiresAt: Seconds | null;
}

/** Finds who calls by token or public key, and remembers for at most 30 seconds whom it found. */
export function callersOf(table: Table): Callers {
  const tokens = new TtlCache<LiveToken>(table.clock);
  const programs = new TtlCache<Program>(table.clock);
  return {
    byToken: async (token, deadline) => {
      if (!isTokenShaped(token)) return undefined;
      const hash = hashToken(token);
      const found = await tokens.getOrLoad(hash, () => readToken(table, hash, deadline));
      const isLive = found && (found.expiresAt === null || found.expiresAt * 1000 > table.clock());
      return isLive ? found.caller : undefined;
    },
    byPublicKey: async (publicKey, deadline) => {
      const id = programIdOf(publicKey);
      if (id === undefined) return undefined;
      return programs.getOrLoad(id, () => findProgram(table, id, deadline));
    },
  };
}

async function readToken(table: Table, hash: string, deadline: Milliseconds): Promise<LiveToken | undefined> {
  const command = new GetCommand({ TableName: table.name, Key: tokenKey(hash) });
  const { Item } = await table.ask(deadline, (within) => table.client.send(command, within));
  if (!Item) return undefined;
  const { revokedAt, expiresAt } = tokenOf(Item);
  return revokedAt === null ? { caller: callerOf(Item), expiresAt } : undefined;
}

function callerOf(item: Item): TokenCaller {
  const program = programOf(required(item, 'program', map));
  return required(item, 'kind', tokenKind) === 'program'
    ? { kind: 'program', program }
    : { kind: 'affiliate', program, slug: required(item, 'advocate', text) };
}
