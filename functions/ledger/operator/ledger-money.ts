import { MONEY_KINDS, type Totals } from '../../kernel/accounts/rules/totals.ts';
import { pagesByOwner } from '../../kernel/dynamodb/index-pages.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { moneyKey, referralEntries } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import type { Seconds } from '../../kernel/time.ts';
import { advocatesIn, parseBrought } from '../../referrals/table/money.ts';
import { addedTo } from '../rules/day-money.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { parseEntry } from '../table/entries.ts';
import type { LedgerOwner } from '../table/sums.ts';

/** What the entries of one advocate say about a referral: by currency, and the number of payments. */
interface ComputedMoney {
  payments: number;
  readonly money: Map<string, { revenue: bigint; commission: bigint }>;
}
/** By the id of the referral. `addToMoney` changes it. */
export type MoneyByReferral = Map<string, ComputedMoney>;

/** Adds an entry to what its referral has brought. */
export function addToMoney(all: MoneyByReferral, { kind, referralId, currency, amount, commission }: Entry): void {
  if (referralId === null) return;
  const known = all.get(referralId) ?? { payments: 0, money: new Map() };
  const sums = known.money.get(currency) ?? { revenue: 0n, commission: 0n };
  known.payments += kind === 'payment' ? 1 : 0;
  sums.revenue += BigInt(amount ?? 0);
  sums.commission += BigInt(commission);
  known.money.set(currency, sums);
  all.set(referralId, known);
}

type Row = readonly [subject: string, field: string, value: string];

/** Returns what is stored and what was computed of the money of an advocate's referrals, as rows to compare. */
export async function moneyRows(
  table: Table,
  { program, slug }: LedgerOwner,
  all: MoneyByReferral,
): Promise<{ readonly stored: Row[]; readonly computed: Row[] }> {
  const ids = [...all.keys()];
  const items = await batchGet(
    table,
    ids.map((id) => moneyKey(program, id)),
  );
  const stored = ids.map((id, index) => rowsOf(id, parseBrought(items[index], slug)));
  const computed = [...all].map(async ([id, { payments, money }], index) => {
    const total = await paymentsOf(table, program, { id, slug, payments, item: items[index] });
    return rowsOf(id, { payments: total, money: [...money].map(([currency, sums]) => ({ currency, ...sums })) });
  });
  return { stored: stored.flat(), computed: (await Promise.all(computed)).flat() };
}

/** The number of payments of a referral. Only a referral that had several advocates has payments in other ledgers. */
async function paymentsOf(
  table: Table,
  program: string,
  {
    id,
    slug,
    payments,
    item,
  }: { readonly id: string; readonly slug: string; readonly payments: number; readonly item: Item | undefined },
): Promise<number> {
  if (advocatesIn(item).every((owner) => owner === slug)) return payments;
  let count = 0;
  for await (const items of pagesByOwner(table, referralEntries(program, id))) {
    count += items.filter((each) => parseEntry(each).kind === 'payment').length;
  }
  return count;
}

/** How long statistics may take to count an entry, in seconds. */
const COUNTED_AFTER = 15 * 60;

/** What the entries of an advocate add up to in its totals: by currency and kind of money. */
export class ComputedTotals {
  readonly #since: number;
  readonly #sums = new Map<string, { readonly low: bigint; readonly sum: bigint; readonly high: bigint }>();

  constructor(now: Seconds) {
    this.#since = now - COUNTED_AFTER;
  }

  /** Adds an entry. Statistics may have counted any of the new ones, because clocks differ. */
  add(entry: Entry): void {
    const isCounted = entry.createdAt < this.#since;
    for (const [kind, amount] of addedTo(entry)) {
      const name = `${entry.currency} ${kind}`;
      const { low, sum, high } = this.#sums.get(name) ?? { low: 0n, sum: 0n, high: 0n };
      const added = BigInt(amount);
      this.#sums.set(name, {
        low: low + (isCounted || added < 0n ? added : 0n),
        sum: sum + added,
        high: high + (isCounted || added > 0n ? added : 0n),
      });
    }
  }

  /** Returns rows to compare. Entries that are too new to be counted are no difference. */
  rows({ money }: Totals): { readonly stored: Row[]; readonly computed: Row[] } {
    const stored = new Map<string, bigint>(
      [...money].flatMap(([currency, sums]) => MONEY_KINDS.map((kind) => [`${currency} ${kind}`, sums[kind]] as const)),
    );
    const computed = [...this.#sums].map(([name, { low, sum, high }]) => {
      const counted = stored.get(name) ?? 0n;
      return [name, low <= counted && counted <= high ? counted : sum] as const;
    });
    return { stored: totalRows(stored), computed: totalRows(new Map(computed)) };
  }
}

function totalRows(sums: ReadonlyMap<string, bigint>): Row[] {
  const known = [...sums].filter(([, sum]) => sum !== 0n).sort(([one], [other]) => (one < other ? -1 : 1));
  return known.map(([name, sum]) => ['totals', name, String(sum)] as const);
}

function rowsOf(id: string, { payments, money }: ReturnType<typeof parseBrought>): Row[] {
  return [
    [id, 'payments', String(payments)] as const,
    ...money.flatMap(({ currency, revenue, commission }) => [
      [id, `${currency} revenue`, String(revenue)] as const,
      [id, `${currency} commission`, String(commission)] as const,
    ]),
  ].filter(([, , value]) => value !== '0');
}
