import { Option } from 'commander';
import { shownRules } from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../../../functions/kernel/accounts/rules/commission-rules-id.ts';
import { newProgram, type Program, type ProgramFields } from '../../../functions/kernel/accounts/rules/program.ts';
import { PROGRAM_FIELDS, PROGRAM_MODES } from '../../../functions/kernel/accounts/rules/program-fields.ts';
import { assertOneForm } from '../../../functions/kernel/accounts/rules/terms.ts';
import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { rulesOf, storeRules } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { createProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { parseDayRange } from '../../../functions/kernel/days.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import type { Amounts } from '../../../functions/kernel/fields/amounts.ts';
import { attributesIn, checkInputs } from '../../../functions/kernel/fields/field-list.ts';
import { parseEmail } from '../../../functions/kernel/fields/fields.ts';
import { uuidv7 } from '../../../functions/kernel/ids.ts';
import { listAdvocates, listPrograms } from '../../../functions/kernel/operator/lists.ts';
import { secondOf } from '../../../functions/kernel/time.ts';
import { inUnits } from '../../../functions/ledger/rules/units.ts';
import { createMember } from '../../../functions/people/table/members.ts';
import { updateProgram } from '../../../functions/program/table/program-changes.ts';
import { type AdvocateCounts, countEach } from '../../../functions/referrals/operator/stats.ts';
import { sumOf } from '../../../functions/referrals/rules/counts.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import { NO_DAYS, statisticsOf } from '../../../functions/statistics/rules/statistics.ts';
import { readDaily } from '../../../functions/statistics/table/sums.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramOptions, readLine } from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { HOW_TO_SIGN_IN } from '../member.ts';
import * as option from '../options.ts';
import { type Rendered, renderList, renderObject, withProgress } from '../output.ts';
import { sentenceOf } from '../terms/groups.ts';
import { addDelete, PROGRESS } from './delete.ts';
import { type FieldOptions, fieldsOf, withFields } from './fields.ts';

type NewProgramOptions = Pick<ProgramFields, 'name' | 'siteUrl'> &
  Partial<Pick<ProgramFields, 'mode'>> & { readonly owner?: string };

const programFields = (program: Program) => attributesIn(PROGRAM_FIELDS, 'admin', program);

/** Amounts as a text, in units of their currencies; `null` for none. */
const amountsText = (amounts: Amounts) =>
  Object.entries(amounts)
    .map(([currency, amount]) => `${inUnits(amount, currency)} ${currency}`)
    .join(', ') || null;

/** The fields of a program with its rules. In a text, rules and amounts are words. */
async function withRules(table: Table, program: Program) {
  const fields = programFields(program);
  const rules = await rulesOf(table, program.id, program);
  return {
    json: { ...fields, commission_rules: rules && shownRules(rules) },
    text: {
      ...fields,
      minimum_payout: amountsText(fields.minimum_payout),
      commission_rules: rules && sentenceOf(rules),
    },
  };
}

async function renderProgram(table: Table, program: Program, remark?: string): Promise<Rendered> {
  const { json, text } = await withRules(table, program);
  return { json, text: renderObject(text, {}, remark).text };
}

const COLUMNS = ['id', 'name', 'site_url', 'commission_percentage', 'commission_rules', 'created_at'] as const;
const NO_PROGRAMS = 'There are no programs yet. Run `program create` to create one.';
const MODE =
  "which payments of Stripe count: real ones, or payments in Stripe's test mode; never changes (default: live)";
const RATE_QUESTION = 'Commission rate in percent, such as 20, or 0 if advocates earn nothing by default: ';

export function addProgramCommands(admin: AdminCommand, context: CliContext): void {
  const { clock, random, onTable, errors } = context;
  const program = admin.command('program').description('affiliate programs; each belongs to one merchant');

  withFields(program.command('create').description('create a program'))
    .addOption(new Option('--mode <mode>', MODE).choices(PROGRAM_MODES))
    .option('--owner <address>', 'email of the first member, who may do everything', (text) =>
      parseEmail('owner', text),
    )
    .examples([
      `program create --name "Example Shop" --site-url https://shop.example ${NEXT_LINE} --commission-percentage 20`,
      `program create --name "Example Shop" --site-url https://shop.example ${NEXT_LINE} --commission-percentage 20 --commission-months 12 --json`,
      `program create --name "Example Shop" --site-url https://shop.example ${NEXT_LINE} --commission-percentage 20 --owner sam@example.com`,
    ])
    .prints(async ({ name, siteUrl, mode = 'live', owner, ...options }: FieldOptions & NewProgramOptions) => {
      const { commissionRules = null, ...others } = fieldsOf(options);
      const asked = options.commissionRules === undefined ? () => askForRate(context) : () => null;
      const commissionPercentage = others.commissionPercentage ?? (await asked());
      const now = clock();
      const rulesId = commissionRules && commissionRulesId(commissionRules);
      const fields = { name, siteUrl, mode, ...others, commissionPercentage, commissionRulesId: rulesId };
      const created = newProgram(fields, uuidv7(now, random), secondOf(now));
      return onTable(async (table) => {
        if (commissionRules) await storeRules(table, created.id, commissionRules);
        await createProgram(table, created);
        if (owner === undefined) return renderProgram(table, created);
        await createMember(table, created.id, { email: owner, name: null, scopes: SCOPES });
        return renderProgram(table, created, HOW_TO_SIGN_IN);
      });
    });

  program
    .command('list')
    .description('list all programs, newest first')
    .prints(async () => {
      const [rows, stopped] = await onTable(async (table) => {
        const [programs, stopped] = await Promise.all([listPrograms(table), listPrograms(table, { stopped: true })]);
        return [await Promise.all(programs.map((each) => withRules(table, each))), stopped];
      });
      for (const { id } of stopped)
        errors.write(`The deletion of ${id} was interrupted. Run \`program delete\` again.\n`);
      const { text } = renderList(
        rows.map((row) => row.text),
        COLUMNS,
        NO_PROGRAMS,
      );
      return { json: rows.map((row) => row.json), text };
    });

  program.programCommand('show', 'show a program').onProgram(
    () =>
      async ({ program, table }) =>
        renderProgram(table, program),
  );

  addUpdate(program);
  addDelete(program, context);
  addStats(program, context);
}

/** Asks for the rate: without one, payments earn nothing. Throws `InvalidArguments` if nobody can answer. */
async function askForRate(context: CliContext): Promise<number> {
  if (context.input.isTTY) return option.decimal(await readLine(context, RATE_QUESTION));
  throw new InvalidArguments(
    '--commission-percentage is required without a terminal. Pass for example --commission-percentage 20, or 0 if advocates earn nothing by default.',
  );
}

function addUpdate(program: AdminCommand): void {
  withFields(program.programCommand('update', 'update a program'))
    .option('--payout-name <name>', 'name of the account from which advocates are paid by bank')
    .option('--payout-iban <iban>', 'IBAN of this account')
    .option('--no-minimum-payout', 'no minimum')
    .option('--no-payout-day', 'no day')
    .option('--no-accent', 'no color')
    .option('--no-payout-name', 'no name')
    .option('--no-payout-iban', 'no IBAN')
    .option('--no-commission-percentage', 'no commission rate')
    .option('--no-commission-months', 'no commission end')
    .option('--no-commission-rules', 'no commission rules')
    .addOption(new Option('--no-allowed-origins', 'clear allowed origins').conflicts('allowedOrigin'))
    .examples(
      [
        'program update --program ID --commission-percentage 25',
        `program update --program ID --allowed-origin https://shop.example ${NEXT_LINE} --allowed-origin https://www.shop.example`,
        'program update --program ID --no-commission-months --json',
      ],
      `--allowed-origin and --minimum-payout replace the whole list. The change takes effect within 30 seconds. Rates apply to
clicks and referrals that are created from then on, months to later conversions, and days to later
clicks. A new site or parameter changes the links that the service returns. Published links keep the
old ones: redirect the old site, and keep the old parameter in data-parameters of the script.`,
    )
    .onProgram(({ program: _, ...options }: FieldOptions & ProgramOptions) => {
      const fields = fieldsOf(options);
      option.assertAny(fields);
      const { commissionRules, ...others } = fields;
      assertOneForm(others, commissionRules);
      checkInputs(PROGRAM_FIELDS, others);
      return async ({ program, table }) => {
        const updated = await updateProgram(table, program.id, fields);
        return renderProgram(table, updated, 'The change takes effect within 30 seconds.');
      };
    });
}

function addStats(program: AdminCommand, { clock }: CliContext): void {
  const description = 'count the clicks and referrals of a program and of each advocate, by their current state';
  option
    .addRange(program.programCommand('stats', description), 'created')
    .examples(
      [
        'program stats --program ID',
        `program stats --program ID --created-after 2026-01-31T00:00:00Z ${NEXT_LINE} --created-before 2026-02-28T00:00:00Z --json`,
      ],
      `Advocates with the most paid referrals come first.
${option.TIME_RANGE}`,
    )
    .onProgram((options: Partial<Record<'createdAfter' | 'createdBefore', string>>) => {
      const createdAt = option.range('created', options.createdAfter, options.createdBefore);
      return async ({ program: { id }, table }) => {
        const slugs = (await listAdvocates(table, id)).map(({ slug }) => slug);
        const advocates = await withProgress(PROGRESS, clock, async (show) => {
          const counted: AdvocateCounts[] = [];
          for await (const advocate of countEach(table, id, slugs, createdAt)) {
            show(counted.push(advocate), slugs.length);
          }
          return counted.sort((one, other) => other.counts.paid - one.counts.paid || (one.slug < other.slug ? -1 : 1));
        });
        const total = sumOf(advocates);
        const rows = advocates.map(({ slug, counts }) => ({ slug, ...counts }));
        const range = parseDayRange(undefined, undefined, secondOf(clock()));
        const [daily = NO_DAYS] = await readDaily(table, id, [null], range);
        const funnel = renderObject(statisticsOf(daily, range, 'day').total.numbers);
        const byAdvocate = renderList(rows, ['slug', ...STATES], 'The program has no advocates yet.');
        return {
          json: { program: id, total, advocates: rows },
          text: (width) =>
            [
              'What happened in the last 30 days (UTC):',
              funnel.text(width),
              'Referrals and clicks by their current state:',
              renderObject(total).text(width),
              byAdvocate.text(width),
            ].join('\n'),
        };
      };
    });
}
