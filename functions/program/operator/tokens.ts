import { newestFirst, type TokenRecord } from '../../kernel/accounts/rules/token.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { parseToken, revokeItem } from '../../kernel/accounts/table/tokens.ts';
import { queryAllByOwner } from '../../kernel/dynamodb/index-pages.ts';
import { advocateKey, affiliateTokens, programTokens } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { isUuidv7, timeOfUuidv7 } from '../../kernel/ids.ts';
import { revokeProgramToken } from '../table/program-changes.ts';

/** Maximum lag of an index in milliseconds. On AWS it is usually well under a second. */
const INDEX_LAG = 10_000;
/** Maximum pause between two reads of an index that may lag, in milliseconds. */
const LONGEST_PAUSE = 500;

/**
 * Lists all tokens of a program, newest first: also revoked ones, and expired ones until the table deletes them. A token
 * that was revoked with all of its advocate has the time of the last such revocation.
 */
export async function listTokens(table: Table, program: string): Promise<TokenRecord[]> {
  const tokens = (await readAll(table, program)).map(parseToken).sort(newestFirst);
  const slugs = [...new Set(tokens.flatMap(({ advocateSlug }) => advocateSlug ?? []))];
  const items = await batchGet(
    table,
    slugs.map((slug) => advocateKey(program, slug)),
  );
  const revocations = new Map(
    slugs.map((slug, index) => [slug, items[index] && parseAdvocate(items[index]).tokensRevokedAt]),
  );
  return tokens.map((token) => {
    const revokedAt = revocations.get(token.advocateSlug ?? '') ?? null;
    const isRevoked = token.revokedAt === null && token.advocateTokensRevokedAt !== revokedAt;
    return isRevoked ? { ...token, revokedAt } : token;
  });
}

/**
 * Revokes a token of a program or of one of its advocates. Returns it, or `undefined` if the program has no such token.
 * Reads the index again for as long as it may lack a new token of an advocate.
 */
export async function revokeToken(table: Table, program: string, id: string): Promise<TokenRecord | undefined> {
  const revoked = await revokeProgramToken(table, program, id);
  if (revoked) return revoked;
  for (;;) {
    const mayLag = isUuidv7(id) && table.clock() - timeOfUuidv7(id) < INDEX_LAG;
    const item = (await readAll(table, program)).find((candidate) => parseToken(candidate).id === id);
    if (item) return revokeItem(table, item);
    if (!mayLag) return undefined;
    await table.backOff(LONGEST_PAUSE);
  }
}

async function readAll(table: Table, program: string) {
  const owners = [programTokens(program), affiliateTokens(program)];
  return (await Promise.all(owners.map((owner) => queryAllByOwner(table, owner)))).flat();
}
