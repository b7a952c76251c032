import type { Entry } from '../../domain/ledger/entry-fields.ts';
import type { SecondsRange } from '../../domain/time.ts';
import { parseListedAdvocate } from '../advocates.ts';
import { indexPages } from '../dynamodb/index-pages.ts';
import { ALL_TIME } from '../dynamodb/plan.ts';
import { type Pages, prefetch } from '../dynamodb/prefetch.ts';
import { queryPages, type Table } from '../dynamodb/table.ts';
import { firstSortKey, ledgerPartition, programAdvocates } from '../keys.ts';
import { parseEntry } from '../ledger/entries.ts';
import { PARTITION_KEY, SORT_KEY } from '../schema.ts';

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
  { kind, currency, createdAt: { from, to } = ALL_TIME }: LedgerFilters,
): Pages<Entry[]> {
  // DynamoDB rejects a range whose bounds are reversed.
  if (from >= to) return;
  const pages = queryPages(table, {
    KeyConditionExpression: `${PARTITION_KEY} = :pk AND ${SORT_KEY} BETWEEN :lowest AND :highest`,
    ExpressionAttributeValues: {
      ':pk': ledgerPartition(program, slug),
      ':lowest': firstSortKey(from),
      ':highest': firstSortKey(to),
    },
    ConsistentRead: true,
    ScanIndexForward: false,
  });
  const isWanted = (entry: Entry) =>
    (kind === undefined || entry.kind === kind) && (currency === undefined || entry.currency === currency);
  for await (const { items } of pages) {
    const entries = items.map(parseEntry).filter(isWanted);
    if (entries.length > 0) yield entries;
  }
}
