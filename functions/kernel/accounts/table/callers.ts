import { MissingKeys, TtlCache } from '../../cache.ts';
import type { Connection } from '../../dynamodb/connection.ts';
import { required } from '../../dynamodb/item.ts';
import { advocateKey, programKey, tokenKey } from '../../dynamodb/keys.ts';
import { batchGet, get, type Table } from '../../dynamodb/table.ts';
import type { Edge } from '../../edge.ts';
import { record, text } from '../../fields/parsers.ts';
import type { Clock, Milliseconds } from '../../time.ts';
import type { Callers, TokenCaller } from '../rules/caller.ts';
import { type Program, programIdOf } from '../rules/program.ts';
import { hashToken, isTokenShaped, type TokenRecord } from '../rules/token.ts';
import { parseAdvocate } from './advocate-items.ts';
import { findProgram, parseProgram } from './programs.ts';
import { termsReader } from './terms.ts';
import { parseToken } from './tokens.ts';

/** Creates the dependencies that the handlers of a function share, with one cache of callers and one of groups. */
export function serviceOn(connection: Connection, edge?: Edge) {
  const { clock } = connection;
  const until = (deadline: Milliseconds) => connection.until(deadline);
  return { clock, until, callers: callersOf(clock), termsOf: termsReader(clock), edge };
}

/** Returns a finder of callers that caches them for at most 30 seconds, and unknown programs for 10. */
export function callersOf(clock: Clock): Callers<Table> {
  const tokens = new TtlCache<TokenCaller>(clock);
  const programs = new TtlCache<Program>(clock);
  const unknown = new MissingKeys(clock);
  const byProgramId = async (table: Table, id: string) => {
    if (unknown.has(id)) return undefined;
    const program = await programs.getOrLoad(id, () => findProgram(table, id));
    if (!program) unknown.add(id);
    return program;
  };
  return {
    byToken: async (table, token) => {
      if (!isTokenShaped(token)) return undefined;
      const hash = hashToken(token);
      const found = await tokens.getOrLoad(hash, () => readCaller(table, hash));
      const { expiresAt = null } = found?.token ?? {};
      return expiresAt === null || expiresAt * 1000 > clock() ? found : undefined;
    },
    byPublicKey: async (table, publicKey) => {
      const id = programIdOf(publicKey);
      return id === undefined ? undefined : byProgramId(table, id);
    },
    byProgramId,
  };
}

async function readCaller(table: Table, hash: string): Promise<TokenCaller | undefined> {
  const key = tokenKey(hash);
  // The cheaper read may miss an item that was just created.
  const item = (await get(table, key, { consistent: false })) ?? (await get(table, key));
  if (!item) return undefined;
  const token = parseToken(item);
  if (token.revokedAt !== null) return undefined;
  const copy = required(item, 'program', record);
  return token.advocateSlug === null
    ? { kind: 'program', program: parseProgram(copy), token, tokenHash: hash }
    : readAffiliate(table, token, required(copy, 'id', text), token.advocateSlug);
}

/** Reads the program and the advocate of an affiliate token together. */
async function readAffiliate(
  table: Table,
  token: TokenRecord,
  id: string,
  slug: string,
): Promise<TokenCaller | undefined> {
  const keys = [programKey(id), advocateKey(id, slug)];
  const read = async (consistent: boolean) => {
    const [program, advocate] = await batchGet(table, keys, { consistent });
    return program && advocate && { program: parseProgram(program), advocate: parseAdvocate(advocate) };
  };
  const cheap = await read(false);
  // The cheaper read may miss what was just written, also a revocation that the token's creation has seen.
  const isMissing = !cheap || (cheap.advocate.tokensRevokedAt ?? 0) < (token.advocateTokensRevokedAt ?? 0);
  const found = isMissing ? await read(true) : cheap;
  if (!found || found.advocate.erasedAt !== null) return undefined;
  if (found.advocate.tokensRevokedAt !== token.advocateTokensRevokedAt) return undefined;
  return { kind: 'affiliate', ...found, token };
}
