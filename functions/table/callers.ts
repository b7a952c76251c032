import { TtlCache } from '../domain/cache.ts';
import type { Callers, TokenCaller } from '../domain/caller.ts';
import { oneOf, record, text, wholeSeconds } from '../domain/parsers.ts';
import { type Program, programIdOf } from '../domain/program.ts';
import type { Clock, Seconds } from '../domain/time.ts';
import { hashToken, isTokenShaped, TOKEN_KINDS } from '../domain/token.ts';
import { type Item, optional, required } from './dynamodb/item.ts';
import { get, type Table } from './dynamodb/table.ts';
import { tokenKey } from './keys.ts';
import { findProgram, parseProgram } from './programs.ts';

/** A token that is not revoked, but may have expired. */
interface StoredToken {
  readonly caller: TokenCaller;
  readonly expiresAt: Seconds | null;
}

/** Returns a finder of callers that caches them for at most 30 seconds. */
export function callersOf(clock: Clock): Callers<Table> {
  const tokens = new TtlCache<StoredToken>(clock);
  const programs = new TtlCache<Program>(clock);
  const byProgramId = (table: Table, id: string) => programs.getOrLoad(id, () => findProgram(table, id));
  return {
    byToken: async (table, token) => {
      if (!isTokenShaped(token)) return undefined;
      const hash = hashToken(token);
      const found = await tokens.getOrLoad(hash, () => readToken(table, hash));
      const isValid = found && (found.expiresAt === null || found.expiresAt * 1000 > clock());
      return isValid ? found.caller : undefined;
    },
    byPublicKey: async (table, publicKey) => {
      const id = programIdOf(publicKey);
      return id === undefined ? undefined : byProgramId(table, id);
    },
    byProgramId,
  };
}

async function readToken(table: Table, hash: string): Promise<StoredToken | undefined> {
  const key = tokenKey(hash);
  // The cheaper read may miss a token that was just created for a page.
  const item = (await get(table, key, { consistent: false })) ?? (await get(table, key));
  if (!item) return undefined;
  const isRevoked = item['revoked_at'] !== undefined;
  return isRevoked ? undefined : { caller: parseCaller(item), expiresAt: optional(item, 'expires_at', wholeSeconds) };
}

function parseCaller(item: Item): TokenCaller {
  const program = required(item, 'program', record);
  return required(item, 'kind', oneOf(TOKEN_KINDS)) === 'program'
    ? { kind: 'program', program: parseProgram(program) }
    : { kind: 'affiliate', program: { id: required(program, 'id', text) }, slug: required(item, 'advocate', text) };
}
