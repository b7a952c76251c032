import { Option } from 'commander';
import { attributesIn, namesIn } from '../../../functions/domain/field-list.ts';
import { parseSlug } from '../../../functions/domain/fields.ts';
import {
  ENTRY_FIELDS,
  ENTRY_KINDS,
  type Entry,
  type EntryKind,
} from '../../../functions/domain/ledger/entry-fields.ts';
import { parseCurrency } from '../../../functions/domain/ledger/money.ts';
import { parseWhole } from '../../../functions/domain/numbers.ts';
import { toEntry } from '../../../functions/http/entry.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { exportEntries, type LedgerFilters, newestEntries } from '../../../functions/table/operator/ledger-export.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import { type AdminCommand, type CliContext, decimal, NEXT_LINE, type ProgramOptions, requireProgram } from '../cli.ts';
import { exportRows, FORMAT, FORMAT_REMARK, formatOf } from '../export.ts';
import { renderList } from '../output.ts';
import { addRange, rangeOf, TIME_FORMAT } from '../time-range.ts';

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
  'note',
] as const;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100_000;
const MORE = 'There are more entries. Raise --limit, narrow the times, or run `ledger export`.';

/** Adds `ledger list`. */
export function addLedgerList(ledger: AdminCommand): void {
  withFilters(ledger.programCommand('list', 'list entries of the ledger, newest first'))
    .option('--limit <number>', `number of rows, 1 to ${MAX_LIMIT}`, decimal, DEFAULT_LIMIT)
    .examples(
      [
        'ledger list --program ID',
        `ledger list --program ID --advocate jane-doe --kind payment ${NEXT_LINE} --created-after 2026-01-31T00:00:00Z --json`,
      ],
      `${TIME_FORMAT} Both bounds are exclusive.`,
    )
    .onProgram(({ limit: given, ...options }: FilterOptions & { readonly limit: number }) => {
      const filters = parseFilters(options);
      const limit = parseWhole('limit', given, MAX_LIMIT);
      return async ({ program, table }) => {
        if (filters.slug !== undefined) await requireAdvocate(filters.slug, program, table);
        const entries = await newestEntries(table, program.id, filters, limit + 1);
        const { json, text } = renderList(
          entries.slice(0, limit).map(entryFields),
          SHOWN,
          'There are no such entries.',
        );
        return { json, text: (width) => (entries.length > limit ? `${text(width)}\n${MORE}` : text(width)) };
      };
    });
}

/** Adds `ledger export`. */
export function addLedgerExport(ledger: AdminCommand, context: CliContext): void {
  const description = 'write entries of the ledger to standard output, by advocate, newest first';
  withFilters(ledger.programCommand('export', description))
    .addOption(FORMAT)
    .examples(
      ['ledger export --program ID > ledger.csv', 'ledger export --program ID --currency usd --format ndjson'],
      `Amounts are whole numbers in the currency's smallest unit, such as cents. ${FORMAT_REMARK}.
${TIME_FORMAT} Both bounds are exclusive.`,
    )
    .action(async (options: FilterOptions & ProgramOptions, command: AdminCommand) => {
      const filters = parseFilters(options);
      await context.onTable(async (table) => {
        const program = await requireProgram(options.program, table);
        if (filters.slug !== undefined) await requireAdvocate(filters.slug, program, table);
        const format = formatOf(command);
        await exportRows(context, format, EXPORTED, exportedRows(table, program.id, filters, format === 'csv'));
      });
    });
}

async function* exportedRows(table: Table, program: string, filters: LedgerFilters, isCsv: boolean) {
  for await (const entries of exportEntries(table, program, filters)) {
    yield entries.map((entry) => {
      const row = Object.entries({ id: entry.id, ...attributesIn(ENTRY_FIELDS, 'file', entry) });
      return Object.fromEntries(isCsv ? row.map(([name, value]) => [nameInCsv(name), value]) : row);
    });
  }
}

function withFilters(command: AdminCommand): AdminCommand {
  command
    .option('--advocate <slug>', 'only entries of this advocate')
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(ENTRY_KINDS))
    .option('--currency <code>', 'only entries in this currency, such as usd');
  return addRange(command, 'created', 'entries');
}

function parseFilters({ advocate, kind, currency, createdAfter, createdBefore }: FilterOptions): LedgerFilters {
  return {
    slug: advocate === undefined ? undefined : parseSlug('advocate', advocate),
    kind,
    currency: currency === undefined ? undefined : parseCurrency('currency', currency),
    createdAt: rangeOf('created', createdAfter, createdBefore),
  };
}

/** Renders an entry: its id, and its attributes in the API. */
export function entryFields(entry: Entry) {
  const { id, attributes } = toEntry(entry);
  return { id, ...attributes };
}
