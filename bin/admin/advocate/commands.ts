import { Option } from 'commander';
import { toAdvocate } from '../../../functions/advocates/mapping.ts';
import * as advocates from '../../../functions/domain/advocate.ts';
import { ADVOCATE_FIELDS } from '../../../functions/domain/advocate-fields.ts';
import { AdvocateErased, AdvocateNotFound, SlugTaken, UidTaken } from '../../../functions/domain/errors.ts';
import { attributesIn, checkInputs } from '../../../functions/domain/field-list.ts';
import { parseEmail, parseSlug } from '../../../functions/domain/fields.ts';
import { uuidv7 } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { createAdvocate, eraseAdvocate, findAdvocate, updateAdvocate } from '../../../functions/table/advocates.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { exportAdvocates, listAdvocates } from '../../../functions/table/operator/lists.ts';
import { countAll } from '../../../functions/table/operator/stats.ts';
import {
  type AdminCommand,
  assertAnyOption,
  type CliContext,
  decimal,
  jsonOrText,
  NEXT_LINE,
  type ProgramOptions,
  type ProgramWork,
  requireProgram,
} from '../cli.ts';
import { Failure } from '../errors.ts';
import { exportRows, FORMAT, FORMAT_REMARK, formatOf } from '../export.ts';
import { addAdvocateImport } from '../import/advocates.ts';
import { ADVOCATE_COLUMNS } from '../import/presets.ts';
import { renderList, renderObject } from '../output.ts';

type AdvocateOptions = { readonly advocate: string };
type ListOptions = { readonly email?: string; readonly uid?: string; readonly active?: string };
type OptionalField = keyof Omit<advocates.AdvocateFields, 'email' | 'slug'>;
type FieldOption = readonly [flags: string, description: string, parse?: (text: string) => unknown];

const COLUMNS = ['slug', 'email', 'first_name', 'last_name', 'uid', 'active', 'created_at'] as const;
const EMAIL = ['--email <address>', "the advocate's email"] as const;
const RATE = "own rate in percent, 0 to 100, instead of the program's";

/** The options of the optional fields. Their values are checked by the list of fields. */
const FIELD_OPTIONS: Readonly<Record<OptionalField, FieldOption>> = {
  firstName: ['--first-name <name>', 'first name'],
  lastName: ['--last-name <name>', 'last name'],
  uid: ['--uid <uid>', "the merchant's own id of the advocate, unique in the program"],
  companyId: ['--company-id <id>', "the merchant's id of the advocate's company"],
  company: ['--company <name>', "name of the advocate's company"],
  commissionPercentage: ['--commission-percentage <percent>', RATE, decimal],
  metadata: ['--metadata <json>', `fields of your own, such as '{"tier":"gold"}'`, jsonOrText],
};

/** Clicks use a cached advocate, but an inactive one is not cached (docs/contract/advocates.md). */
const TAKES_EFFECT = 'The change takes effect for conversions immediately, and for clicks within 30 seconds.';

const NO_ADVOCATES = 'The program has no advocates yet. Run `advocate create` to create one.';
const NONE_FOUND = 'No advocate matches. Run `advocate list` without filters to see all.';
const ERASED = 'Referrals and numbers stay under the slug. Tokens of the advocate are rejected within 30 seconds.';

