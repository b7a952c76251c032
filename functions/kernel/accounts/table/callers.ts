import { MissingKeys, TtlCache } from '../../cache.ts';
import type { Connection } from '../../dynamodb/connection.ts';
import { type Item, required } from '../../dynamodb/item.ts';
import { advocateKey, membersKey, programKey, tokenKey } from '../../dynamodb/keys.ts';
import { batchGet, get, type Table } from '../../dynamodb/table.ts';
import type { Edge } from '../../edge.ts';
import { record, text } from '../../fields/parsers.ts';
import type { Clock, Milliseconds } from '../../time.ts';
import type { Callers, ProgramCaller, TokenCaller } from '../rules/caller.ts';
import type { Member } from '../rules/member.ts';
import { type Program, programIdOf } from '../rules/program.ts';
import { hashToken, isTokenShaped, type TokenRecord } from '../rules/token.ts';
import { parseAdvocate } from './advocate-items.ts';
import { parseMembers } from './members.ts';
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
  if (token.advocateSlug !== null) return readAffiliate(table, token, copy, { slug: token.advocateSlug, hash });
  if (token.memberId !== null) return readMember(table, token, copy, { id: token.memberId, hash });
  return { kind: 'program', program: parseProgram(copy), token, tokenHash: hash, member: null };
}

/**
 * Reads the member of a token. A session's token has no copy of the program, so the program is read as well. A session has the
 * member's present scopes. A token that the member created has at most these, and ends with the member.
 */
async function readMember(
  table: Table,
  token: TokenRecord,
  copy: Item,
  { id, hash }: { readonly id: string; readonly hash: string },
): Promise<ProgramCaller | undefined> {
  const programId = required(copy, 'id', text);
  const keys = [membersKey(programId), token.isSession ? programKey(programId) : undefined];
  const read = async (consistent: boolean) => {
    const [members, stored] = await batchGet(table, keys, { consistent });
    const program = token.isSession ? stored : copy;
    const member = memberIn(members, id);
    return program && member && { program: parseProgram(program), member };
  };
  const cheap = await read(false);
  // The cheaper read may miss what was just written.
  const isMissing = !cheap || (cheap.member.sessionsEndedAt ?? 0) < (token.memberSessionsEndedAt ?? 0);
  const found = isMissing ? await read(true) : cheap;
  if (!found) return undefined;
  if (token.isSession && found.member.sessionsEndedAt !== token.memberSessionsEndedAt) return undefined;
  const scopes = found.member.scopes.filter((scope) => token.isSession || token.scopes.includes(scope));
  return { kind: 'program', ...found, token: { ...token, scopes }, tokenHash: hash };
}

const memberIn = (item: Item | undefined, id: string): Member | undefined =>
  parseMembers(item).members.find((member) => member.id === id);

/** Reads the program and the advocate of an affiliate token together, and the member who created it. */
async function readAffiliate(
  table: Table,
  token: TokenRecord,
  copy: Item,
  { slug, hash }: { readonly slug: string; readonly hash: string },
): Promise<TokenCaller | undefined> {
  const id = required(copy, 'id', text);
  const keys = [programKey(id), advocateKey(id, slug), token.memberId === null ? undefined : membersKey(id)];
  const read = async (consistent: boolean) => {
    const [program, advocate, members] = await batchGet(table, keys, { consistent });
    const isOrphan = token.memberId !== null && !memberIn(members, token.memberId);
    if (!program || !advocate || isOrphan) return undefined;
    return { program: parseProgram(program), advocate: parseAdvocate(advocate) };
  };
  const cheap = await read(false);
  // The cheaper read may miss what was just written, also a revocation that the token's creation has seen.
  const isMissing =
    !cheap ||
    (cheap.advocate.tokensRevokedAt ?? 0) < (token.advocateTokensRevokedAt ?? 0) ||
    cheap.advocate.emailVersion < (token.emailVersion ?? 0);
  const found = isMissing ? await read(true) : cheap;
  if (!found || found.advocate.erasedAt !== null) return undefined;
  if (found.advocate.tokensRevokedAt !== token.advocateTokensRevokedAt) return undefined;
  if (token.isSession && found.advocate.emailVersion !== token.emailVersion) return undefined;
  return { kind: 'affiliate', ...found, token, tokenHash: hash };
}
