import { KINDS, MONEY_KINDS, NO_TOTALS, type Totals } from '../../kernel/accounts/rules/totals.ts';
import { type AllTotals, readAllTotals } from '../../kernel/accounts/table/totals.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { CUSTOMERS } from '../rules/addend.ts';
import { dailyIn, monthlyItems } from '../table/advocates.ts';
import { addTo, type ComputedSums, type Place, type Sums } from './computed-sums.ts';
import { currenciesOf, storedMonths } from './statistics-keys.ts';

/** What is stored of a program. */
export interface StoredSums {
  readonly days: Sums;
  /** The totals of owners for which the stream counted nothing while the days were read. */
  readonly totals: Sums;
  /** What the days of these owners add up to, and their customers by the rows. */
  readonly sumsOfDays: Sums;
}

/** Reads all numbers of the days and of the totals of a program. Totals may lack a currency that `computed` has. */
export async function readStoredSums(table: Table, program: string, computed: ComputedSums): Promise<StoredSums> {
  const [days, sumsOfDays, totals]: [Sums, Sums, Sums] = [new Map(), new Map(), new Map()];
  const before = await readAllTotals(table, program, { consistent: true });
  const known = [...computed.days.values()].flatMap(({ place }) => place.currency ?? []);
  const currencies = new Set([...currenciesOf(before), ...known]);
  for (const { month, currency } of await storedMonths(table, program, currencies)) {
    const options = { currency, isOfAdvocates: false, consistent: true };
    for await (const items of monthlyItems(table, program, month, options)) {
      for (const item of items) addItem(days, item, currency);
    }
  }
  const after = await readAllTotals(table, program, { consistent: true });
  const isQuiet = (slug: string | null) =>
    textOf(totalsOf(before, slug)) === textOf(totalsOf(after, slug)) &&
    before.customers.get(slug ?? '') === after.customers.get(slug ?? '');
  for (const slug of [null, ...after.advocates.keys()].filter(isQuiet)) {
    addSums(totals, { day: null, slug }, totalsOf(after, slug));
    const customers = { day: null, slug, kind: CUSTOMERS, currency: null } as const;
    addTo(totals, customers, BigInt(after.customers.get(slug ?? '') ?? 0));
  }
  for (const { place, value } of [...computed.customers.values(), ...days.values()]) {
    if (isQuiet(place.slug)) addTo(sumsOfDays, { ...place, day: null }, value);
  }
  return { days, totals, sumsOfDays };
}

function addItem(sums: Sums, item: Item, currency: string | undefined): void {
  const { slug, daily } = dailyIn(item, currency);
  for (const [day, numbers] of daily.numbers) addSums(sums, { day, slug }, { ...NO_TOTALS, numbers });
  for (const [each, byDay] of daily.money) {
    for (const [day, money] of byDay) addSums(sums, { day, slug }, { ...NO_TOTALS, money: new Map([[each, money]]) });
  }
}

function addSums(sums: Sums, where: Pick<Place, 'day' | 'slug'>, { numbers, money }: Totals): void {
  for (const kind of KINDS) addTo(sums, { ...where, kind, currency: null }, BigInt(numbers[kind]));
  for (const [currency, each] of money) {
    for (const kind of MONEY_KINDS) addTo(sums, { ...where, kind, currency }, each[kind]);
  }
}

const totalsOf = ({ program, advocates }: AllTotals, slug: string | null): Totals =>
  slug === null ? program : (advocates.get(slug) ?? NO_TOTALS);

function textOf(totals: Totals): string {
  const sums: Sums = new Map();
  addSums(sums, { day: null, slug: null }, totals);
  return [...sums].map(([name, { value }]) => `${name} ${value}`).join('\n');
}
