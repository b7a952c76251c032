import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { type DayRange, daysIn, monthsIn } from '../../kernel/days.ts';
import { ADVOCATE_STATISTICS, advocateKey, statisticsKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate, TooManySums } from '../../kernel/errors.ts';
import { type AdvocateNumbers, isNothing, mostPayingFirst, type Numbers, sumOf, totalOf } from '../rules/statistics.ts';
import { type MonthlySums, parseSums, readDaily } from './sums.ts';

/** An advocate and the sum of a range. */
export interface AdvocateTotal {
  readonly advocate: Advocate;
  readonly numbers: Numbers;
}

/** The most sums that one request reads, each of a month and an advocate: about 30 MB. */
export const MAX_SUMS = 100_000;

/**
 * Returns the totals of the advocates with these slugs, in this order. Each is read with one unit for two months. Throws
 * `InvalidAffiliate` if one of them does not exist.
 */
export async function advocateTotals(
  table: Table,
  program: string,
  slugs: readonly string[],
  range: DayRange,
): Promise<AdvocateTotal[]> {
  const [advocates, daily] = await Promise.all([
    batchGet(
      table,
      slugs.map((slug) => advocateKey(program, slug)),
    ),
    readDaily(table, program, slugs, range),
  ]);
  const days = daysIn(range);
  return advocates.map((item, index) => {
    if (!item) throw new InvalidAffiliate();
    return { advocate: parseAdvocate(item), numbers: totalOf(daily[index] ?? new Map(), days) };
  });
}

/**
 * Returns the totals of the advocates with the most paying customers in a range, at most `count`, none without a number.
 * Throws `TooManySums`.
 */
export async function largestTotals(
  table: Table,
  program: string,
  range: DayRange,
  count: number,
): Promise<AdvocateTotal[]> {
  const bySlug = new Map<string, Numbers>();
  for await (const { slug, numbers } of totalsByMonth(table, program, range)) {
    const known = bySlug.get(slug);
    bySlug.set(slug, known ? sumOf([known, numbers]) : numbers);
  }
  const largest = [...bySlug]
    .map(([slug, numbers]) => ({ slug, numbers }))
    .filter(({ numbers }) => !isNothing(numbers))
    .sort(mostPayingFirst)
    .slice(0, count);
  const keys = largest.map(({ slug }) => advocateKey(program, slug));
  const items = await batchGet(table, keys, { consistent: false });
  return largest.flatMap(({ numbers }, index) => {
    const item = items[index];
    // The stream may count later than an advocate is deleted with its program.
    return item ? [{ advocate: parseAdvocate(item), numbers }] : [];
  });
}

/** Reads the totals of all advocates, one month after the other. */
async function* totalsByMonth(table: Table, program: string, range: DayRange): AsyncGenerator<AdvocateNumbers, void> {
  const days = daysIn(range);
  let sums = 0;
  for (const month of monthsIn(range)) {
    const inMonth = days.filter((day) => day.startsWith(month));
    for await (const page of monthlySums(table, program, month, { advocatesOnly: true, consistent: false })) {
      sums += page.length;
      if (sums > MAX_SUMS) throw new TooManySums(MAX_SUMS);
      for (const { slug, daily } of page) if (slug !== null) yield { slug, numbers: totalOf(daily, inMonth) };
    }
  }
}

/** Reads the sums of a program's month page by page: of all advocates, and of the program. */
export async function* monthlySums(
  table: Table,
  program: string,
  month: string,
  { advocatesOnly, consistent }: { readonly advocatesOnly: boolean; readonly consistent: boolean },
): AsyncGenerator<MonthlySums[], void> {
  const pages = queryPages(table, {
    KeyConditionExpression: `${PARTITION_KEY} = :pk${advocatesOnly ? ` AND begins_with(${SORT_KEY}, :prefix)` : ''}`,
    ExpressionAttributeValues: {
      ':pk': statisticsKey(program, month, null)[PARTITION_KEY],
      ...(advocatesOnly && { ':prefix': ADVOCATE_STATISTICS }),
    },
    ConsistentRead: consistent,
  });
  for await (const { items } of pages) yield items.map(parseSums);
}
