import { Option } from 'commander';
import { toAdvocate } from '../../../functions/advocates/http/mapping.ts';
import { type IndexedEmails, indexEmails } from '../../../functions/advocates/operator/index-emails.ts';
import { type AdvocateChanges, draftAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { createAdvocate, eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { codePages, readStoredCodes } from '../../../functions/codes/table/read-codes.ts';
import {
  type Advocate,
  type AdvocateFields,
  EMPTY_ADVOCATE,
  referralLinks,
} from '../../../functions/kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import { parseGroupName } from '../../../functions/kernel/accounts/rules/group.ts';
import type { PayoutAccount } from '../../../functions/kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { assertGroup } from '../../../functions/kernel/accounts/table/groups.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { AdvocateNotFound } from '../../../functions/kernel/errors.ts';
import { attributesIn, checkInputs } from '../../../functions/kernel/fields/field-list.ts';
import { parseEmail } from '../../../functions/kernel/fields/fields.ts';
import { uuidv7 } from '../../../functions/kernel/ids.ts';
import { exportAdvocates, listAdvocates } from '../../../functions/kernel/operator/lists.ts';
import { secondOf } from '../../../functions/kernel/time.ts';
import { inviteAdvocate } from '../../../functions/people/table/invitations.ts';
import { countAll } from '../../../functions/referrals/operator/stats.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramWork } from '../cli.ts';
import { FORMAT_REMARK, mapPages, writesRows } from '../export.ts';
import { ADVOCATE_COLUMNS } from '../import/presets.ts';
import * as option from '../options.ts';
import { renderList, renderObject, withProgress } from '../output.ts';
import { addAdvocateImport } from './import.ts';

type AdvocateOptions = { readonly advocate: string };
type ListOptions = { readonly email?: string; readonly uid?: string; readonly active?: string };
/** Payout accounts come from an import or over the API only. */
type OptionalField = keyof Omit<AdvocateFields, 'email' | 'slug' | keyof PayoutAccount>;
type FieldOption = readonly [flags: string, description: string, parse?: (text: string) => unknown];

const COLUMNS = ['slug', 'email', 'first_name', 'last_name', 'uid', 'active', 'created_at'] as const;
const EMAIL = ['--email <address>', "the advocate's email"] as const;
const RATE = "own rate in percent, 0 to 100, instead of the program's";

const FIELD_OPTIONS: Readonly<Record<OptionalField, FieldOption>> = {
  firstName: ['--first-name <name>', 'first name'],
  lastName: ['--last-name <name>', 'last name'],
  uid: ['--uid <uid>', "the merchant's own id of the advocate, unique in the program"],
  companyId: ['--company-id <id>', "the merchant's id of the advocate's company"],
  company: ['--company <name>', "name of the advocate's company"],
  commissionPercentage: ['--commission-percentage <percent>', RATE, option.decimal],
  group: ['--group <name>', 'group whose terms apply', (text) => parseGroupName('group', text)],
  metadata: ['--metadata <json>', `fields of your own, such as '{"tier":"gold"}'`, option.jsonOrText],
};

/** Clicks use a cached advocate, but an inactive one is not cached (docs/contract/advocates.md). */
const TAKES_EFFECT = 'The change takes effect for conversions immediately, and for clicks within 30 seconds.';

const NO_ADVOCATES = 'The program has no advocates yet. Run `advocate create` to create one.';
const NONE_FOUND = 'No advocate matches. Run `advocate list` without filters to see all.';
/** What follows an approval and an invitation. */
export const LINK_IS_SENT =
  'With emails=on, the advocate gets an email with its link and how to sign in, unless it got one today. Locally, see the page /outbox.';
const ERASED = 'Referrals and numbers stay under the slug. Tokens of the advocate are rejected within 30 seconds.';

export function addAdvocateCommands(admin: AdminCommand, context: CliContext): void {
  const advocate = admin.command('advocate').description('advocates: the people who refer customers to a program');
  addCreate(advocate, context);
  addAdvocateImport(advocate, context);
  addExport(advocate, context);
  addIndex(advocate, context);

  advocate
    .programCommand('list', 'list the advocates of a program, newest first')
    .option('--email <address>', 'only advocates with this email', (text) => parseEmail('email', text))
    .option('--uid <uid>', 'only the advocate with this uid')
    .addOption(new Option('--active <boolean>', 'only active or deactivated advocates').choices(['true', 'false']))
    .onProgram(({ email, uid, active }: ListOptions) => {
      const isWanted = (one: Advocate) =>
        (email === undefined || one.email === email) &&
        (uid === undefined || one.uid === uid) &&
        (active === undefined || String(one.active) === active);
      return async ({ program, table }) => {
        const rows = (await listAdvocates(table, program.id)).filter(isWanted).map(advocateFieldsIn(program));
        const isFiltered = [email, uid, active].some((filter) => filter !== undefined);
        return renderList(rows, COLUMNS, isFiltered ? NONE_FOUND : NO_ADVOCATES);
      };
    });

  advocateCommand(advocate, 'show', 'show an advocate, and how many clicks and referrals it has').onProgram(
    ({ advocate: slug }: AdvocateOptions) =>
      async ({ program, table }) => {
        const fields = advocateFieldsIn(program)(await requireAdvocate(slug, program, table));
        const counts = await countAll(table, program.id, slug);
        return { json: { ...fields, counts }, text: renderObject(fields, counts).text };
      },
  );

  addUpdate(advocate);
  advocateCommand(advocate, 'erase', 'erase the person: names, email and uid; the advocate is deactivated for good')
    .remarks(ERASED)
    .onProgram(({ advocate: slug }: AdvocateOptions) => async ({ program, table }) => {
      const erased = await eraseAdvocate(table, program.id, slug);
      return renderObject(advocateFieldsIn(program)(erased), {}, ERASED);
    });
  advocateCommand(advocate, 'invite', 'send an advocate its link and how to sign in, at most once in 24 hours')
    .remarks(LINK_IS_SENT)
    .onProgram(({ advocate: slug }: AdvocateOptions) => async ({ program, table }) => {
      const invited = await inviteAdvocate(table, program.id, slug);
      return renderObject(advocateFieldsIn(program)(invited), {}, LINK_IS_SENT);
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
  const command = advocate.programCommand('create', 'create an advocate').requiredOption(...EMAIL);
  withNewFields(command)
    .examples([
      `advocate create --program ID --email jane@example.com ${NEXT_LINE} --first-name Jane --last-name Doe`,
      `advocate create --program ID --email jane@example.com ${NEXT_LINE} --slug jane --uid 4711 --json`,
    ])
    .onProgram((options: Partial<AdvocateFields> & Pick<AdvocateFields, 'email'>) => {
      const now = clock();
      const draft = (program: Pick<Program, 'slugs'>) =>
        draftAdvocate({ ...EMPTY_ADVOCATE, ...options }, program, {
          id: uuidv7(now, random),
          now: secondOf(now),
          random,
        });
      // Checks the options before the table is read.
      draft({ slugs: 'names' });
      return async ({ program, table }) => {
        await assertGroup(table, program.id, options.group);
        const { advocate, otherSlugs } = draft(program);
        return renderObject(
          advocateFieldsIn(program)(await createAdvocate(table, program.id, advocate, { otherSlugs })),
        );
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
    .onProgram((options: AdvocateOptions & Partial<Omit<AdvocateFields, 'slug'>>) => {
      const changes = checkInputs(ADVOCATE_FIELDS, options);
      option.assertAny(changes);
      return updating(options, changes, TAKES_EFFECT);
    });
}

/** Adds the optional fields of a new advocate. */
export const withNewFields = (command: AdminCommand): AdminCommand =>
  withFields(command.option('--slug <slug>', 'name in links (default: generated from the names, or random)'));

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
    .requiredOption('--advocate <slug>', 'slug of the advocate', option.slug);
  return command
    .addOption(new Option('--slug <slug>').hideHelp())
    .on('option:slug', (text: string) =>
      command.setOptionValue('slug', undefined).setOptionValue('advocate', option.slug(text)),
    );
}

function addExport(advocate: AdminCommand, context: CliContext): void {
  const command = advocate
    .programCommand('export', 'write all advocates of a program, including erased ones, to standard output')
    .examples(
      ['advocate export --program ID > advocates.csv', 'advocate export --program ID --format ndjson'],
      `${FORMAT_REMARK}, which
\`advocate import\` removes.`,
    );
  writesRows(
    command,
    context,
    ADVOCATE_COLUMNS,
    () =>
      async ({ program, table }) =>
        mapPages(exportAdvocates(table, program.id), await rowOfAdvocate(table, program.id)),
  );
}

function addIndex(advocate: AdminCommand, { clock }: CliContext): void {
  advocate
    .programCommand('index', 'make advocates from before an update findable by their emails')
    .remarks('Advocates who are not findable by email cannot sign in. The command can be interrupted and repeated.')
    .onProgram(() => async ({ program, table }) => {
      const numbers = await withProgress('{value} advocates', clock, async (show) => {
        let last: IndexedEmails = { read: 0, indexed: 0 };
        for await (last of indexEmails(table, program.id)) show(last.read, last.read);
        return last;
      });
      return renderObject({ ...numbers });
    });
}

/** Returns a function that builds the row of an advocate with its promotion codes, as an import reads them. */
async function rowOfAdvocate(table: Table, program: string) {
  const bySlug = new Map<string, string[]>();
  for await (const page of codePages(table, program, readStoredCodes)) {
    for (const { code, advocateSlug, active, promotionCodeId } of page) {
      const text = [active ? code : `!${code}`, ...(promotionCodeId === null ? [] : [promotionCodeId])].join('=');
      bySlug.set(advocateSlug, [...(bySlug.get(advocateSlug) ?? []), text]);
    }
  }
  return (one: Advocate) => ({
    ...attributesIn(ADVOCATE_FIELDS, 'file', one),
    codes: bySlug.get(one.slug) ?? [],
  });
}

function updating({ advocate: slug }: AdvocateOptions, changes: AdvocateChanges, remark: string): ProgramWork {
  return async ({ program, table }) => {
    await assertGroup(table, program.id, changes.group);
    const updated = await updateAdvocate(table, program.id, slug, changes);
    return renderObject(advocateFieldsIn(program)(updated), {}, remark);
  };
}

export async function requireAdvocate(slug: string, program: Program, table: Table): Promise<Advocate> {
  const found = await findAdvocate(table, program.id, slug);
  if (!found) throw new AdvocateNotFound();
  return found;
}

export function advocateFieldsIn(program: Program) {
  const link = referralLinks(program);
  return (advocate: Advocate) => toAdvocate(program, link, advocate).attributes;
}
