import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { FUNCTIONS } from '../../../functions/kernel/http/route.ts';
import { isUuidv7 } from '../../../functions/kernel/ids.ts';
import { type SecretStore, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import * as deletion from '../../../functions/operator/delete-program.ts';
import { disconnectStripe } from '../../../functions/stripe/http/connection.ts';
import { type AdminCommand, type CliContext, type ProgramOptions, UNKNOWN_PROGRAM } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderObject, withProgress } from '../output.ts';

/** The progress of work on each advocate. */
export const PROGRESS = '{bar} {value} of {total} advocates | {eta_formatted} left';
/** How long functions may use what they have cached, in milliseconds. */
const CACHED = 30_000;
/** The time limit of the functions that write referrals, advocates and tokens, in milliseconds. */
const UNDER_WAY = FUNCTIONS.tracking.timeout * 1000;
const STOPPED = 'The program is stopped. Its deletion starts in 30 seconds, when no function has it in its cache.\n';
const LIVE =
  'The program is live and has advocates, so it is not deleted. Only test programs and programs without advocates can be deleted.';

export function addDelete(program: AdminCommand, context: CliContext): void {
  program
    .programCommand('delete', 'delete a test program, or a live one without advocates, with everything in it')
    .remarks(
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

async function deleteWithSecrets(table: Table, id: string, context: CliContext): Promise<deletion.Deleted> {
  const { clock, pause, serviceAccess, errors } = context;
  const running = await findProgram(table, id);
  if (running?.mode === 'live' && (await deletion.hasAdvocates(table, id))) throw new Failure(LIVE);
  const program = running ?? (await deletion.findStoppedProgram(table, id));
  if (!program) return deletion.deleteProgram(table, id);
  // Before anything changes: without its secrets, the program could not be deleted.
  const { secrets } = await serviceAccess(table);
  const tokens = await deletion.stopProgram(table, id);
  errors.write(STOPPED);
  await pause(CACHED);
  await deleteSecrets(table, program, secrets);
  const deleted = await withProgress(PROGRESS, clock, (show) =>
    deletion.deleteProgram(table, id, { show, settle: () => pause(UNDER_WAY) }),
  );
  return { ...deleted, tokens: tokens + deleted.tokens };
}

/** Deletes the secrets while the webhooks still exist, by which a repetition finds the others. */
async function deleteSecrets(table: Table, program: Program, secrets: SecretStore): Promise<void> {
  await disconnectStripe({ table, secrets }, program);
  for (const webhook of await deletion.webhooksOf(table, program.id)) {
    const owner = webhookOwner(program.id, webhook);
    await secrets.remove(owner, await secrets.read(owner));
  }
}
