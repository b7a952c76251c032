import { type AllTotals, readAllTotals } from '../../kernel/accounts/table/totals.ts';
import { addDays, dayOf, type Month, monthsIn } from '../../kernel/days.ts';
import { type Key, keyOf, statisticsKey, totalsKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, queryPages, type Table, wholePartition } from '../../kernel/dynamodb/table.ts';
import { secondOf } from '../../kernel/time.ts';

/** Imports may add to every month since then: no stored time is older. */
const FIRST_DAY = '1970-01-01';

/** A month that has sums: numbers, or money in a currency. */
export interface StoredMonth {
  readonly month: Month;
  readonly currency: string | undefined;
}

/** The currencies of all totals of a program. */
export const currenciesOf = ({ program, advocates }: AllTotals): Set<string> =>
  new Set([program, ...advocates.values()].flatMap(({ money }) => [...money.keys()]));

/** Finds the months of a program that have sums, in some currencies, newest first. */
export async function storedMonths(
  table: Table,
  program: string,
  currencies: ReadonlySet<string>,
): Promise<StoredMonth[]> {
  // The clocks of functions differ: a change may count on tomorrow.
  const months = monthsIn({ from: FIRST_DAY, to: addDays(dayOf(secondOf(table.clock())), 1) });
  const all = [undefined, ...currencies].flatMap((currency) => months.map((month) => ({ month, currency })));
  // Sums of an advocate are also sums of the program.
  const keys = all.map(({ month, currency }) => statisticsKey(program, month, null, currency));
  const items = await batchGet(table, keys);
  return all.filter((_, index) => items[index] !== undefined);
}

/**
 * Returns the keys of all sums of a program: month by month, then the totals. The last key of a month has the sum of the
 * whole program, by which the month is found, and the totals have the currencies: a deletion in this order can be interrupted.
 */
export async function* statisticsKeys(table: Table, program: string): AsyncGenerator<Key[], void> {
  const totals = await readAllTotals(table, program, { consistent: true });
  const months = await storedMonths(table, program, currenciesOf(totals));
  const keys = months.map(({ month, currency }) => statisticsKey(program, month, null, currency));
  for (const key of [...keys, totalsKey(program, null)]) {
    // `ALL` sorts after the sums of all advocates.
    const pages = queryPages(table, {
      ...wholePartition(key[PARTITION_KEY]),
      ProjectionExpression: `${PARTITION_KEY}, ${SORT_KEY}`,
      ConsistentRead: true,
    });
    for await (const { items } of pages) yield items.map(keyOf);
  }
}
