import type { Advocate } from '../../functions/domain/advocate.ts';
import { ReferralNotFound } from '../../functions/domain/errors.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import type { Milliseconds } from '../../functions/domain/time.ts';
import { isUuidv7 } from '../../functions/domain/uuid.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import { findProgram } from '../../functions/table/programs.ts';
import { findReferral, findReferralId } from '../../functions/table/referrals.ts';
import type { Table } from '../../functions/table/table.ts';
import { Failure } from './errors.ts';

/** The program that `--program` names. Throws `Failure` where there is none. */
export async function programWith(id: string, table: Table, deadline: Milliseconds): Promise<Program> {
  const known = id.toLowerCase();
  // What is no id is not looked up: DynamoDB takes no key of any length.
  const program = isUuidv7(known) ? await findProgram(table, known, deadline) : undefined;
  if (!program)
    throw new Failure('There is no program with the id in --program: program list shows them all.');
  return program;
}

/** The advocate with a slug, which `option` gave. Throws `Failure` where there is none. */
export async function advocateWith(
  slug: string,
  option: string,
  program: Program,
  table: Table,
  deadline: Milliseconds,
): Promise<Advocate> {
  const advocate = await findAdvocate(table, program.id, slug, deadline);
  if (!advocate) {
    throw new Failure(
      `The program has no advocate with the slug in ${option}: advocate list shows them all.`,
    );
  }
  return advocate;
}

/** What an operator names a referral by. */
export type ReferralName = { readonly email: string } | { readonly id: string };

/** The referral that `--email` or `--id` names. Throws `Failure` where there is none. */
export async function referralWith(
  name: ReferralName,
  program: Program,
  table: Table,
  deadline: Milliseconds,
): Promise<Referral> {
  const id = 'id' in name ? name.id.toLowerCase() : await idWithEmail(name.email, program, table, deadline);
  const referral =
    id !== undefined && isUuidv7(id) ? await findReferral(table, program.id, id, deadline) : undefined;
  if (!referral) {
    const wanted = 'id' in name ? 'id in --id' : 'e-mail in --email';
    throw new Failure(`The program has no referral with the ${wanted}: referral export shows them all.`);
  }
  return referral;
}

async function idWithEmail(
  email: string,
  program: Program,
  table: Table,
  deadline: Milliseconds,
): Promise<string | undefined> {
  try {
    return await findReferralId(table, program.id, { email, uid: null }, deadline);
  } catch (error) {
    if (error instanceof ReferralNotFound) return undefined;
    throw error;
  }
}
