import { Option } from 'commander';
import type { Advocate } from '../../functions/domain/advocate.ts';
import { ReferralNotFound, StateRefused } from '../../functions/domain/errors.ts';
import { MAX_UID, parseEmail, parseText } from '../../functions/domain/fields.ts';
import type { HistoryEntry } from '../../functions/domain/history.ts';
import { isUuidv7 } from '../../functions/domain/ids.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import { isAllowed, SETTABLE_STATES, type State } from '../../functions/domain/state.ts';
import { historyEntry } from '../../functions/http/referral.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import { findReferral, findReferralId } from '../../functions/table/customers.ts';
import { eraseReferral, setReferralState } from '../../functions/table/referrals.ts';
import type { Table } from '../../functions/table/table.ts';
import { advocateFieldsIn } from './advocate-fields.ts';
import type { AdminCommand, CliContext, ProgramOptions } from './cli.ts';
import { Failure, WrongUsage } from './errors.ts';
import { addReferralImport } from './import/referrals.ts';
import { requireProgram } from './lookup.ts';
import { type Rendered, renderList, renderObject, withOutput } from './output.ts';
import { addReferralExport, referralFields } from './referral-export.ts';

interface ReferralOptions extends ProgramOptions {
  readonly email?: string;
  readonly uid?: string;
  readonly id?: string;
}

/** Work on the referral that the options identify. */
type Work = (referral: Referral, program: Program, table: Table) => Promise<Rendered>;

/** Adds all commands for referrals. */
export function addReferralCommands(admin: AdminCommand, context: CliContext): void {
  const referral = admin
    .command('referral')
    .description('referrals: the customers referred by advocates, and the clicks on referral links')
    .examples(['referral show --program ID --email customer@example.com', 'referral import --help']);

  addCommand(referral, 'show', 'show a referral with its advocate and the history of its states').action(
    withOutput(context.output, (options: ReferralOptions) =>
      onReferral(context, options, async (found, program, table) => {
        const advocate = await findAdvocate(table, program.id, found.advocateSlug);
        return referralDetails(program, found, advocate);
      }),
    ),
  );

  addCommand(referral, 'set-state', 'set the state of a referral, as the merchant does through the API', 'paid')
    .addOption(new Option('--state <state>', 'new state').choices(SETTABLE_STATES).makeOptionMandatory())
    .action(
      withOutput(context.output, ({ state, ...options }: ReferralOptions & { state: State }) =>
        onReferral(context, options, async (found, program, table) => {
          try {
            const changed = await setReferralState(table, program.id, found.id, state, 'operator');
            return renderObject(referralFields(changed));
          } catch (error) {
            if (!(error instanceof StateRefused)) throw error;
            // The state may have changed since it was read.
            throw stateFailure((await findReferral(table, program.id, found.id)) ?? found, error);
          }
        }),
      ),
    );

  const description = 'erase a person: delete the email and the uid from every record; the state and its times stay';
  addCommand(referral, 'erase', description).action(
    withOutput(context.output, (options: ReferralOptions) =>
      onReferral(context, options, async ({ id }, program, table) =>
        erasedFields(await eraseReferral(table, program.id, id, 'operator')),
      ),
    ),
  );

  addReferralImport(referral, context);
  addReferralExport(referral, context);
}

/** Adds a command for one referral, identified by exactly one of three options. */
function addCommand(referral: AdminCommand, verb: string, description: string, state?: string): AdminCommand {
  const calls = ['--email customer@example.com', '--uid customer-4711', '--id REFERRAL_ID'].map(
    (option) => `referral ${verb} --program ID ${option}${state ? ` --state ${state}` : ''}`,
  );
  return referral
    .command(verb)
    .description(description)
    .program()
    .addOption(new Option('--email <address>', "the customer's email").conflicts(['uid', 'id']))
    .addOption(new Option('--uid <uid>', "the merchant's own id of the customer").conflicts('id'))
    .option('--id <id>', 'id of the referral')
    .examples(calls, 'Give exactly one of --email, --uid and --id.');
}

/** Runs `work` on the referral with the `--email`, `--uid` or `--id`. Throws `Failure` if it does not exist. */
async function onReferral({ onTable }: CliContext, options: ReferralOptions, work: Work): Promise<Rendered> {
  const option = (['email', 'uid', 'id'] as const).find((name) => options[name] !== undefined);
  if (!option) throw new WrongUsage('--email, --uid or --id is required. Give exactly one of them.');
  const email = options.email === undefined ? null : parseEmail('email', options.email);
  const uid = options.uid === undefined ? null : parseText('uid', options.uid, MAX_UID);
  return onTable(async (table) => {
    const program = await requireProgram(options.program, table);
    try {
      const id = options.id?.toLowerCase() ?? (await findReferralId(table, program.id, { id: null, email, uid }));
      // Invalid ids are not looked up, because DynamoDB limits the length of keys.
      const found = isUuidv7(id) ? await findReferral(table, program.id, id) : undefined;
      if (!found) throw new ReferralNotFound();
      return await work(found, program, table);
    } catch (error) {
      if (!(error instanceof ReferralNotFound)) throw error;
      const problem = `No referral of the program has the ${option} in --${option}.`;
      throw new Failure(`${problem} Run \`referral export\` to list all referrals.`, { cause: error });
    }
  });
}

/** Explains that a state cannot be set, and lists the states that can. */
function stateFailure(referral: Referral, cause: StateRefused): Failure {
  const next = SETTABLE_STATES.filter((candidate) => isAllowed('update', referral, candidate));
  const advice = next.length > 0 ? `Set it to ${next.join(' or ')} instead` : 'No other state can be set';
  return new Failure(`The referral is ${referral.state}, and this state cannot follow. ${advice}.`, { cause });
}

/** Renders a referral with its advocate and the history of its states. */
function referralDetails(program: Program, referral: Referral, found: Advocate | undefined): Rendered {
  const fields = referralFields(referral);
  const advocate = found ? advocateFieldsIn(program)(found) : null;
  const history = referral.history.map(historyEntry);
  const more = {
    advocate_email: advocate?.email ?? null,
    advocate_name: [advocate?.first_name, advocate?.last_name].filter(Boolean).join(' ') || null,
  };
  return {
    json: { ...fields, advocate, history },
    text: (width) =>
      [renderObject(fields, more), renderList(referral.history.map(historyRow), ['change', 'set_at', 'by'], '')]
        .map(({ text }) => text(width))
        .join('\n'),
  };
}

/** Renders the names of the erased fields, but none of their values. */
function erasedFields({ id, state, email, customerUid: uid, idempotencyRecord }: Referral): Rendered {
  const erasable = { email, uid, idempotency_record: idempotencyRecord };
  const names = Object.entries(erasable).flatMap(([name, value]) => (value === null ? [] : [name]));
  // The idempotency record is internal: people see only the customer's fields.
  const { text } = renderObject({ id, state, erased: names.filter((name) => name !== 'idempotency_record') });
  return { json: { id, state, erased: names }, text };
}

/** Renders an entry of the history for people. */
function historyRow(entry: HistoryEntry) {
  const { setAt: set_at, by } = entry;
  switch (entry.type) {
    case 'state':
      return { change: entry.state, set_at, by };
    case 'reassignment':
      return { change: `moved from ${entry.from} to ${entry.to}`, set_at, by };
    case 'erasure':
      return { change: 'erased', set_at, by };
  }
}
