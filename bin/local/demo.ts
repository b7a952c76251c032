import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { milliseconds } from '../../functions/domain/time.ts';
import { isTokenShaped, makeToken, type TokenKind } from '../../functions/domain/token.ts';
import { createAdvocate, SlugTaken } from '../../functions/table/advocates.ts';
import { callersOf } from '../../functions/table/callers.ts';
import { listPrograms } from '../../functions/table/operator/lists.ts';
import { storeReferrals } from '../../functions/table/operator/referral-import.ts';
import { createToken } from '../../functions/table/operator/tokens.ts';
import { createProgram } from '../../functions/table/programs.ts';
import type { Table } from '../../functions/table/table.ts';
import { type DemoProgram, demoPrograms } from './demo-data.ts';

/** What the start-up prints of the demo. */
export interface Demo {
  readonly publicKey: string;
  readonly advocateSlug: string;
  readonly advocateName: string;
  readonly programToken: string;
  readonly affiliateToken: string;
}

/** What the demo keeps in `DATA_DIR`: tokens cannot be read back from the table, which holds their hashes only. */
interface Kept {
  readonly programToken: string;
  readonly affiliateToken: string;
  /** False while the demo is being stored: a start that was cut off is made good by the next one. */
  readonly complete: boolean;
}

const AT_ONCE = 20;
const COMPLETE = 'complete';

/**
 * Makes the demo where the table is empty, and finds it again where it was made before. Returns `undefined` where the
 * table holds other programs.
 */
export async function prepareDemo(table: Table, dataDir: string): Promise<Demo | undefined> {
  const file = join(dataDir, 'demo-tokens');
  const [main, ...others] = demoPrograms();
  const [advocate] = main?.advocates ?? [];
  if (!main || !advocate) throw new Error('The demo has no program.');
  const programs = await listPrograms(table);
  if (programs.length > 0 && !programs.some(({ id }) => id === main.program.id)) return undefined;
  const kept = await readKept(file);
  const printed = (tokens: Kept): Demo => ({
    ...tokens,
    publicKey: main.program.publicKey,
    advocateSlug: advocate.slug,
    advocateName: `${advocate.firstName} ${advocate.lastName}`,
  });
  if (kept?.complete && (await areLive(table, kept))) return printed(kept);
  // A start that was cut off goes on with its tokens. Those that are lost, revoked or of another table are of no use.
  const tokens = kept && !kept.complete ? kept : newTokens();
  await keep(file, { ...tokens, complete: false });
  for (const program of [main, ...others]) await store(table, program);
  await storeToken(table, main, 'program', null, tokens.programToken);
  await storeToken(table, main, 'affiliate', advocate.slug, tokens.affiliateToken);
  await keep(file, { ...tokens, complete: true });
  return printed(tokens);
}

function newTokens(): Kept {
  return {
    programToken: makeToken('program', randomBytes),
    affiliateToken: makeToken('affiliate', randomBytes),
    complete: false,
  };
}

async function areLive(table: Table, { programToken, affiliateToken }: Kept): Promise<boolean> {
  const { byToken } = callersOf(table.clock);
  const callers = [await byToken(table, programToken), await byToken(table, affiliateToken)];
  return callers.every((caller) => caller !== undefined);
}

async function store(table: Table, demo: DemoProgram): Promise<void> {
  const { program, advocates, referrals } = demo;
  await createProgram(table, program);
  await inTurns(advocates, async (advocate) => {
    await createAdvocate(table, program.id, advocate).catch((error: unknown) => {
      // Stored by an earlier start that was cut off.
      if (!(error instanceof SlugTaken)) throw error;
    });
  });
  // Those that an earlier start stored before it was cut off are known already.
  const entries = referrals.map((referral) => ({ referral, hasOwnId: true }));
  await storeReferrals(table, program.id, entries);
}

async function storeToken(
  table: Table,
  { program }: DemoProgram,
  kind: TokenKind,
  advocateSlug: string | null,
  token: string,
): Promise<void> {
  // The id follows from the token, so that a start that was cut off can be repeated: it meets what it stored itself.
  const bytes = (count: number) => createHash('sha256').update(token).digest().subarray(0, count);
  const createdAt = program.createdAt;
  const id = uuidv7(milliseconds(createdAt * 1000), bytes);
  const record = { id, kind, advocateSlug, createdAt, expiresAt: null, revokedAt: null };
  await createToken(table, program, token, record);
}

async function inTurns<Value>(values: readonly Value[], act: (value: Value) => Promise<unknown>): Promise<void> {
  for (let next = 0; next < values.length; next += AT_ONCE) {
    await Promise.all(values.slice(next, next + AT_ONCE).map(act));
  }
}

/** Tokens that were kept; `undefined` where the file is missing or is no such file. */
async function readKept(file: string): Promise<Kept | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [programToken = '', affiliateToken = '', complete] = text.split('\n');
  if (!isTokenShaped(programToken) || !isTokenShaped(affiliateToken)) return undefined;
  return { programToken, affiliateToken, complete: complete === COMPLETE };
}

/** Written beside and moved into place: a start that is cut off leaves the old file or the new one, never a part. */
async function keep(file: string, { programToken, affiliateToken, complete }: Kept): Promise<void> {
  const lines = [programToken, affiliateToken, complete ? COMPLETE : 'being stored', ''];
  await writeFile(`${file}.new`, lines.join('\n'), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