/** Adds all commands for advocates. */
export function addAdvocateCommands(admin: AdminCommand, context: CliContext): void {
  const advocate = admin.command('advocate').description('advocates: the people who refer customers to a program');
  addCreate(advocate, context);
  addAdvocateImport(advocate, context);
  addExport(advocate, context);

  advocate
    .programCommand('list', 'list the advocates of a program, newest first')
    .option('--email <address>', 'only advocates with this email')
    .option('--uid <uid>', 'only the advocate with this uid')
    .addOption(new Option('--active <boolean>', 'only active or deactivated advocates').choices(['true', 'false']))
    .onProgram(({ email, uid, active }: ListOptions) => {
      const wanted = email === undefined ? undefined : parseEmail('email', email);
      const isWanted = (one: advocates.Advocate) =>
        (wanted === undefined || one.email === wanted) &&
        (uid === undefined || one.uid === uid) &&
        (active === undefined || String(one.active) === active);
      return async ({ program, table }) => {
        const rows = (await listAdvocates(table, program.id)).filter(isWanted).map(advocateFieldsIn(program));
        const isFiltered = [wanted, uid, active].some((filter) => filter !== undefined);
        return renderList(rows, COLUMNS, isFiltered ? NONE_FOUND : NO_ADVOCATES);
      };
    });

  advocateCommand(advocate, 'show', 'show an advocate, and how many clicks and referrals it has').onProgram(
    (options: AdvocateOptions) => {
      const slug = parseSlug('advocate', options.advocate);
      return async ({ program, table }) => {
        const fields = advocateFieldsIn(program)(await requireAdvocate(slug, program, table));
        const counts = await countAll(table, program.id, slug);
        return { json: { ...fields, counts }, text: renderObject(fields, counts).text };
      };
    },
  );

  addUpdate(advocate);
  advocateCommand(advocate, 'erase', 'erase the person: names, email and uid; the advocate is deactivated for good')
    .remarks(ERASED)
    .onProgram((options: AdvocateOptions) => {
      const slug = parseSlug('advocate', options.advocate);
      return async ({ program, table }) => {
        const advocate = await eraseAdvocate(table, program.id, slug).catch(explain);
        return renderObject(advocateFieldsIn(program)(advocate), {}, ERASED);
      };
    });
  for (const [verb, description, active, remark] of [
    ['deactivate', 'deactivate an advocate: new clicks and referrals are rejected', false, TAKES_EFFECT],
    ['activate', 'reactivate an advocate', true, 'The change takes effect immediately.'],
  ] as const) {
    advocateCommand(advocate, verb, description)
      .remarks(remark)
      .onProgram((options: AdvocateOptions) => updating(options, { active }, remark));
  }
}

function addCreate(advocate: AdminCommand, { clock, random }: CliContext): void {
  const command = advocate
    .programCommand('create', 'create an advocate')
    .requiredOption(...EMAIL)
    .option('--slug <slug>', 'name in links (default: generated from the names, or random)');
  withFields(command)
    .examples([
      `advocate create --program ID --email jane@example.com ${NEXT_LINE} --first-name Jane --last-name Doe`,
      `advocate create --program ID --email jane@example.com ${NEXT_LINE} --slug jane --uid 4711 --json`,
    ])
    .onProgram((options: Partial<advocates.AdvocateFields> & Pick<advocates.AdvocateFields, 'email'>) => {
      const now = clock();
      const draft = (program: Pick<Program, 'slugs'>) =>
        advocates.draftAdvocate({ ...advocates.EMPTY_ADVOCATE, ...options }, program, {
          id: uuidv7(now, random),
          now: secondOf(now),
          random,
        });
      // Checks the options before the table is read.
      draft({ slugs: 'names' });
      return async ({ program, table }) => {
        const { advocate, otherSlugs } = draft(program);
        const creation = createAdvocate(table, program.id, advocate, otherSlugs);
        return renderObject(advocateFieldsIn(program)(await creation.catch(explain)));
      };
    });
}

