import { Option } from 'commander';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { attributesIn, namesIn } from '../../../functions/kernel/fields/field-list.ts';
import { secondOf } from '../../../functions/kernel/time.ts';
import { toEntry } from '../../../functions/ledger/http/entry.ts';
import { toStatement } from '../../../functions/ledger/http/reads/mapping.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import { exportEntries, type LedgerFilters, newestEntries } from '../../../functions/ledger/operator/ledger-export.ts';
import { readStatement, statementsOf } from '../../../functions/ledger/operator/payouts.ts';
import { ENTRY_FIELDS, ENTRY_KINDS, type Entry, type EntryKind } from '../../../functions/ledger/rules/entry-fields.ts';
import { MONTH_PATTERN, parseMonth } from '../../../functions/ledger/rules/months.ts';
import type { Statement } from '../../../functions/ledger/rules/statement.ts';
import { STATEMENT_COLUMNS, STATEMENT_MONEY } from '../../../functions/ledger/rules/statement-file.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, onProgram, type ProgramOptions } from '../cli.ts';
import { Failure } from '../errors.ts';
import { exportRows, FORMAT_REMARK, Money, mapPages, writesRows } from '../export.ts';
import * as option from '../options.ts';
import { flat, type Rendered, renderList } from '../output.ts';

type FilterOptions = Partial<Record<'advocate' | 'currency' | 'createdAfter' | 'createdBefore', string>> & {
  readonly kind?: EntryKind;
};

/** In CSV, the names of amounts say that they are in the smallest unit. NDJSON has the names of the API. */
const MINOR = new Map([
  ['amount', 'amount_minor'],
  ['commission', 'commission_minor'],
]);
const nameInCsv = (name: string) => MINOR.get(name) ?? name;
const EXPORTED = ['id', ...namesIn(ENTRY_FIELDS, 'file')].map(nameInCsv);
const SHOWN = [
  'created_at',
  'affiliate_slug',
  'kind',
  'payment_id',
  'amount',
  'commission',
  'currency',
  'rule',
  'note',
] as const;
const MAX_LIMIT = 100_000;
const MORE = 'There are more entries. Raise --limit, narrow the times, or run `ledger export`.';

export function addLedgerList(ledger: AdminCommand): void {
  const command = withFilters(ledger.programCommand('list', 'list entries of the ledger, newest first'));
  option
    .addLimit(command, MAX_LIMIT)
    .examples(
      [
        'ledger list --program ID',
        `ledger list --program ID --advocate jane-doe --kind payment ${NEXT_LINE} --created-after 2026-01-31T00:00:00Z --json`,
      ],
      option.TIME_RANGE,
    )
    .onProgram(({ limit, ...options }: FilterOptions & { readonly limit: number }) => {
      const filters = parseFilters(options);
      return async ({ program, table }) => {
        if (filters.slug !== undefined) await requireAdvocate(filters.slug, program, table);
        const entries = await newestEntries(table, program.id, filters, limit + 1);
        const rows = entries.slice(0, limit).map((entry) => flat(toEntry(entry)));
        return renderList(rows, SHOWN, 'There are no such entries.', entries.length > limit ? MORE : undefined);
      };
    });
}

export function addLedgerExport(ledger: AdminCommand, context: CliContext): void {
  const description = 'write entries of the ledger to standard output, by advocate, newest first';
  const command = withFilters(ledger.programCommand('export', description)).examples(
    ['ledger export --program ID > ledger.csv', 'ledger export --program ID --currency usd --format ndjson'],
    `Amounts are whole numbers in the currency's smallest unit, such as cents. ${FORMAT_REMARK}.
${option.TIME_RANGE}`,
  );
  writesRows(command, context, EXPORTED, (options: FilterOptions, format) => {
    const filters = parseFilters(options);
    return async ({ program, table }) => {
      if (filters.slug !== undefined) await requireAdvocate(filters.slug, program, table);
      return mapPages(exportEntries(table, program.id, filters), (entry) => exportedFields(entry, format === 'csv'));
    };
  });
}

function exportedFields(entry: Entry, isCsv: boolean): Record<string, unknown> {
  const row = Object.entries({ id: entry.id, ...attributesIn(ENTRY_FIELDS, 'file', entry) });
  return Object.fromEntries(isCsv ? row.map(([name, value]) => [nameInCsv(name), value]) : row);
}

