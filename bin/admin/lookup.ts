import type { Advocate } from '../../functions/domain/advocate.ts';
import { ReferralNotFound } from '../../functions/domain/errors.ts';
import { isUuidv7 } from '../../functions/domain/ids.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Customer, Referral } from '../../functions/domain/referral.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import { findProgram } from '../../functions/table/programs.ts';
import { findReferral, findReferralId } from '../../functions/table/referrals.ts';
import type { Table } from '../../functions/table/table.ts';
import { Failure } from './errors.ts';

/** The program that `--program` names. Throws `Failure` where there is none. */
export async function programWith(id: string, table: Table): Promise<Program> {
  const known = id.toLowerCase();
  // Invalid ids are not looked up: a key of DynamoDB has a maximum length.
  const program = isUuidv7(known) ? await findProgram(table, known) : undefined;
  if (!program) throw new Failure('There is no program with the id in --program: program list shows them all.');
  return program;
}

/** The advocate with a slug, which `option` gave. Throws `Failure` where there is none. */
export async function advocateWith(slug: string, option: string, program: Program, table: Table): Promise<Advocate> {
  const advocate = await findAdvocate(table, program.id, slug);
  if (!advocate) {
    throw new Failure(`The program has no advocate with the slug in ${option}: advocate list shows them all.`);
  }
  return advocate;
}

/** How an operator identifies a referral: an option of the command line and its checked value. */
export interface ReferralName {
  readonly option: 'email' | 'uid' | 'id';
  readonly value: string;
}

/** The referral that `--email`, `--uid` or `--id` identifies. Throws `Failure` if the program has no such referral. */
export async function referralWith(name: ReferralName, program: Program, table: Table): Promise<Referral> {
  const id = await referralIdOf(name, program, table);
  const referral = id === undefined ? undefined : await findReferral(table, program.id, id);
  if (!referral) {
    throw new Failure(
      `The program has no referral with the ${name.option} in --${name.option}. Run referral export to list all referrals.`,
    );
  }
  return referral;
}

async function referralIdOf(
  { option, value }: ReferralName,
  program: Program,
  table: Table,
): Promise<string | undefined> {
  switch (option) {
    case 'email':
      return idOfCustomer({ email: value, uid: null }, program, table);
    case 'uid':
      return idOfCustomer({ email: null, uid: value }, program, table);
    case 'id': {
      // Invalid ids are not looked up: a key of DynamoDB has a maximum length.
      const id = value.toLowerCase();
      return isUuidv7(id) ? id : undefined;
    }
  }
}

async function idOfCustomer(customer: Customer, program: Program, table: Table): Promise<string | undefined> {
  try {
    return await findReferralId(table, program.id, customer);
  } catch (error) {
    if (error instanceof ReferralNotFound) return undefined;
    throw error;
  }
}
