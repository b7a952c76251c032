import { hostname } from 'node:os';
import { EMPTY_ADVOCATE, newAdvocate } from '../../../functions/domain/advocate.ts';
import { type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { newProgram, type Program } from '../../../functions/domain/program.ts';
import { type Milliseconds, type Seconds, secondOf, seconds } from '../../../functions/domain/time.ts';
import { makeToken, newToken } from '../../../functions/domain/token.ts';
import { ROUTES, routeKey } from '../../../functions/routes.ts';
import { createAdvocate } from '../../../functions/table/advocates.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { listPrograms } from '../../../functions/table/operator/lists.ts';
import { removeProgram } from '../../../functions/table/operator/remove-program.ts';
import { createProgram } from '../../../functions/table/programs.ts';
import { createToken } from '../../../functions/table/tokens.ts';

/** The program of one run of doctor, with its advocate and tokens. Real programs do not change. */
export type TemporaryProgram = ReturnType<typeof newTemporaryProgram>;

/** Names under `.invalid` never resolve (RFC 2606). */
const SITE = 'https://doctor.invalid/';
/** Identifies the process, so that a later run recognizes the program of a killed run, or of an earlier version. */
const NAME = /^(?:Temporary|Throw-away) program of doctor, process (\d{1,10}) on (.*)$/;

/** The tokens expire after this time, which is longer than any run. */
export const LIFE_MINUTES = 15;
const LIFE = LIFE_MINUTES * 60;

const SLUG = 'doctor';
export const CUSTOMER = { email: 'customer@doctor.invalid', uid: 'customer' } as const;
export const IDEMPOTENCY_KEY = 'doctor';

/** Builds a temporary program. Advocate and click have the program's id, so that a later run can remove them. */
export function newTemporaryProgram(now: Milliseconds, random: Random) {
  const id = uuidv7(now, random);
  const program = {
    name: `Temporary program of doctor, process ${process.pid} on ${hostname()}`,
    siteUrl: SITE,
    attributionDays: 1,
  };
  const advocate = { ...EMPTY_ADVOCATE, email: 'advocate@doctor.invalid', slug: SLUG, firstName: 'Doctor' };
  return {
    program: newProgram(program, id, secondOf(now)),
    advocate: newAdvocate(advocate, id, secondOf(now)),
    programToken: makeToken('program', random),
    affiliateToken: makeToken('affiliate', random),
  };
}

/** Stores program, advocate and tokens. */
export async function storeTemporaryProgram(
  table: Table,
  { program, advocate, programToken, affiliateToken }: TemporaryProgram,
): Promise<void> {
  await createProgram(table, program);
  await createAdvocate(table, program.id, advocate);
  const { createdAt } = program;
  const expiresAt = seconds(createdAt + LIFE);
  for (const [secret, advocateSlug] of [
    [programToken, null],
    [affiliateToken, SLUG],
  ] as const) {
    const id = uuidv7(table.clock(), table.random);
    await createToken(table, program, secret, newToken({ advocateSlug, expiresAt }, id, createdAt));
  }
}

/** Removes a temporary program and everything that was created in it. */
export async function removeTemporaryProgram(
  table: Table,
  { id, name }: Program,
  tokens: readonly string[],
): Promise<void> {
  const conversion = { key: IDEMPOTENCY_KEY, route: routeKey(ROUTES.trackConversionV2) };
  const contents = { name, advocate: { slug: SLUG }, clickId: id, customer: CUSTOMER, conversion, tokens };
  await removeProgram(table, id, contents);
}

/** Removes the programs that earlier runs left behind, and returns their number. */
export async function removeLeftovers(table: Table): Promise<number> {
  const now = secondOf(table.clock());
  const leftovers = (await listPrograms(table)).filter((program) => isLeftover(program, now));
  for (const program of leftovers) await removeTemporaryProgram(table, program, []);
  return leftovers.length;
}

/** Returns true if the run that created the program has ended, here or on another machine. */
function isLeftover({ name, siteUrl, createdAt }: Program, now: Seconds): boolean {
  const [, pid, host] = NAME.exec(name) ?? [];
  if (pid === undefined || siteUrl !== SITE) return false;
  return createdAt + LIFE < now || (host === hostname() && !isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
