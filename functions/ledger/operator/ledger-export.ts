import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { programAdvocates } from '../../kernel/dynamodb/keys.ts';
import { ALL_TIME } from '../../kernel/dynamodb/plan.ts';
import { type Pages, prefetch } from '../../kernel/dynamodb/prefetch.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { SecondsRange } from '../../kernel/time.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { entriesWithin } from '../table/past-entries.ts';

/** The entries to read; `undefined` if a filter is absent. */
export interface LedgerFilters {
  readonly slug: string | undefined;
  readonly kind: Entry['kind'] | undefined;
  readonly currency: string | undefined;
  readonly createdAt: SecondsRange | undefined;
}

/** Number of advocates that are read ahead at the same time. */
const AT_ONCE = 4;

/** Reads the entries of one advocate, or of all, page by page: by advocate, newest first. */
export function exportEntries(table: Table, program: string, filters: LedgerFilters): Pages<Entry[]> {
  return pagesOf(table, program, filters, (slug) => entriesOf(table, program, slug, filters));
}

/** Reads the newest entries of one advocate, or of all, up to `limit` of them, newest first. */
export async function newestEntries(
  table: Table,
  program: string,
  filters: LedgerFilters,
  limit: number,
): Promise<Entry[]> {
  const firstOf = async function* (slug: string): Pages<Entry[]> {
    let left = limit;
    for await (const entries of entriesOf(table, program, slug, filters)) {
      yield entries;
      left -= entries.length;
      if (left <= 0) return;
    }
  };
  let newest: Entry[] = [];
  for await (const entries of pagesOf(table, program, filters, firstOf)) {
    newest = [...newest, ...entries].sort(newestFirst).slice(0, limit);
  }
  return newest;
}

const newestFirst = (one: Entry, other: Entry) => other.createdAt - one.createdAt || (other.id < one.id ? -1 : 1);

/** Reads one advocate, or all of the program, some at a time. */
async function* pagesOf(
  table: Table,
  program: string,
  { slug }: LedgerFilters,
  read: (slug: string) => Pages<Entry[]>,
): Pages<Entry[]> {
  if (slug !== undefined) return yield* read(slug);
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    yield* prefetch(
      rows.map((row) => read(parseListedAdvocate(row).slug)),
      AT_ONCE,
    );
  }
}

async function* entriesOf(
  table: Table,
  program: string,
  slug: string,
  { kind, currency, createdAt = ALL_TIME }: LedgerFilters,
): Pages<Entry[]> {
  const isWanted = (entry: Entry) =>
    (kind === undefined || entry.kind === kind) && (currency === undefined || entry.currency === currency);
  for await (const entries of entriesWithin(table, { program, slug }, createdAt, { newestFirst: true })) {
    const wanted = entries.filter(isWanted);
    if (wanted.length > 0) yield wanted;
  }
}
