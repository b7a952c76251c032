import type { Advocate } from '../../functions/domain/advocate.ts';
import { isUuidv7 } from '../../functions/domain/ids.ts';
import type { Program } from '../../functions/domain/program.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import type { Table } from '../../functions/table/dynamodb/table.ts';
import { findProgram } from '../../functions/table/programs.ts';
import { Failure } from './errors.ts';

/** Finds the program with the id in `--program`. Throws `Failure` if it does not exist. */
export async function requireProgram(id: string, table: Table): Promise<Program> {
  const lower = id.toLowerCase();
  // Invalid ids are not looked up, because DynamoDB limits the length of keys.
  const program = isUuidv7(lower) ? await findProgram(table, lower) : undefined;
  if (!program) throw new Failure('No program has the id in --program. Run `program list` to see all programs.');
  return program;
}

/** Finds the advocate with the slug in `--advocate`. Throws `Failure` if the program has no such advocate. */
export async function requireAdvocate(slug: string, program: Program, table: Table): Promise<Advocate> {
  const advocate = await findAdvocate(table, program.id, slug);
  if (!advocate) throw advocateUnknown();
  return advocate;
}

/** The failure of a command whose advocate does not exist. */
export function advocateUnknown(): Failure {
  return new Failure(
    'No advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.',
  );
}
