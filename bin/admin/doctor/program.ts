import { hostname } from 'node:os';
import { type Advocate, newAdvocate } from '../../../functions/domain/advocate.ts';
import { type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { newProgram, type Program } from '../../../functions/domain/program.ts';
import { type Milliseconds, type Seconds, secondOf, seconds } from '../../../functions/domain/time.ts';
import { makeToken } from '../../../functions/domain/token.ts';
import { ROUTES, routeKey } from '../../../functions/routes.ts';
import { createAdvocate } from '../../../functions/table/advocates.ts';
import { listPrograms } from '../../../functions/table/operator/lists.ts';
import { removeProgram } from '../../../functions/table/operator/remove-program.ts';
import { createToken } from '../../../functions/table/operator/tokens.ts';
import { createProgram } from '../../../functions/table/programs.ts';
import type { Table } from '../../../functions/table/table.ts';
import { isAlive } from '../../local/process.ts';

/** A program that nobody else has: all that is done in it touches no real program's lists or numbers. */
export interface ThrowAway {
  readonly program: Program;
  readonly advocate: Advocate;
  readonly programToken: string;
  readonly affiliateToken: string;
}

/** Names under `.invalid` lead nowhere (RFC 2606). */
const SITE = 'https://doctor.invalid/';
/** The name says which process is at work, so that another one can tell what was left behind. */
const NAME = /^Throw-away program of doctor, process (\d{1,10}) on (.*)$/;
const nameHere = () => `Throw-away program of doctor, process ${process.pid} on ${hostname()}`;

/** After this time the tokens end by themselves: no run takes so long. */
export const LIFE_MINUTES = 15;
const LIFE = LIFE_MINUTES * 60;

const SLUG = 'doctor';
export const CUSTOMER = { email: 'customer@doctor.invalid', uid: 'customer' } as const;
export const IDEMPOTENCY_KEY = 'doctor';

/** Makes it, but stores nothing. Advocate and click get the program's own id: who knows that one knows all. */
export function newThrowAway(now: Milliseconds, random: Random): ThrowAway {
  const id = uuidv7(now, random);
  const nothing = { uid: null, companyId: null, company: null, commissionPercentage: null };
  return {
    program: newProgram(
      {
        name: nameHere(),
        siteUrl: SITE,
        linkParameter: null,
        commissionPercentage: null,
        commissionMonths: null,
        attributionDays: 1,
        allowedOrigins: [],
      },
      id,
      secondOf(now),
    ),
    advocate: newAdvocate(
      { email: 'advocate@doctor.invalid', slug: SLUG, firstName: 'Doctor', lastName: null, ...nothing },
      id,
      secondOf(now),
    ),
    programToken: makeToken('program', random),
    affiliateToken: makeToken('affiliate', random),
  };
}

/** Stores program, advocate and tokens. */
export async function storeThrowAway(
  table: Table,
  { program, advocate, programToken, affiliateToken }: ThrowAway,
): Promise<void> {
  await createProgram(table, program);
  await createAdvocate(table, program.id, advocate);
  const { createdAt } = program;
  const record = { createdAt, expiresAt: seconds(createdAt + LIFE), revokedAt: null };
  const newId = () => uuidv7(table.clock(), table.random);
  await createToken(table, program, programToken, { ...record, id: newId(), kind: 'program', advocateSlug: null });
  await createToken(table, program, affiliateToken, { ...record, id: newId(), kind: 'affiliate', advocateSlug: SLUG });
}

/** Removes a throw-away program and all that was made in it. */
export async function removeThrowAway(table: Table, { id, name }: Program, tokens: readonly string[]): Promise<void> {
  const advocate = { slug: SLUG };
  const conversion = { key: IDEMPOTENCY_KEY, route: routeKey(ROUTES.trackConversionV2) };
  const parts = { name, advocate, clickId: id, customer: CUSTOMER, conversion, tokens };
  await removeProgram(table, id, parts);
}

/** Removes the throw-away programs that earlier runs left behind. Returns how many there were. */
export async function removeLeftBehind(table: Table): Promise<number> {
  const now = secondOf(table.clock());
  const programs = await listPrograms(table);
  const left = programs.filter((program) => isLeftBehind(program, now));
  for (const program of left) await removeThrowAway(table, program, []);
  return left.length;
}

/** True where the run that made it is over: one that still goes on, here or elsewhere, keeps what is its own. */
function isLeftBehind({ name, siteUrl, createdAt }: Program, now: Seconds): boolean {
  const [, pid, host] = NAME.exec(name) ?? [];
  if (pid === undefined || siteUrl !== SITE) return false;
  return createdAt + LIFE < now || (host === hostname() && !isAlive(Number(pid)));
}
