import {
  type AdvocateFilters,
  hasValues,
  type ListedAdvocate,
  parseListedAdvocate,
  planAdvocates,
} from '../../kernel/accounts/table/advocate-items.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { isSortKey } from '../../kernel/dynamodb/keys.ts';
import { buildQuery } from '../../kernel/dynamodb/page.ts';
import { type Query, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidCursor } from '../../kernel/errors.ts';
import { text } from '../../kernel/fields/parsers.ts';
import type { SecondsRange } from '../../kernel/time.ts';
import { searchFor } from '../rules/search.ts';

/** The most advocates that a search reads: 8 MB, about 8 requests. */
const MAX_READ = 20_000;

interface Search {
  readonly text: string;
  readonly createdAt: SecondsRange | undefined;
  readonly filters: AdvocateFilters;
}

interface SearchPage {
  readonly after: string | undefined;
  readonly size: number;
  readonly maxRead?: number;
}

/**
 * Searches a program's advocates, newest first, after the row with the sort key `after`. No index contains their names, so
 * it compares what a list returns. A page is short if it has read `maxRead` advocates; more may follow. Throws
 * `InvalidCursor`.
 */
export async function searchAdvocates(
  table: Table,
  program: string,
  search: Search,
  { after, size, maxRead = MAX_READ }: SearchPage,
): Promise<{ readonly advocates: readonly ListedAdvocate[]; readonly next: string | undefined }> {
  if (after !== undefined && !isSortKey(after)) throw new InvalidCursor();
  // Without the filters, DynamoDB's limit of rows counts what is read.
  const query = buildQuery(planAdvocates(program, search.createdAt), after);
  const isFound = matching(search);
  const advocates: ListedAdvocate[] = [];
  let left = maxRead;
  for await (const { item, isLast } of query ? rowsOf(table, query, () => left) : []) {
    left -= 1;
    const advocate = parseListedAdvocate(item);
    if (isFound(advocate)) advocates.push(advocate);
    if (!isLast && (advocates.length === size || left === 0)) return { advocates, next: positionOf(item) };
  }
  return { advocates, next: undefined };
}

/** Reads the rows of a query one by one. `limit` returns the most rows that the next request may read. */
async function* rowsOf(
  table: Table,
  query: Query,
  limit: () => number,
): AsyncGenerator<{ item: Item; isLast: boolean }> {
  for await (const { items, lastKey } of queryPages(table, query, limit)) {
    const last = lastKey === undefined ? items.at(-1) : undefined;
    for (const item of items) yield { item, isLast: item === last };
  }
}

function matching({ text: wanted, filters }: Search): (advocate: ListedAdvocate) => boolean {
  const isNamed = searchFor(wanted);
  return (advocate) => hasValues(advocate, filters) && isNamed(advocate);
}

const positionOf = (item: Item): string => required(item, 'created', text);
