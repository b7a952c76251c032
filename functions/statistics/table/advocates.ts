import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { firstOf, type Ranked, rankedAfter } from '../../kernel/accounts/rules/ranking.ts';
import { isNothing, mainCurrency, NO_NUMBERS, type Totals } from '../../kernel/accounts/rules/totals.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { readAllTotals, readTotals } from '../../kernel/accounts/table/totals.ts';
import { type Day, type DayRange, daysIn, type Month, monthsIn } from '../../kernel/days.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { ADVOCATE_STATISTICS, advocateKey, statisticsKey } from '../../kernel/dynamodb/keys.ts';
import type { Pages } from '../../kernel/dynamodb/prefetch.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate, TooManySums } from '../../kernel/errors.ts';
import { isMoneySort, type MoneySort, moneyValuesOf, type NumberSort, valuesOf } from '../rules/sorts.ts';
import { added, type Daily, NO_DAYS, sumsOf } from '../rules/statistics.ts';
import { parseMoney, parseSums, readDaily } from './sums.ts';

/** An advocate and the sums of a range. */
export interface AdvocateSums {
  readonly advocate: Advocate;
  readonly sums: Totals;
}

/** The most sums that one request reads, each of a month and an advocate: about 30 MB. */
export const MAX_SUMS = 100_000;

/** Days, or everything since the program began. */
export type StatisticsRange = DayRange | 'lifetime';

/**
 * Returns the sums of the advocates with these slugs, in this order. Each is read with one unit for two months. Money is
 * included for the lifetime only. Throws `InvalidAffiliate` if one of them does not exist.
 */
export async function sumsOfAdvocates(
  table: Table,
  program: string,
  slugs: readonly string[],
  range: StatisticsRange,
): Promise<AdvocateSums[]> {
  const keys = slugs.map((slug) => advocateKey(program, slug));
  const [advocates, sums] = await Promise.all([batchGet(table, keys), readSums(table, program, slugs, range)]);
  return advocates.map((item, index) => {
    const own = sums[index];
    if (!item || !own) throw new InvalidAffiliate();
    return { advocate: parseAdvocate(item), sums: own };
  });
}

async function readSums(
  table: Table,
  program: string,
  slugs: readonly string[],
  range: StatisticsRange,
): Promise<readonly Totals[]> {
  if (range === 'lifetime') return readTotals(table, program, slugs);
  const days = daysIn(range);
  return (await readDaily(table, program, slugs, range)).map((daily) => sumsOf(daily, days));
}

/** By what advocates are sorted; without a currency, in the currency with the largest revenue of the program. */
export interface Sorting {
  readonly sort: NumberSort | MoneySort;
  readonly currency: string | undefined;
}

interface RankedSums extends Ranked {
  readonly sums: Totals;
}

/**
 * Returns up to `size` advocates in the order of a sort, after a position. Advocates without a number, or with a sort by
 * money without money in the currency, are left out. Throws `TooManySums` or `InvalidCursor`.
 */
export async function sortedAdvocates(
  table: Table,
  program: string,
  { range, ...sorting }: Sorting & { readonly range: StatisticsRange },
  { after, size }: { readonly after: string | undefined; readonly size: number },
): Promise<{ readonly rows: readonly AdvocateSums[]; readonly next: string | undefined }> {
  const ranked = await rank(table, program, range, sorting);
  const { page, next } = firstOf(rankedAfter(ranked, after), size);
  const keys = page.map(({ slug }) => advocateKey(program, slug));
  const items = await batchGet(table, keys, { consistent: false });
  const rows = page.flatMap(({ sums }, index) => {
    const item = items[index];
    // The stream may count later than an advocate is deleted with its program.
    return item ? [{ advocate: parseAdvocate(item), sums }] : [];
  });
  if (range === 'lifetime' || !isMoneySort(sorting.sort)) return { rows, next };
  const found = rows.map(({ advocate }) => advocate.slug);
  const numbers = await readSums(table, program, found, range);
  const complete = rows.map(({ advocate, sums: { money } }, index) => {
    return { advocate, sums: { numbers: numbers[index]?.numbers ?? NO_NUMBERS, money } };
  });
  return { rows: complete, next };
}

