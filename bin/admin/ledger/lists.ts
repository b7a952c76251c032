import { Option } from 'commander';
import { attributesIn, namesIn } from '../../../functions/domain/field-list.ts';
import {
  ENTRY_FIELDS,
  ENTRY_KINDS,
  type Entry,
  type EntryKind,
} from '../../../functions/domain/ledger/entry-fields.ts';
import { parseCurrency } from '../../../functions/domain/ledger/money.ts';
import { toEntry } from '../../../functions/http/entry.ts';
import { exportEntries, type LedgerFilters, newestEntries } from '../../../functions/table/operator/ledger-export.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import { type AdminCommand, addRange, type CliContext, NEXT_LINE, rangeOf, slugOf, TIME_RANGE, whole } from '../cli.ts';
import { FORMAT_REMARK, mapPages, writesRows } from '../export.ts';
import { renderList } from '../output.ts';

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

export function addLedgerList(ledger: AdminCommand): void {
  withFilters(ledger.programCommand('list', 'list entries of the ledger, newest first'))
    .option('--limit <number>', `number of rows, 1 to ${MAX_LIMIT}`, whole('limit', MAX_LIMIT), DEFAULT_LIMIT)
    .examples(
      [
        'ledger list --program ID',
        `ledger list --program ID --advocate jane-doe --kind payment ${NEXT_LINE} --created-after 2026-01-31T00:00:00Z --json`,
      ],
      TIME_RANGE,
    )
    .onProgram(({ limit, ...options }: FilterOptions & { readonly limit: number }) => {
      const filters = parseFilters(options);
      return async ({ program, table }) => {
        if (filters.slug !== undefined) await requireAdvocate(filters.slug, program, table);
        const entries = await newestEntries(table, program.id, filters, limit + 1);
        const rows = entries.slice(0, limit).map(entryFields);
        return renderList(rows, SHOWN, 'There are no such entries.', entries.length > limit ? MORE : undefined);
      };
    });
}

export function addLedgerExport(ledger: AdminCommand, context: CliContext): void {
  const description = 'write entries of the ledger to standard output, by advocate, newest first';
  const command = withFilters(ledger.programCommand('export', description)).examples(
    ['ledger export --program ID > ledger.csv', 'ledger export --program ID --currency usd --format ndjson'],
    `Amounts are whole numbers in the currency's smallest unit, such as cents. ${FORMAT_REMARK}.
${TIME_RANGE}`,
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
    .option('--advocate <slug>', 'only entries of this advocate', slugOf)
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(ENTRY_KINDS))
    .option('--currency <code>', 'only entries in this currency, such as usd', (text) =>
      parseCurrency('currency', text),
    );
  return addRange(command, 'created', 'entries');
}

function parseFilters({ advocate: slug, kind, currency, createdAfter, createdBefore }: FilterOptions): LedgerFilters {
  return { slug, kind, currency, createdAt: rangeOf('created', createdAfter, createdBefore) };
}

export function entryFields(entry: Entry) {
  const { id, attributes } = toEntry(entry);
  return { id, ...attributes };
}
