import { hostname } from 'node:os';
import { newAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { createAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { EMPTY_ADVOCATE } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { EMAIL_CHOICES } from '../../../functions/kernel/accounts/rules/email-choices.ts';
import { newProgram, type Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { hashToken, makeToken, newToken } from '../../../functions/kernel/accounts/rules/token.ts';
import { createProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { createToken } from '../../../functions/kernel/accounts/table/tokens.ts';
import { batchGet, type Table } from '../../../functions/kernel/dynamodb/table.ts';
import { type Random, uuidv7 } from '../../../functions/kernel/ids.ts';
import { listPrograms } from '../../../functions/kernel/operator/lists.ts';
import { type Milliseconds, type Seconds, secondOf, seconds } from '../../../functions/kernel/time.ts';
import { deleteProgram, stopProgram } from '../../../functions/operator/delete-program.ts';
import { claimedId, claimKeys } from '../../../functions/referrals/table/customers.ts';
import { statisticsDifferences } from '../../../functions/statistics/operator/statistics.ts';
import type { CliContext } from '../cli.ts';

type Pause = CliContext['pause'];

/** A wait for statistics, which programs can share. */
interface Wait {
  readonly pause: Pause;
  readonly end: number;
}

export type TemporaryProgram = ReturnType<typeof newTemporaryProgram>;

/** Names under `.invalid` never resolve (RFC 2606). */
const SITE = 'https://doctor.invalid/';
/** Identifies the process, so that a later run recognizes the program of a killed run. */
const NAME = /^Temporary program of doctor, process (\d{1,10}) on (.*)$/;

/** The tokens expire after this time, which is longer than any run. */
export const LIFE_MINUTES = 15;
const LIFE = LIFE_MINUTES * 60;

/** How long a removal waits until the statistics are counted, in minutes. On AWS, that usually takes at most two. */
const COUNTED_MINUTES = 3;
/** The pauses between two looks at the statistics double between these limits, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

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
    commissionPercentage: 0,
  };
  const advocate = { ...EMPTY_ADVOCATE, email: 'advocate@doctor.invalid', slug: SLUG, firstName: 'Doctor' };
  return {
    program: newProgram(program, id, secondOf(now)),
    // No email goes to an address that does not exist.
    advocate: { ...newAdvocate(advocate, id, secondOf(now)), emailsOff: EMAIL_CHOICES },
    programToken: makeToken('program', random),
    affiliateToken: makeToken('affiliate', random),
  };
}

export async function storeTemporaryProgram(
  table: Table,
  { program, advocate, programToken, affiliateToken }: TemporaryProgram,
): Promise<void> {
  await createProgram(table, program);
  await createAdvocate(table, program.id, advocate);
  const { createdAt } = program;
  const expiresAt = seconds(createdAt + LIFE);
  for (const [secret, owner] of [
    [programToken, null],
    [affiliateToken, advocate],
  ] as const) {
    const id = uuidv7(table.clock(), table.random);
    await createToken(table, program, secret, newToken({ advocate: owner, expiresAt }, id, createdAt));
  }
}

/** Removes a temporary program, once its statistics are counted. Returns advice if they are not counted in time. */
export async function removeTemporaryProgram(
  table: Table,
  program: Pick<Program, 'id' | 'createdAt'>,
  tokens: readonly string[],
  wait: Wait,
): Promise<string | undefined> {
  const { id } = program;
  const isCounted = await waitUntilCounted(table, program, wait);
  const claims = (await batchGet(table, claimKeys(id, CUSTOMER))).filter((claim) => claim !== undefined);
  // A conversion that did not find its click created a referral with another id.
  const referrals = [...new Set([id, ...claims.map(claimedId)])];
  const recent = { slugs: [SLUG], referrals, tokenHashes: tokens.map(hashToken) };
  await stopProgram(table, id, recent);
  await deleteProgram(table, id, { recent });
  if (isCounted) return undefined;
  return `The statistics of the program ${id} were not counted within ${COUNTED_MINUTES} minutes. Check the log of the function statistics, then run program delete --program ${id}: it deletes statistics that were counted later.`;
}

export function newWait(table: Table, pause: Pause): Wait {
  return { pause, end: table.clock() + COUNTED_MINUTES * 60_000 };
}

/** Returns false if a change is not counted in time. Numbers that are too high are counted: a removal was interrupted. */
async function waitUntilCounted(
  table: Table,
  program: Pick<Program, 'id' | 'createdAt'>,
  { pause, end }: Wait,
): Promise<boolean> {
  for (let duration = FIRST_PAUSE; ; duration = Math.min(2 * duration, LONGEST_PAUSE)) {
    const differences = await statisticsDifferences(table, program);
    if (differences.every(({ stored, computed }) => stored > computed)) return true;
    if (table.clock() >= end) return false;
    await pause(duration);
  }
}

/** Removes the programs of runs that have ended. Returns their number, and advice on them. */
export async function removeLeftovers(table: Table, pause: Pause): Promise<{ count: number; advice: string[] }> {
  const now = secondOf(table.clock());
  const programs = [...(await listPrograms(table)), ...(await listPrograms(table, { stopped: true }))];
  const leftovers = programs.filter((program) => isLeftover(program, now));
  // While the first one waits, the others are counted as well.
  const wait = newWait(table, pause);
  const advice: string[] = [];
  for (const program of leftovers) {
    const late = await removeTemporaryProgram(table, program, [], wait);
    if (late !== undefined) advice.push(late);
  }
  return { count: leftovers.length, advice };
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
