import { type Day, type DayRange, type Month, monthOf, monthsIn } from '../../kernel/days.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { ADVOCATE_STATISTICS, lastPart, statisticsKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { number, text } from '../../kernel/fields/parsers.ts';
import type { Occurrence } from '../rules/occurrences.ts';
import { type DailyNumbers, KINDS, type Kind, NO_NUMBERS, type Numbers } from '../rules/statistics.ts';

/** The sums of one month: of an advocate, or of the whole program (`null`). */
export interface MonthlySums {
  readonly month: Month;
  readonly slug: string | null;
  readonly daily: DailyNumbers;
}

/**
 * The letters of the kinds in attributes such as `c07`, the clicks of the 7th. Short names keep a busy month of all kinds
 * below 2 KB, so that adding to it costs at most 4 write units.
 */
const LETTERS: Readonly<Record<Kind, string>> = {
  clicks: 'c',
  conversions: 'v',
  paying: 'p',
  churned: 'h',
  rejected: 'r',
};
const NUMBER = /^([cvphr])(\d\d)$/;

/** The attribute with the number of a kind on a day. */
export const attributeOf = ({ kind, day }: Pick<Occurrence, 'kind' | 'day'>): string =>
  `${LETTERS[kind]}${day.slice(-2)}`;

/** Parses the sums of a month. Throws `MalformedItem`. */
export function parseSums(item: Item): MonthlySums {
  const month = lastPart(required(item, PARTITION_KEY, text));
  const sort = required(item, SORT_KEY, text);
  const daily = new Map<Day, Numbers>();
  for (const name of Object.keys(item)) {
    const [, letter, date] = NUMBER.exec(name) ?? [];
    const kind = KINDS.find((each) => LETTERS[each] === letter);
    if (kind === undefined) continue;
    const day = `${month}-${date}`;
    daily.set(day, { ...(daily.get(day) ?? NO_NUMBERS), [kind]: required(item, name, number) });
  }
  return { month, slug: sort.startsWith(ADVOCATE_STATISTICS) ? lastPart(sort) : null, daily };
}

/**
 * Reads the daily numbers of some advocates (`null`: of the whole program) with all months of a range, in the order of the
 * slugs. A year of one is one request, of at most 7.5 read units: eventually consistent, half a unit for each month.
 */
export async function readDaily(
  table: Table,
  program: string,
  slugs: readonly (string | null)[],
  range: DayRange,
): Promise<DailyNumbers[]> {
  const months = monthsIn(range);
  const keys = slugs.flatMap((slug) => months.map((month) => statisticsKey(program, month, slug)));
  const items = await batchGet(table, keys, { consistent: false });
  return slugs.map((_, index) => {
    const own = items.slice(index * months.length, (index + 1) * months.length);
    return new Map(own.flatMap((item) => (item ? [...parseSums(item).daily] : [])));
  });
}

/** The key of the item that contains the number of a day. */
export const sumsKey = (program: string, day: Day, slug: string | null) => statisticsKey(program, monthOf(day), slug);
