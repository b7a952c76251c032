import { type Item, optional, required } from '../../dynamodb/item.ts';
import { ADVOCATE_STATISTICS, lastPart, totalsKey } from '../../dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../dynamodb/schema.ts';
import { batchGet, queryPages, type Table, wholePartition } from '../../dynamodb/table.ts';
import { integer, number, text } from '../../fields/parsers.ts';
import {
  KINDS,
  type Kind,
  MONEY_KINDS,
  type Money,
  type MoneyKind,
  NO_MONEY,
  NO_NUMBERS,
  NO_TOTALS,
  type Totals,
} from '../rules/totals.ts';

/** The letters of the kinds in attributes. Short names keep items small: each of them is written often. */
export const LETTERS: Readonly<Record<Kind, string>> = {
  clicks: 'c',
  conversions: 'v',
  paying: 'p',
  churned: 'h',
  rejected: 'r',
};
export const MONEY_LETTERS: Readonly<Record<MoneyKind, string>> = {
  revenue: 'r',
  commissions: 'c',
  adjustments: 'a',
  settled: 's',
};

/** The attribute of the customers of an advocate who paid and are not rejected, in its totals only. */
export const CUSTOMERS = 'n';

/** How many customers of an advocate paid and are not rejected, in the item of its totals. */
export const customersIn = (item: Item = {}): number => optional(item, CUSTOMERS, number) ?? 0;

const MONEY = /^([a-z]{3})_([rcas])$/;

/** The attribute of a kind in the item of totals: `c` for clicks, `usd_r` for revenue in dollars. */
export const totalAttribute = (kind: Kind): string => LETTERS[kind];
export const moneyAttribute = (kind: MoneyKind, currency: string): string => `${currency}_${MONEY_LETTERS[kind]}`;

/** Parses the item of totals; without one, nothing was counted. Throws `MalformedItem`. */
export function parseTotals(item: Item | undefined): Totals {
  if (!item) return NO_TOTALS;
  const numbers: Record<Kind, number> = { ...NO_NUMBERS };
  for (const kind of KINDS) numbers[kind] = optional(item, LETTERS[kind], number) ?? 0;
  const money = new Map<string, Money>();
  for (const name of Object.keys(item)) {
    const [, currency, letter] = MONEY.exec(name) ?? [];
    const kind = MONEY_KINDS.find((each) => MONEY_LETTERS[each] === letter);
    if (currency === undefined || kind === undefined) continue;
    money.set(currency, { ...(money.get(currency) ?? NO_MONEY), [kind]: required(item, name, integer) });
  }
  return { numbers, money };
}

/** Reads the totals of some advocates (`null`: of the program), in their order. */
export async function readTotals(
  table: Table,
  program: string,
  slugs: readonly (string | null)[],
  { consistent = false } = {},
): Promise<Totals[]> {
  const keys = slugs.map((slug) => totalsKey(program, slug));
  return (await batchGet(table, keys, { consistent })).map(parseTotals);
}

/** The totals of a program, and of each advocate that has some, by slug. */
export interface AllTotals {
  readonly program: Totals;
  readonly advocates: ReadonlyMap<string, Totals>;
  /** By slug: the customers who paid and are not rejected. */
  readonly customers: ReadonlyMap<string, number>;
}

/** Reads all totals of a program: of 10,000 advocates with two requests, of at most 200 read units. */
export async function readAllTotals(table: Table, program: string, { consistent = false } = {}): Promise<AllTotals> {
  const advocates = new Map<string, Totals>();
  const customers = new Map<string, number>();
  let ofProgram = NO_TOTALS;
  const pages = queryPages(table, {
    ...wholePartition(totalsKey(program, null)[PARTITION_KEY]),
    ConsistentRead: consistent,
  });
  for await (const { items } of pages) {
    for (const item of items) {
      const sort = required(item, SORT_KEY, text);
      if (!sort.startsWith(ADVOCATE_STATISTICS)) ofProgram = parseTotals(item);
      else {
        advocates.set(lastPart(sort), parseTotals(item));
        customers.set(lastPart(sort), customersIn(item));
      }
    }
  }
  return { program: ofProgram, advocates, customers };
}
