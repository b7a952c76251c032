import type { Command } from 'commander';
import { parseSlug } from '../../functions/domain/fields.ts';
import { secondOf } from '../../functions/domain/time.ts';
import { setAdvocateActive } from '../../functions/table/advocates.ts';
import { listAdvocates } from '../../functions/table/operator/lists.ts';
import { addAdvocateCreate } from './advocate-create.ts';
import { advocateFieldsIn } from './advocate-fields.ts';
import type { CliContext } from './context.ts';
import { addAdvocateImport } from './import/advocates.ts';
import { advocateWith, programWith } from './lookup.ts';
import { examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { many, one, withOutput } from './output.ts';

interface AdvocateOptions extends ProgramOptions {
  readonly slug: string;
}

/** Adds all that an operator does with advocates. */
export function addAdvocateCommands(admin: Command, session: CliContext): void {
  const advocate = admin
    .command('advocate')
    .description('advocates: the affiliates of a program')
    .addHelpText('after', examples('advocate list --program ID', 'advocate create --help', 'advocate import --help'));
  addAdvocateCreate(advocate, session);
  addAdvocateImport(advocate, session);
  addList(advocate, session);
  addSwitch(advocate, session, 'deactivate', 'end new clicks and referrals of an advocate', false);
  addSwitch(advocate, session, 'activate', 'take a deactivation back', true);
}

function addList(advocate: Command, { onTable, write }: CliContext): void {
  advocate
    .command('list')
    .description('list the advocates of a program, newest first')
    .requiredOption(...PROGRAM_OPTION)
    .addHelpText('after', examples('advocate list --program ID', 'advocate list --program ID --json'))
    .action(
      withOutput(write, (options: ProgramOptions) =>
        onTable(async (table) => {
          const program = await programWith(options.program, table);
          const advocates = await listAdvocates(table, program.id);
          return many(
            advocates.map(advocateFieldsIn(program)),
            ['slug', 'email', 'first_name', 'last_name', 'uid', 'active', 'created_at'],
            'The program has no advocates yet: advocate create makes one.',
          );
        }),
      ),
    );
}

function addSwitch(
  advocate: Command,
  { clock, onTable, write }: CliContext,
  verb: string,
  description: string,
  active: boolean,
): void {
  advocate
    .command(verb)
    .description(description)
    .requiredOption(...PROGRAM_OPTION)
    .requiredOption('--slug <slug>', "the advocate's name in links")
    .addHelpText('after', examples(`advocate ${verb} --program ID --slug jane-doe`))
    .action(
      withOutput(write, (options: AdvocateOptions) => {
        const slug = parseSlug('slug', options.slug);
        return onTable(async (table) => {
          const program = await programWith(options.program, table);
          const found = await advocateWith(slug, '--slug', program, table);
          const now = secondOf(clock());
          const changed = await setAdvocateActive(table, program.id, found, active, now);
          return one(advocateFieldsIn(program)(changed));
        });
      }),
    );
}
