import type { Command } from 'commander';
import { InvalidField, StateRefused } from '../../functions/domain/errors.ts';
import { MAX_UID, parseEmail, parseText } from '../../functions/domain/fields.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import { isAllowed, SETTABLE_STATES, type State } from '../../functions/domain/state.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import { eraseReferral, setReferralState } from '../../functions/table/referrals.ts';
import type { Table } from '../../functions/table/table.ts';
import type { CliContext } from './context.ts';
import { Failure } from './errors.ts';
import { addReferralImport } from './import/referrals.ts';
import { programWith, type ReferralName, referralWith } from './lookup.ts';
import { examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { type Answer, one, withOutput } from './output.ts';
import { addReferralExport } from './referral-export.ts';
import { referralDetails, referralFields } from './referral-fields.ts';

interface ReferralOptions extends ProgramOptions {
  readonly email?: string;
  readonly uid?: string;
  readonly id?: string;
}

interface StateOptions extends ReferralOptions {
  readonly state: string;
}

const EMAIL_OPTION = ['--email <address>', "the customer's email"] as const;
const UID_OPTION = ['--uid <uid>', "the merchant's own id of the customer, instead of the email"] as const;
const ID_OPTION = ['--id <id>', 'id of the referral, instead of the email'] as const;

/** Adds all that an operator does with referrals. */
export function addReferralCommands(admin: Command, session: CliContext): void {
  const referral = admin
    .command('referral')
    .description('referrals: the customers whom advocates brought, and the clicks on their links')
    .addHelpText(
      'after',
      examples('referral show --program ID --email customer@example.com', 'referral import --help'),
    );
  addShow(referral, session);
  addSetState(referral, session);
  addErase(referral, session);
  addReferralImport(referral, session);
  addReferralExport(referral, session);
}

/** Adds a command for one referral, which exactly one of its options identifies. */
function addCommand(referral: Command, verb: string, description: string): Command {
  return referral
    .command(verb)
    .description(description)
    .requiredOption(...PROGRAM_OPTION)
    .option(...EMAIL_OPTION)
    .option(...UID_OPTION)
    .option(...ID_OPTION);
}

function addShow(referral: Command, { onTable, write }: CliContext): void {
  addCommand(referral, 'show', 'show a referral with its advocate and the history of its states')
    .addHelpText(
      'after',
      examples(
        'referral show --program ID --email customer@example.com',
        'referral show --program ID --uid customer-4711',
        'referral show --program ID --id REFERRAL_ID --json',
      ),
    )
    .action(
      withOutput(write, (options: ReferralOptions) => {
        const name = nameIn(options);
        return onTable(async (table) => {
          const program = await programWith(options.program, table);
          const found = await referralWith(name, program, table);
          const advocate = await findAdvocate(table, program.id, found.advocateSlug);
          return referralDetails(program, found, advocate);
        });
      }),
    );
}

function addSetState(referral: Command, { onTable, write }: CliContext): void {
  addCommand(referral, 'set-state', 'set the state of a referral, as the merchant does through the API')
    .requiredOption('--state <state>', `one of ${SETTABLE_STATES.join(', ')}`)
    .addHelpText(
      'after',
      examples(
        'referral set-state --program ID --email customer@example.com --state paid',
        'referral set-state --program ID --uid customer-4711 --state churned',
        'referral set-state --program ID --id REFERRAL_ID --state rejected',
      ),
    )
    .action(
      withOutput(write, (options: StateOptions) => {
        const name = nameIn(options);
        const state = SETTABLE_STATES.find((candidate) => candidate === options.state);
        if (!state) throw new InvalidField('state', `must be one of ${SETTABLE_STATES.join(', ')}`);
        return onTable(async (table) => {
          const program = await programWith(options.program, table);
          const found = await referralWith(name, program, table);
          return one(referralFields(await withState(found, state, program, table)));
        });
      }),
    );
}

async function withState({ id }: Referral, state: State, program: Program, table: Table): Promise<Referral> {
  try {
    return await setReferralState(table, program.id, id, state, 'operator');
  } catch (error) {
    if (!(error instanceof StateRefused)) throw error;
    const present = await referralWith({ option: 'id', value: id }, program, table);
    const open = SETTABLE_STATES.filter((candidate) => isAllowed('update', present, candidate));
    const next = open.length > 0 ? `only ${open.join(' or ')} can follow` : 'no other state can be set';
    throw new Failure(`The referral is ${present.state}: ${next}.`, { cause: error });
  }
}

function addErase(referral: Command, { onTable, write }: CliContext): void {
  const description = 'erase a person: delete the email and the uid from every record; the state and its times stay';
  addCommand(referral, 'erase', description)
    .addHelpText(
      'after',
      examples(
        'referral erase --program ID --email customer@example.com',
        'referral erase --program ID --uid customer-4711',
        'referral erase --program ID --id REFERRAL_ID',
      ),
    )
    .action(
      withOutput(write, (options: ReferralOptions) => {
        const name = nameIn(options);
        return onTable(async (table) => {
          const program = await programWith(options.program, table);
          const { id } = await referralWith(name, program, table);
          return erased(await eraseReferral(table, program.id, id));
        });
      }),
    );
}

/** Tells what a referral had before it was erased, but none of the values. */
function erased({ id, state, email, customerUid: uid, idempotencyRecord }: Referral): Answer {
  const had = { email, uid, idempotency_record: idempotencyRecord };
  const names = Object.entries(had).flatMap(([name, value]) => (value === null ? [] : [name]));
  return one({ id, state, erased: names });
}

/** The one of `--email`, `--uid` and `--id` that is given. Throws `InvalidField`. */
function nameIn(options: ReferralOptions): ReferralName {
  const given = (['email', 'uid', 'id'] as const).flatMap((option) => {
    const value = options[option];
    return value === undefined ? [] : [{ option, value }];
  });
  const [name, ...others] = given;
  if (!name || others.length > 0) {
    throw new InvalidField('email, --uid or --id', 'is required: give exactly one of them');
  }
  return { option: name.option, value: checkedValue(name) };
}

function checkedValue({ option, value }: ReferralName): string {
  switch (option) {
    case 'email':
      return parseEmail('email', value);
    case 'uid':
      return parseText('uid', value, MAX_UID);
    case 'id':
      return value;
  }
}