/** Returns all advocates with a number, or with money in the currency of the sort, and the values that sort them. */
async function rank(table: Table, program: string, range: StatisticsRange, sorting: Sorting): Promise<RankedSums[]> {
  const { sort } = sorting;
  const currency = isMoneySort(sort) ? (sorting.currency ?? (await currencyOf(table, program))) : undefined;
  if (isMoneySort(sort) && currency === undefined) return [];
  const bySlug =
    range === 'lifetime'
      ? (await readAllTotals(table, program)).advocates
      : await sumsIn(table, program, range, currency);
  return [...bySlug].flatMap(([slug, sums]) => {
    const values = isMoneySort(sort)
      ? moneyValuesOf(sort, sums.money.get(currency ?? ''))
      : isNothing(sums.numbers)
        ? undefined
        : valuesOf(sort, sums.numbers);
    return values ? [{ slug, sums, values }] : [];
  });
}

async function currencyOf(table: Table, program: string): Promise<string | undefined> {
  const [totals] = await readTotals(table, program, [null]);
  return totals && mainCurrency(totals.money);
}

/** Adds up the months of all advocates: their money in a currency, or without one their numbers. */
async function sumsIn(
  table: Table,
  program: string,
  range: DayRange,
  currency: string | undefined,
): Promise<ReadonlyMap<string, Totals>> {
  const bySlug = new Map<string, Totals>();
  const days = daysIn(range);
  let count = 0;
  for (const month of monthsIn(range)) {
    const own = days.filter((day) => day.startsWith(month));
    for await (const items of monthlyItems(table, program, month, {
      currency,
      isOfAdvocates: true,
      consistent: false,
    })) {
      count += items.length;
      if (count > MAX_SUMS) throw new TooManySums(MAX_SUMS);
      for (const item of items) addMonth(bySlug, dailyIn(item, currency), own);
    }
  }
  return bySlug;
}

function addMonth(
  bySlug: Map<string, Totals>,
  { slug, daily }: ReturnType<typeof dailyIn>,
  days: readonly Day[],
): void {
  if (slug === null) return;
  const known = bySlug.get(slug);
  const sums = sumsOf(daily, days);
  bySlug.set(slug, known ? added(known, sums) : sums);
}

/** Parses a month of an owner: its money in a currency, or without one its numbers. */
export function dailyIn(
  item: Item,
  currency: string | undefined,
): { readonly slug: string | null; readonly daily: Daily } {
  if (currency === undefined) {
    const { slug, daily } = parseSums(item);
    return { slug, daily: { ...NO_DAYS, numbers: daily } };
  }
  const { slug, daily } = parseMoney(item);
  return { slug, daily: { ...NO_DAYS, money: new Map([[currency, daily]]) } };
}

/** Reads the sums of a month page by page: of all advocates, and of the program; with a currency, their money in it. */
export async function* monthlyItems(
  table: Table,
  program: string,
  month: Month,
  options: { readonly currency: string | undefined; readonly isOfAdvocates: boolean; readonly consistent: boolean },
): Pages<readonly Item[]> {
  const { currency, isOfAdvocates, consistent } = options;
  const pages = queryPages(table, {
    KeyConditionExpression: `${PARTITION_KEY} = :pk${isOfAdvocates ? ` AND begins_with(${SORT_KEY}, :prefix)` : ''}`,
    ExpressionAttributeValues: {
      ':pk': statisticsKey(program, month, null, currency)[PARTITION_KEY],
      ...(isOfAdvocates && { ':prefix': ADVOCATE_STATISTICS }),
    },
    ConsistentRead: consistent,
  });
  for await (const { items } of pages) yield items;
}
