import {
  KINDS,
  type Kind,
  MONEY_KINDS,
  type Money,
  type MoneyKind,
  NO_MONEY,
  NO_NUMBERS,
  type Numbers,
} from '../../kernel/accounts/rules/totals.ts';
import { LETTERS, MONEY_LETTERS, readTotals } from '../../kernel/accounts/table/totals.ts';
import { TtlCache } from '../../kernel/cache.ts';
import { type Day, type DayRange, type Month, monthOf, monthsIn } from '../../kernel/days.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { ADVOCATE_STATISTICS, lastPart, monthInKey, statisticsKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { integer, number, type Parser, text } from '../../kernel/fields/parsers.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Daily } from '../rules/statistics.ts';

/** The sums of one month: of an advocate, or of the whole program (`null`). */
interface Monthly<Sums> {
  readonly month: Month;
  readonly slug: string | null;
  readonly daily: ReadonlyMap<Day, Sums>;
}
export type MonthlySums = Monthly<Numbers>;
export type MonthlyMoney = Monthly<Money>;

/**
 * The attribute with the number of a kind on a day, such as `c07`, the clicks of the 7th. A busy month of all kinds stays
 * below 2 KB, so that adding to it costs at most 4 write units.
 */
export const attributeOf = (kind: Kind, day: Day): string => LETTERS[kind] + day.slice(-2);
/** The same for a kind of money, in the item of a currency. */
export const moneyAttributeOf = (kind: MoneyKind, day: Day): string => MONEY_LETTERS[kind] + day.slice(-2);

/** Parses the numbers of a month. Throws `MalformedItem`. */
export function parseSums(item: Item): MonthlySums {
  return {
    ...ownerOf(item),
    daily: parseDays(item, { kinds: KINDS, letters: LETTERS, none: NO_NUMBERS, parse: number }),
  };
}

/** Parses the money of a month in one currency. Throws `MalformedItem`. */
export function parseMoney(item: Item): MonthlyMoney {
  const columns = { kinds: MONEY_KINDS, letters: MONEY_LETTERS, none: NO_MONEY, parse: integer };
  return { ...ownerOf(item), daily: parseDays(item, columns) };
}

function ownerOf(item: Item) {
  const sort = required(item, SORT_KEY, text);
  const slug = sort.startsWith(ADVOCATE_STATISTICS) ? lastPart(sort) : null;
  return { month: monthInKey(required(item, PARTITION_KEY, text)), slug };
}

/** What the attributes of an item contain. */
interface Columns<Name extends string, Value> {
  readonly kinds: readonly Name[];
  readonly letters: Readonly<Record<Name, string>>;
  readonly none: Readonly<Record<Name, Value>>;
  readonly parse: Parser<Value>;
}

const ATTRIBUTE = /^([a-z])(\d\d)$/;

function parseDays<Name extends string, Value>(
  item: Item,
  { kinds, letters, none, parse }: Columns<Name, Value>,
): Map<Day, Readonly<Record<Name, Value>>> {
  const month = monthInKey(required(item, PARTITION_KEY, text));
  const daily = new Map<Day, Readonly<Record<Name, Value>>>();
  for (const name of Object.keys(item)) {
    const [, letter, date] = ATTRIBUTE.exec(name) ?? [];
    const kind = kinds.find((each) => letters[each] === letter);
    if (kind === undefined) continue;
    const day = `${month}-${date}`;
    daily.set(day, { ...(daily.get(day) ?? none), [kind]: required(item, name, parse) });
  }
  return daily;
}

/**
 * Reads the daily numbers of some advocates (`null`: of the whole program) with all months of a range, in the order of the
 * slugs, and their money in some currencies. A year of one is one request: eventually consistent, half a read unit for each
 * month, and half a unit for each month and currency.
 */
export async function readDaily(
  table: Table,
  program: string,
  slugs: readonly (string | null)[],
  { currencies = [], ...range }: DayRange & { readonly currencies?: readonly string[] },
): Promise<Daily[]> {
  const months = monthsIn(range);
  const keysOf = (slug: string | null, currency?: string) =>
    months.map((month) => statisticsKey(program, month, slug, currency));
  const keys = slugs.flatMap((slug) => [keysOf(slug), ...currencies.map((currency) => keysOf(slug, currency))].flat());
  const items = await batchGet(table, keys, { consistent: false });
  const count = months.length;
  const part = (index: number) => items.slice(index * count, (index + 1) * count).filter((item) => item !== undefined);
  const perOwner = 1 + currencies.length;
  return slugs.map((_, owner) => ({
    numbers: joined(part(owner * perOwner).map(parseSums)),
    money: new Map(
      currencies.map((currency, index) => [currency, joined(part(owner * perOwner + 1 + index).map(parseMoney))]),
    ),
  }));
}

const joined = <Sums>(months: readonly Monthly<Sums>[]): ReadonlyMap<Day, Sums> =>
  new Map(months.flatMap(({ daily }) => [...daily]));

/** The key of the item that contains the number of a day. */
export const sumsKey = (program: string, day: Day, slug: string | null, currency?: string) =>
  statisticsKey(program, monthOf(day), slug, currency);

/**
 * Returns a function that reads the daily numbers and all money of an advocate, or of the program (`null`). Which currencies
 * have money follows from the totals, and is remembered for at most 30 seconds: a new currency of an owner that has one
 * shows so much later.
 */
export function dailyReader(clock: Clock) {
  const known = new TtlCache<readonly string[]>(clock);
  return async (table: Table, program: string, slug: string | null, range: DayRange): Promise<Daily | undefined> => {
    const load = async () => {
      const [totals] = await readTotals(table, program, [slug]);
      const currencies = [...(totals?.money.keys() ?? [])];
      return currencies.length > 0 ? currencies : undefined;
    };
    const currencies = (await known.getOrLoad(`${program} ${slug ?? ''}`, load)) ?? [];
    const [daily] = await readDaily(table, program, [slug], { ...range, currencies });
    return daily;
  };
}
