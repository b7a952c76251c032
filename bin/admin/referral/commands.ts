import { Option } from 'commander';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { ReferralNotFound } from '../../../functions/domain/errors.ts';
import { namesSet } from '../../../functions/domain/field-list.ts';
import { MAX_UID, parseEmail, parseText } from '../../../functions/domain/fields.ts';
import { isUuidv7 } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { HistoryEntry } from '../../../functions/domain/referral/history.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { REFERRAL_FIELDS } from '../../../functions/domain/referral/referral-fields.ts';
import { SETTABLE_STATES, type State } from '../../../functions/domain/referral/state.ts';
import { toHistoryEntry } from '../../../functions/http/referral.ts';
import { findAdvocate } from '../../../functions/table/advocates.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { lookUpReferral } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/table/referrals/referrals.ts';
import { advocateFieldsIn } from '../advocate/commands.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramWork, slugOf } from '../cli.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { addReferralImport } from '../import/referrals.ts';
import { type Rendered, renderList, renderObject } from '../output.ts';
import { addReferralExport, addReferralList, merchantFields } from './lists.ts';

type ReferralOptions = Partial<Record<'email' | 'uid' | 'id', string>>;

type Work = (referral: Referral, program: Program, table: Table) => Promise<Rendered>;

export function addReferralCommands(admin: AdminCommand, context: CliContext): void {
  const referral = admin
    .command('referral')
    .description('referrals: the customers referred by advocates, and the clicks on referral links');

  addReferralList(referral);
  referralCommand(referral, 'show', 'show a referral with its advocate, its flags and its history').onProgram(
    (options: ReferralOptions) =>
      onReferral(options, async (found, program, table) => {
        const advocate = await findAdvocate(table, program.id, found.advocateSlug);
        return referralDetails(program, found, advocate);
      }),
  );

  const setting = 'set the state of a referral, as the merchant does through the API';
  referralCommand(referral, 'set-state', setting, `${NEXT_LINE} --state paid`)
    .addOption(new Option('--state <state>', 'new state').choices(SETTABLE_STATES).makeOptionMandatory())
    .onProgram(({ state, ...options }: ReferralOptions & { state: State }) =>
      onReferral(options, async (found, program, table) => {
        const changed = await setReferralState(table, program.id, found.id, { state, actor: 'operator' });
        return renderObject(merchantFields(changed));
      }),
    );

  const reassigning = "move a referral to another advocate, at that advocate's rate; its state and its times stay";
  referralCommand(referral, 'reassign', reassigning, `${NEXT_LINE} --advocate jane-doe`)
    .requiredOption('--advocate <slug>', 'slug of the new advocate', slugOf)
    .onProgram(({ advocate: slug, ...options }: ReferralOptions & { advocate: string }) =>
      onReferral(options, async ({ id }, program, table) => {
        const reference = { id, email: null, uid: null };
        const moved = await reassignReferral(table, program, reference, { slug, actor: 'operator' });
        return renderObject(merchantFields(moved));
      }),
    );

  const erasing = 'erase a person: delete email, uid and flags from every record; the state and its times stay';
  referralCommand(referral, 'erase', erasing).onProgram((options: ReferralOptions) =>
    onReferral(
      options,
      async ({ id }, program, table) => {
        const { state, ...fields } = await eraseReferral(table, program.id, id, 'operator');
        const erased = namesSet(REFERRAL_FIELDS, 'personal', fields);
        // The idempotency record is internal: people see only the customer's fields.
        const { text } = renderObject({ id, state, erased: erased.filter((name) => name !== 'idempotency_record') });
        return { json: { id, state, erased }, text };
      },
      ', or the person was erased already',
    ),
  );

  addReferralImport(referral, context);
  addReferralExport(referral, context);
}

function referralCommand(referral: AdminCommand, verb: string, description: string, option = ''): AdminCommand {
  const calls = ['--email customer@example.com', '--uid customer-4711', '--id REFERRAL_ID'].map((customer) =>
    `referral ${verb} --program ID ${customer} ${option}`.trimEnd(),
  );
  return referral
    .programCommand(verb, description)
    .addOption(new Option('--email <address>', "the customer's email").conflicts(['uid', 'id']))
    .addOption(new Option('--uid <uid>', "the merchant's own id of the customer").conflicts('id'))
    .option('--id <id>', 'id of the referral')
    .examples(calls, 'Give exactly one of --email, --uid and --id.');
}

/** Returns `work` on the referral that the options identify. `otherReason` is why an email or a uid may be unknown. */
function onReferral(options: ReferralOptions, work: Work, otherReason = ''): ProgramWork {
  const option = (['email', 'uid', 'id'] as const).find((name) => options[name] !== undefined);
  if (!option) throw new InvalidArguments('--email, --uid or --id is required. Give exactly one of them.');
  const reference = {
    email: options.email === undefined ? null : parseEmail('email', options.email),
    uid: options.uid === undefined ? null : parseText('uid', options.uid, MAX_UID),
    id: options.id?.toLowerCase() ?? null,
  };
  return async ({ program, table }) => {
    try {
      // Invalid ids are not looked up, because DynamoDB limits the length of keys.
      if (reference.id !== null && !isUuidv7(reference.id)) throw new ReferralNotFound();
      return await work(await lookUpReferral(table, program.id, reference), program, table);
    } catch (error) {
      if (!(error instanceof ReferralNotFound)) throw error;
      // An erased referral still has its id.
      const reason = option === 'id' ? '' : otherReason;
      const problem = `No referral of the program has the ${option} in --${option}${reason}.`;
      throw new Failure(`${problem} Run \`referral export\` to list all referrals.`, { cause: error });
    }
  };
}

function referralDetails(program: Program, referral: Referral, found: Advocate | undefined): Rendered {
  const fields = merchantFields(referral);
  const advocate = found ? advocateFieldsIn(program)(found) : null;
  const more = {
    advocate_email: advocate?.email ?? null,
    advocate_name: [advocate?.first_name, advocate?.last_name].filter(Boolean).join(' ') || null,
  };
  const history = renderList(referral.history.map(historyRow), ['change', 'set_at', 'by'], '');
  return {
    json: { ...fields, advocate, history: referral.history.map(toHistoryEntry) },
    text: (width) => `${renderObject(fields, more).text(width)}\n${history.text(width)}`,
  };
}

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
