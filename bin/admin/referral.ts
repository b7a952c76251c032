import type { Command } from 'commander';
import { parseEmail } from '../../functions/domain/email.ts';
import { InvalidField, StateRefused } from '../../functions/domain/errors.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import { isAllowed, SETTABLE_STATES, type State } from '../../functions/domain/state.ts';
import type { Milliseconds } from '../../functions/domain/time.ts';
import { findAdvocate } from '../../functions/table/advocates.ts';
import { eraseReferral, setReferralState } from '../../functions/table/referral-changes.ts';
import type { Table } from '../../functions/table/table.ts';
import { Failure } from './errors.ts';
import { addReferralImport } from './import/referrals.ts';
import { programWith, type ReferralName, referralWith } from './lookup.ts';
import { examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { type Answer, answering, one } from './output.ts';
import { addReferralExport } from './referral-export.ts';
import { referralFacts, wholeReferral } from './referral-facts.ts';
import type { Session } from './session.ts';

interface ReferralOptions extends ProgramOptions {
  readonly email?: string;
  readonly id?: string;
}

interface StateOptions extends ReferralOptions {
  readonly state: string;
}

interface EraseOptions extends ProgramOptions {
  readonly email: string;
}

const EMAIL_OPTION = ['--email <address>', "the customer's e-mail address"] as const;
const ID_OPTION = ['--id <id>', 'id of the referral, in place of the e-mail address'] as const;

/** Adds all that an operator does with referrals. */
export function addReferralCommands(admin: Command, session: Session): void {
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

function addShow(referral: Command, { onTable, write }: Session): void {
  referral
    .command('show')
    .description('show a referral with its advocate and the history of its states')
    .requiredOption(...PROGRAM_OPTION)
    .option(...EMAIL_OPTION)
    .option(...ID_OPTION)
    .addHelpText(
      'after',
      examples(
        'referral show --program ID --email customer@example.com',
        'referral show --program ID --id REFERRAL_ID --json',
      ),
    )
    .action(
      answering(write, (options: ReferralOptions) => {
        const name = nameIn(options);
        return onTable(async (table, deadline) => {
          const program = await programWith(options.program, table, deadline);
          const found = await referralWith(name, program, table, deadline);
          const advocate = await findAdvocate(table, program.id, found.advocateSlug, deadline);
          return wholeReferral(program, found, advocate);
        });
      }),
    );
}

function addSetState(referral: Command, { onTable, write }: Session): void {
  referral
    .command('set-state')
    .description('bring a referral into another state, as the merchant does by the API')
    .requiredOption(...PROGRAM_OPTION)
    .option(...EMAIL_OPTION)
    .option(...ID_OPTION)
    .requiredOption('--state <state>', `one of ${SETTABLE_STATES.join(', ')}`)
    .addHelpText(
      'after',
      examples(
        'referral set-state --program ID --email customer@example.com --state paid',
        'referral set-state --program ID --id REFERRAL_ID --state rejected',
      ),
    )
    .action(
      answering(write, (options: StateOptions) => {
        const name = nameIn(options);
        const state = SETTABLE_STATES.find((candidate) => candidate === options.state);
        if (!state) throw new InvalidField('state', `must be one of ${SETTABLE_STATES.join(', ')}`);
        return onTable(async (table, deadline) => {
          const program = await programWith(options.program, table, deadline);
          const found = await referralWith(name, program, table, deadline);
          return one(referralFacts(await withState(found, state, program, table, deadline)));
        });
      }),
    );
}

async function withState(
  { id }: Referral,
  state: State,
  program: Program,
  table: Table,
  deadline: Milliseconds,
): Promise<Referral> {
  try {
    return await setReferralState(table, program.id, id, state, 'operator', deadline);
  } catch (error) {
    if (!(error instanceof StateRefused)) throw error;
    const present = await referralWith({ id }, program, table, deadline);
    const open = SETTABLE_STATES.filter((candidate) => isAllowed('setting', present, candidate));
    const next = open.length > 0 ? `only ${open.join(' or ')} can follow` : 'no other state can be set';
    throw new Failure(`The referral is ${present.state}: ${next}.`, { cause: error });
  }
}

function addErase(referral: Command, { onTable, write }: Session): void {
  referral
    .command('erase')
    .description('erase a person: e-mail and uid go, from every record; the state and its times stay')
    .requiredOption(...PROGRAM_OPTION)
    .requiredOption(...EMAIL_OPTION)
    .addHelpText('after', examples('referral erase --program ID --email customer@example.com'))
    .action(
      answering(write, (options: EraseOptions) => {
        const email = parseEmail('email', options.email);
        return onTable(async (table, deadline) => {
          const program = await programWith(options.program, table, deadline);
          const { id } = await referralWith({ email }, program, table, deadline);
          return erased(await eraseReferral(table, program.id, id, deadline));
        });
      }),
    );
}

/** Tells what a referral had before it was erased, but none of the values. */
function erased({ id, state, email, customerUid: uid, answerRecord }: Referral): Answer {
  const had = { email, uid, idempotency_record: answerRecord };
  const names = Object.entries(had).flatMap(([name, value]) => (value === null ? [] : [name]));
  return one({ id, state, erased: names });
}

/** The one of `--email` and `--id` that is given. Throws `InvalidField`. */
function nameIn({ email, id }: ReferralOptions): ReferralName {
  if (email !== undefined && id === undefined) return { email: parseEmail('email', email) };
  if (id !== undefined && email === undefined) return { id };
  throw new InvalidField('email or --id', 'must be given, and only one of them');
}
