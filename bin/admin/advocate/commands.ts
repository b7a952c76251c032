import {
  type Advocate,
  type AdvocateFields,
  draftAdvocate,
  EMPTY_ADVOCATE,
} from '../../../functions/domain/advocate.ts';
import { SlugTaken, UidTaken } from '../../../functions/domain/errors.ts';
import { parseSlug } from '../../../functions/domain/fields.ts';
import { uuidv7 } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { createAdvocate } from '../../../functions/table/advocates.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { countAll } from '../../../functions/table/operator/stats.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, PROGRAM, type ProgramOptions } from '../cli.ts';
import { addAdvocateImport } from '../import/advocates.ts';
import { requireAdvocate, requireProgram } from '../lookup.ts';
import { renderList, renderObject, withOutput } from '../output.ts';
import { addAdvocateChanges } from './changes.ts';
import { type AdvocateOptions, advocateFieldsIn, fieldTaken, withAdvocate, withFields } from './fields.ts';

type CreateOptions = ProgramOptions & Partial<AdvocateFields> & Pick<AdvocateFields, 'email'>;

/** Adds all commands for advocates. */
export function addAdvocateCommands(admin: AdminCommand, context: CliContext): void {
  const advocate = admin
    .command('advocate')
    .description('advocates: the people who refer customers to a program')
    .examples(['advocate list --program ID', 'advocate create --help', 'advocate import --help']);
  addCreate(advocate, context);
  addAdvocateImport(advocate, context);
  addList(advocate, context);
  addShow(advocate, context);
  addAdvocateChanges(advocate, context);
}

function addShow(advocate: AdminCommand, { onTable, output }: CliContext): void {
  withAdvocate(advocate.command('show').description('show an advocate, and how many clicks and referrals it has'))
    .examples([
      'advocate show --program ID --advocate jane-doe',
      'advocate show --program ID --advocate jane-doe --json',
    ])
    .action(
      withOutput(output, (options: AdvocateOptions) => {
        const slug = parseSlug('advocate', options.advocate);
        return onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const fields = advocateFieldsIn(program)(await requireAdvocate(slug, program, table));
          const counts = await countAll(table, program.id, slug);
          return { json: { ...fields, counts }, text: renderObject(fields, counts).text };
        });
      }),
    );
}

function addCreate(advocate: AdminCommand, { clock, random, onTable, output }: CliContext): void {
  withFields(
    advocate
      .command('create')
      .description('create an advocate')
      .requiredOption(...PROGRAM)
      .requiredOption('--email <address>', "the advocate's email")
      .option('--slug <slug>', 'name in links (default: generated from the names, or random)'),
  )
    .examples([
      `advocate create --program ID --email jane@example.com ${NEXT_LINE} --first-name Jane --last-name Doe`,
      `advocate create --program ID --email jane@example.com ${NEXT_LINE} --slug jane --uid 4711 --json`,
    ])
    .action(
      withOutput(output, (options: CreateOptions) => {
        const now = clock();
        const fields = { ...EMPTY_ADVOCATE, ...options };
        const { advocate, otherSlugs } = draftAdvocate(fields, uuidv7(now, random), secondOf(now), random);
        return onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          return renderObject(advocateFieldsIn(program)(await create(table, program, advocate, otherSlugs)));
        });
      }),
    );
}

/** Stores an advocate under its slug or the first free one of the others. Throws `Failure` if uid or slugs are taken. */
async function create(table: Table, program: Program, advocate: Advocate, otherSlugs: readonly string[]) {
  try {
    return await createAdvocate(table, program.id, advocate, otherSlugs);
  } catch (error) {
    if (error instanceof UidTaken) throw fieldTaken('uid');
    if (error instanceof SlugTaken) throw fieldTaken('slug');
    throw error;
  }
}

function addList(advocate: AdminCommand, { onTable, output }: CliContext): void {
  advocate
    .command('list')
    .description('list the advocates of a program, newest first')
    .requiredOption(...PROGRAM)
    .examples(['advocate list --program ID', 'advocate list --program ID --json'])
    .action(
      withOutput(output, (options: ProgramOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const advocates = await listAdvocates(table, program.id);
          return renderList(
            advocates.map(advocateFieldsIn(program)),
            ['slug', 'email', 'first_name', 'last_name', 'uid', 'active', 'created_at'],
            'The program has no advocates yet. Run `advocate create` to create one.',
          );
        }),
      ),
    );
}
