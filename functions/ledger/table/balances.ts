import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { firstOf, rankedAfter } from '../../kernel/accounts/rules/ranking.ts';
import { balanceOf, compareDown } from '../../kernel/accounts/rules/totals.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { type AllTotals, readAllTotals } from '../../kernel/accounts/table/totals.ts';
import { advocateKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { type Seconds, secondOf } from '../../kernel/time.ts';
import { type Balance, balancesOf } from '../rules/statement.ts';
import { readSumsOf, termsOf } from './sums.ts';

/** An advocate whose balance is not 0. */
export interface OwedAdvocate {
  readonly advocate: Advocate;
  readonly balance: Balance;
}

/** What the balances in one currency add up to, by the totals. */
export interface OwedCurrency {
  readonly currency: string;
  /** The sum of the balances above 0. */
  readonly owed: bigint;
  /** The sum of the balances below 0, as a positive number. */
  readonly overpaid: bigint;
}

/** A page of the balances of a program in one currency. */
export interface BalancePage {
  /** `null` if the program has no money. */
  readonly currency: string | null;
  readonly rows: readonly OwedAdvocate[];
  readonly next: string | undefined;
  /** By code. */
  readonly currencies: readonly OwedCurrency[];
  /** When the totals were read. */
  readonly asOf: Seconds;
}

/**
 * Returns a page of the advocates whose balance in a currency is not 0, the largest first, after a position. The totals
 * choose and sort the advocates; the numbers of a row come from its entries, and a row with 0 is left out. Without a
 * currency, takes the currency with the most owed. Throws `InvalidCursor`.
 */
export async function readBalances(
  table: Table,
  program: Program,
  given: string | undefined,
  { after, size }: { readonly after: string | undefined; readonly size: number },
): Promise<BalancePage> {
  const asOf = secondOf(table.clock());
  const totals = await readAllTotals(table, program.id);
  const currencies = owedIn(totals);
  const currency = given ?? currencies.toSorted(mostOwed)[0]?.currency ?? null;
  const all = [...totals.advocates].flatMap(([slug, { money }]) => {
    const sums = money.get(currency ?? '');
    const balance = sums ? balanceOf(sums) : 0n;
    return balance === 0n ? [] : [{ slug, values: [balance] }];
  });
  const { page, next } = firstOf(rankedAfter(all, after), size);
  const slugs = page.map(({ slug }) => slug);
  const keys = slugs.map((slug) => advocateKey(program.id, slug));
  const [items, sums] = await Promise.all([
    batchGet(table, keys, { consistent: false }),
    readSumsOf(table, program.id, slugs),
  ]);
  const terms = termsOf(table, program);
  const rows = items.flatMap((item, index) => {
    const own = sums[index];
    const balance = own && balancesOf(own, terms).get(currency ?? '');
    return item && balance && balance.balance !== 0n ? [{ advocate: parseAdvocate(item), balance }] : [];
  });
  return { currency, rows, next, currencies, asOf };
}

const mostOwed = (one: OwedCurrency, other: OwedCurrency) =>
  compareDown(one.owed, other.owed) || (one.currency < other.currency ? -1 : 1);

function owedIn({ advocates }: AllTotals): OwedCurrency[] {
  const byCurrency = new Map<string, { owed: bigint; overpaid: bigint }>();
  for (const { money } of advocates.values()) {
    for (const [currency, sums] of money) {
      const balance = balanceOf(sums);
      const known = byCurrency.get(currency) ?? { owed: 0n, overpaid: 0n };
      if (balance > 0n) known.owed += balance;
      else known.overpaid -= balance;
      byCurrency.set(currency, known);
    }
  }
  return [...byCurrency]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sums]) => ({ currency, ...sums }));
}
