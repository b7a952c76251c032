import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Milliseconds } from '../../functions/domain/time.ts';
import { UUIDV7_PATTERN } from '../../functions/domain/uuid.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import { findProgram } from '../../functions/table/programs.ts';
import type { Table } from '../../functions/table/table.ts';
import { Failure } from './errors.ts';

const PROGRAM_ID = new RegExp(`^${UUIDV7_PATTERN}$`);

/** The program that `--program` names. Throws `Failure` where there is none. */
export async function programWith(id: string, table: Table, deadline: Milliseconds): Promise<Program> {
  const known = id.toLowerCase();
  // What is no id is not looked up: DynamoDB takes no key of any length.
  const program = PROGRAM_ID.test(known) ? await findProgram(table, known, deadline) : undefined;
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
