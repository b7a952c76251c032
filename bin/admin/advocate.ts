import { advocateV2 } from '../../functions/advocates/mapping.ts';
import { type Advocate, type AdvocateFields, draftAdvocate, referralLinks } from '../../functions/domain/advocate.ts';
import { SlugTaken, UidTaken } from '../../functions/domain/errors.ts';
import { parseSlug } from '../../functions/domain/fields.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import type { Program } from '../../functions/domain/program.ts';
import { secondOf } from '../../functions/domain/time.ts';
import { createAdvocate, updateAdvocate } from '../../functions/table/advocates.ts';
import { listAdvocates } from '../../functions/table/operator/lists.ts';
import type { Table } from '../../functions/table/table.ts';
import { type AdminCommand, type CliContext, decimal, type ProgramOptions } from './cli.ts';
import { Failure } from './errors.ts';
import { addAdvocateImport } from './import/advocates.ts';
import { requireAdvocate, requireProgram } from './lookup.ts';
import { renderList, renderObject, withOutput } from './output.ts';

type CreateOptions = ProgramOptions & Partial<AdvocateFields> & Pick<AdvocateFields, 'email'>;

/** Values for the options that were not given. */
const EMPTY = {
  firstName: null,
  lastName: null,
  slug: null,
  uid: null,
  companyId: null,
  company: null,
  commissionPercentage: null,
} as const;

/** Adds all commands for advocates. */
export function addAdvocateCommands(admin: AdminCommand, context: CliContext): void {
  const advocate = admin
    .command('advocate')
    .description('advocates: the people who refer customers to a program')
    .examples(['advocate list --program ID', 'advocate create --help', 'advocate import --help']);
  addCreate(advocate, context);
  addAdvocateImport(advocate, context);
  addList(advocate, context);

  const { onTable, output } = context;
  for (const [verb, description, active] of [
    ['deactivate', 'deactivate an advocate: new clicks and referrals are rejected', false],
    ['activate', 'reactivate an advocate', true],
  ] as const) {
    advocate
      .command(verb)
      .description(description)
      .program()
      .requiredOption('--slug <slug>', "the advocate's name in links")
      .examples([`advocate ${verb} --program ID --slug jane-doe`])
      .action(
        withOutput(output, (options: ProgramOptions & { slug: string }) => {
          const slug = parseSlug('slug', options.slug);
          return onTable(async (table) => {
            const program = await requireProgram(options.program, table);
            const found = await requireAdvocate(slug, '--slug', program, table);
            const changed = await updateAdvocate(table, program.id, found.slug, { active });
            return renderObject(advocateFieldsIn(program)(changed));
          });
        }),
      );
  }
}

function addCreate(advocate: AdminCommand, { clock, random, onTable, output }: CliContext): void {
  advocate
    .command('create')
    .description('create an advocate')
    .program()
    .requiredOption('--email <address>', "the advocate's email")
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--slug <slug>', 'name in links (default: generated from the names, or random)')
    .option('--uid <uid>', "the merchant's own id of the advocate, unique in the program")
    .option('--company-id <id>', "the merchant's id of the advocate's company")
    .option('--company <name>', "name of the advocate's company")
    .option('--commission-percentage <percent>', "own rate in percent, 0 to 100 (default: the program's)", decimal)
    .examples([
      'advocate create --program ID --email jane@example.com --first-name Jane --last-name Doe',
      'advocate create --program ID --email jane@example.com --slug jane --uid 4711 --json',
    ])
    .action(
      withOutput(output, (options: CreateOptions) => {
        const now = clock();
        const fields = { ...EMPTY, ...options };
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

function fieldTaken(field: 'slug' | 'uid'): Failure {
  return new Failure(`Another advocate of the program has this ${field}. Choose another --${field}.`);
}

function addList(advocate: AdminCommand, { onTable, output }: CliContext): void {
  advocate
    .command('list')
    .description('list the advocates of a program, newest first')
    .program()
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

/** Returns a function that renders an advocate: its attributes in the API. */
export function advocateFieldsIn(program: Program) {
  const link = referralLinks(program);
  return (advocate: Advocate) => advocateV2(program, link, advocate).attributes;
}
