import { isUuidv7 } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { disconnectStripe } from '../../../functions/integrations/stripe/connection.ts';
import { FUNCTIONS } from '../../../functions/routes.ts';
import { type SecretStore, webhookOwner } from '../../../functions/secrets/secrets.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import {
  type Deleted,
  deleteProgram,
  findStoppedProgram,
  hasAdvocates,
  stopProgram,
  webhooksOf,
} from '../../../functions/table/operator/delete-program.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { type AdminCommand, type CliContext, PROGRAM, type ProgramOptions, UNKNOWN_PROGRAM } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderObject, withProgress } from '../output.ts';

/** How long functions may use what they have cached, in milliseconds. */
const CACHED = 30_000;
/** The time limit of the functions that write referrals, advocates and tokens, in milliseconds. */
const UNDER_WAY = FUNCTIONS.tracking.timeout * 1000;
const PROGRESS = '{bar} {value} of {total} advocates | {eta_formatted} left';
const STOPPED = 'The program is stopped. Its deletion starts in 30 seconds, when no function has it in its cache.\n';
const LIVE =
  'The program is live and has advocates, so it is not deleted. Only test programs and programs without advocates can be deleted.';

/** Adds `program delete`. */
export function addDelete(program: AdminCommand, context: CliContext): void {
  program
    .command('delete')
    .description('delete a test program, or a live one without advocates, with everything in it')
    .requiredOption(...PROGRAM)
    .examples(
      ['program delete --program ID', 'program delete --program ID --json'],
      `The program stops immediately: its tokens are revoked and its public key is unknown. This cannot be
undone. If the command is interrupted, run it again. Statistics of the last changes may be counted
afterwards: a second call removes them.`,
    )
    .prints(async ({ program: text }: ProgramOptions) => {
      const id = text.toLowerCase();
      if (!isUuidv7(id)) throw new Failure(UNKNOWN_PROGRAM);
      const deleted = await context.onTable((table) => deleteWithSecrets(table, id, context));
      return { ...renderObject({ ...deleted }), json: { deleted } };
    });
}

async function deleteWithSecrets(table: Table, id: string, context: CliContext): Promise<Deleted> {
  const { clock, pause, serviceAccess, errors } = context;
  const running = await findProgram(table, id);
  if (running?.mode === 'live' && (await hasAdvocates(table, id))) throw new Failure(LIVE);
  const program = running ?? (await findStoppedProgram(table, id));
  if (!program) return deleteProgram(table, id);
  // Before anything changes: without its secrets, the program could not be deleted.
  const { secrets } = await serviceAccess(table);
  const tokens = await stopProgram(table, id);
  errors.write(STOPPED);
  await pause(CACHED);
  await deleteSecrets(table, program, secrets);
  const deleted = await withProgress(PROGRESS, clock, (show) =>
    deleteProgram(table, id, { show, settle: () => pause(UNDER_WAY) }),
  );
  return { ...deleted, tokens: tokens + deleted.tokens };
}

/** Deletes the secrets while the webhooks still exist, by which a repetition finds the others. */
async function deleteSecrets(table: Table, program: Program, secrets: SecretStore): Promise<void> {
  await disconnectStripe({ table, secrets }, program);
  for (const webhook of await webhooksOf(table, program.id)) {
    const owner = webhookOwner(program.id, webhook);
    await secrets.remove(owner, await secrets.read(owner));
  }
}
