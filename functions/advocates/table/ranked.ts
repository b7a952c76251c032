import { firstOf, positionIn, type Ranked, rankedAfter } from '../../kernel/accounts/rules/ranking.ts';
import {
  balanceOf,
  earnedOf,
  type Money,
  mainCurrency,
  NO_MONEY,
  NO_TOTALS,
  type Totals,
} from '../../kernel/accounts/rules/totals.ts';
import {
  type AdvocateFilters,
  hasValues,
  type ListedAdvocate,
  parseAdvocate,
  readAdvocates,
} from '../../kernel/accounts/table/advocate-items.ts';
import { readAllTotals } from '../../kernel/accounts/table/totals.ts';
import { advocateKey, sortKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { isMoneySort, type MoneySort, type NumberSort } from '../rules/sorts.ts';

/** An advocate with its lifetime totals. */
export interface RankedAdvocate {
  readonly advocate: ListedAdvocate;
  readonly totals: Totals;
}

export interface AdvocateRanking {
  readonly sort: NumberSort | MoneySort;
  /** Without one, money is compared in the currency in which the program has the largest revenue. */
  readonly currency: string | undefined;
  readonly filters: Pick<AdvocateFilters, 'active' | 'group'>;
}

interface RankedPage {
  readonly advocates: readonly RankedAdvocate[];
  readonly next: string | undefined;
}

/** The most advocates that a page looks at, and that it reads together. */
const MAX_READ = 500;
const MAX_STEP = 100;
/** Positions of advocates without totals start with it. They follow all others, newest first. */
const WITHOUT = 'without ';

/**
 * Returns a page of all advocates of a program, the largest totals first, then advocates without totals, after a position.
 * A page with a filter may be short. Throws `InvalidCursor`.
 */
export async function rankAdvocates(
  table: Table,
  program: string,
  ranking: AdvocateRanking,
  { after, size }: { readonly after: string | undefined; readonly size: number },
): Promise<RankedPage> {
  const all = await readAllTotals(table, program);
  if (after?.startsWith(WITHOUT)) {
    return withoutTotals(table, program, { ranking, known: all.advocates, after: after.slice(WITHOUT.length), size });
  }
  const currency = ranking.currency ?? mainCurrency(all.program.money) ?? '';
  const rows = rankedAfter(
    [...all.advocates].map(([slug, totals]) => ({ slug, totals, values: [rankOf(ranking.sort, totals, currency)] })),
    after,
  );
  const advocates: RankedAdvocate[] = [];
  // With a filter, more rows are read than a page has.
  const step = Object.keys(ranking.filters).length === 0 ? size : MAX_STEP;
  for (let read = 0; read < rows.length; read += step) {
    const part = await readPart(table, program, rows.slice(read, read + step), ranking.filters);
    const { page, next } = firstOf(part, size - advocates.length);
    advocates.push(...page);
    const last = rows[Math.min(read + step, rows.length) - 1];
    const isFull = advocates.length === size || read + step >= MAX_READ;
    if (next !== undefined) return { advocates, next };
    if (isFull && last && read + step < rows.length) return { advocates, next: positionIn(last) };
  }
  if (advocates.length === size) return { advocates, next: WITHOUT };
  const rest = { ranking, known: all.advocates, after: '', size: size - advocates.length };
  const others = await withoutTotals(table, program, rest);
  return { advocates: [...advocates, ...others.advocates], next: others.next };
}

interface RankedRow extends Ranked {
  readonly totals: Totals;
}

/** Reads the advocates of rows. Statistics may be counted later than an advocate is deleted with its program. */
async function readPart(
  table: Table,
  program: string,
  rows: readonly RankedRow[],
  filters: AdvocateRanking['filters'],
): Promise<(RankedRow & RankedAdvocate)[]> {
  const keys = rows.map(({ slug }) => advocateKey(program, slug));
  const items = await batchGet(table, keys, { consistent: false });
  return rows.flatMap((row, index) => {
    const advocate = items[index] && parseAdvocate(items[index]);
    return advocate && hasValues(advocate, filters) ? [{ ...row, advocate }] : [];
  });
}

/** Reads advocates without totals, newest first. */
async function withoutTotals(
  table: Table,
  program: string,
  rest: {
    readonly ranking: AdvocateRanking;
    readonly known: ReadonlyMap<string, Totals>;
    readonly after: string;
    readonly size: number;
  },
): Promise<RankedPage> {
  const { ranking, known, after, size } = rest;
  const found: RankedAdvocate[] = [];
  let position = after;
  for (let read = 0; read < MAX_READ; read += MAX_STEP) {
    const start = position === '' ? { skip: 0 } : { after: position };
    const part = await readAdvocates(table, program, { filters: ranking.filters }, { start, size: MAX_STEP });
    for (const advocate of part.advocates.filter(({ slug }) => !known.has(slug))) {
      if (found.length === size) return { advocates: found, next: WITHOUT + position };
      found.push({ advocate, totals: NO_TOTALS });
      position = sortKey(advocate.createdAt, advocate.id);
    }
    if (part.next === undefined) return { advocates: found, next: undefined };
    position = part.next;
  }
  return { advocates: found, next: WITHOUT + position };
}

function rankOf(sort: NumberSort | MoneySort, { numbers, money }: Totals, currency: string): bigint {
  return isMoneySort(sort) ? moneyOf(sort, money.get(currency) ?? NO_MONEY) : BigInt(numbers[sort]);
}

function moneyOf(sort: MoneySort, money: Money): bigint {
  switch (sort) {
    case 'earned':
      return earnedOf(money);
    case 'balance':
      return balanceOf(money);
    case 'revenue':
      return money.revenue;
  }
}