function addUpdate(advocate: AdminCommand): void {
  const command = withFields(advocateCommand(advocate, 'update', 'update an advocate').option(...EMAIL));
  for (const [flags] of Object.values(FIELD_OPTIONS)) {
    const [name = ''] = flags.slice('--'.length).split(' ');
    command.option(`--no-${name}`, `remove the ${name.replaceAll('-', ' ')}`);
  }
  command
    .examples(
      [
        `advocate update --program ID --advocate jane-doe ${NEXT_LINE} --email jane@example.com --uid 4711`,
        `advocate update --program ID --advocate jane-doe ${NEXT_LINE} --no-commission-percentage --json`,
      ],
      `A rate applies to referrals that are created from then on.
${TAKES_EFFECT}
The slug cannot be changed, because links contain it.`,
    )
    .onProgram((options: AdvocateOptions & Partial<Omit<advocates.AdvocateFields, 'slug'>>) => {
      const changes = checkInputs(ADVOCATE_FIELDS, options);
      assertAnyOption(changes);
      return updating(options, changes, TAKES_EFFECT);
    });
}

/** Adds the options that `advocate create` and `advocate update` share. */
function withFields(command: AdminCommand): AdminCommand {
  for (const [flags, description, parse = String] of Object.values(FIELD_OPTIONS)) {
    command.option(flags, description, parse);
  }
  return command;
}

/** Adds a command with the options `--program` and `--advocate`, whose earlier name is `--slug`. */
function advocateCommand(advocate: AdminCommand, name: string, description: string): AdminCommand {
  const command = advocate
    .programCommand(name, description)
    .requiredOption('--advocate <slug>', 'slug of the advocate');
  return command
    .addOption(new Option('--slug <slug>').hideHelp())
    .on('option:slug', (slug: string) => command.setOptionValue('slug', undefined).setOptionValue('advocate', slug));
}

/** Adds `advocate export`. */
function addExport(advocate: AdminCommand, context: CliContext): void {
  advocate
    .programCommand('export', 'write all advocates of a program, including erased ones, to standard output')
    .addOption(FORMAT)
    .examples(
      ['advocate export --program ID > advocates.csv', 'advocate export --program ID --format ndjson'],
      `${FORMAT_REMARK}, which
\`advocate import\` removes.`,
    )
    .action((options: ProgramOptions, command: AdminCommand) =>
      context.onTable(async (table) => {
        const program = await requireProgram(options.program, table);
        await exportRows(context, formatOf(command), ADVOCATE_COLUMNS, rowsIn(exportAdvocates(table, program.id)));
      }),
    );
}

async function* rowsIn(pages: AsyncIterable<readonly advocates.Advocate[]>) {
  for await (const page of pages) yield page.map((one) => attributesIn(ADVOCATE_FIELDS, 'file', one));
}

/** Returns the work that updates an advocate and renders it with a remark. */
function updating(options: AdvocateOptions, changes: advocates.AdvocateChanges, remark: string): ProgramWork {
  const slug = parseSlug('advocate', options.advocate);
  return async ({ program, table }) => {
    const updated = await updateAdvocate(table, program.id, slug, changes).catch(explain);
    return renderObject(advocateFieldsIn(program)(updated), {}, remark);
  };
}

/** Explains that an advocate does not exist, or that another one has its uid or slug. Throws other errors unchanged. */
function explain(error: unknown): never {
  if (error instanceof AdvocateNotFound) {
    throw new Failure(
      'No advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.',
    );
  }
  if (error instanceof AdvocateErased) throw new Failure(error.message);
  const field = error instanceof UidTaken ? 'uid' : error instanceof SlugTaken ? 'slug' : undefined;
  if (field === undefined) throw error;
  throw new Failure(`Another advocate of the program has this ${field}. Choose another --${field}.`);
}

/** Finds the advocate with the slug in `--advocate`. Throws `Failure` if the program has no such advocate. */
export async function requireAdvocate(slug: string, program: Program, table: Table): Promise<advocates.Advocate> {
  return (await findAdvocate(table, program.id, slug)) ?? explain(new AdvocateNotFound());
}

/** Returns a function that renders an advocate: its attributes in the API. */
export function advocateFieldsIn(program: Program) {
  const link = advocates.referralLinks(program);
  return (advocate: advocates.Advocate) => toAdvocate(program, link, advocate).attributes;
}