function withFilters(command: AdminCommand): AdminCommand {
  command
    .option('--advocate <slug>', 'only entries of this advocate', option.slug)
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(ENTRY_KINDS))
    .option('--currency <code>', 'only entries in this currency, such as usd', option.currency);
  return option.addRange(command, 'created', 'entries');
}

function parseFilters({ advocate: slug, kind, currency, createdAfter, createdBefore }: FilterOptions): LedgerFilters {
  return { slug, kind, currency, createdAt: option.range('created', createdAfter, createdBefore) };
}

interface StatementOptions extends ProgramOptions {
  readonly month: string;
  readonly advocate?: string;
  readonly csv?: true;
}

interface Found {
  readonly slug: string;
  readonly statement: Statement;
}

const DIFFERENCE = ['slug', 'subject', 'field', 'stored', 'computed'] as const;
const DIFFER =
  'What is stored differs from the entries. Compare docs/operations.md (Ledger), and run the command again.';

export function addStatement(ledger: AdminCommand, context: CliContext): void {
  const command = ledger
    .programCommand('statement', 'show what advocates earned and were paid in a month')
    .requiredOption('--month <month>', 'month in UTC, such as 2026-10')
    .option('--advocate <slug>', 'only this advocate', option.slug)
    .option('--csv', 'write CSV, with a row for each advocate and currency')
    .examples(
      [
        'ledger statement --program ID --month 2026-10',
        'ledger statement --program ID --month 2026-10 --csv > october.csv',
      ],
      `Amounts are in units of the currency, such as 49.00, and with --json in its smallest unit, such as cents. Entries belong
to the month in which they were recorded. payable is as of now, whatever the month is.`,
    )
    .action(async (options: StatementOptions) => {
      const { month, advocate: slug, csv } = options;
      if (!new RegExp(MONTH_PATTERN).test(month)) throw new InvalidField('month', 'must be a month such as 2026-10');
      await onProgram(context, options, async ({ program, table }) => {
        parseMonth('month', month, secondOf(table.clock()));
        if (slug !== undefined) await requireAdvocate(slug, program, table);
        const found =
          slug === undefined ? statementsOf(table, program, month) : oneStatement(table, program, slug, month);
        if (csv) await exportRows<string>(context, 'csv', STATEMENT_COLUMNS, pagesOf(found));
        else command.print(await rendered(found, slug !== undefined));
      });
    });
}

async function* oneStatement(table: Table, program: Program, slug: string, month: string): AsyncGenerator<Found> {
  yield { slug, statement: await readStatement(table, program, slug, month) };
}

async function* pagesOf(found: AsyncIterable<Found>) {
  for await (const each of found) yield rowsOf(each);
}

function rowsOf({ slug, statement: { month, currencies } }: Found): Record<string, string | Money>[] {
  return currencies.map(({ currency, ...sums }) => ({
    ...{ affiliate_slug: slug, month, currency },
    ...Object.fromEntries(STATEMENT_MONEY.map((column) => [column, new Money(sums[column], currency)])),
  }));
}

async function rendered(found: AsyncIterable<Found>, isOne: boolean): Promise<Rendered> {
  const all: object[] = [];
  const rows: Record<string, string>[] = [];
  for await (const each of found) {
    all.push(flat(toStatement(each.slug, each.statement)));
    rows.push(
      ...rowsOf(each).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
      ),
    );
  }
  const { text } = renderList(rows, STATEMENT_COLUMNS, 'There is nothing in this month.');
  return { json: isOne ? all[0] : all, text };
}

export function addVerify(ledger: AdminCommand): void {
  ledger
    .programCommand('verify', 'compare sums, payments and ids with what the entries alone say')
    .remarks('It changes nothing, and exits with 1 if there are differences.')
    .onProgram(() => async ({ program, table }) => {
      const check = await verifyLedger(table, program.id);
      const rows = check.differences.map((difference) => ({ ...difference }));
      const { text } = renderList(rows, DIFFERENCE, `There are no differences in ${check.entries} entries.`);
      return { json: check, text, failure: rows.length > 0 ? new Failure(DIFFER) : undefined };
    });
}
