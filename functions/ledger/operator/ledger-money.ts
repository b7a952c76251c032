import { pagesByOwner } from '../../kernel/dynamodb/index-pages.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { moneyKey, referralEntries } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { advocatesIn, parseBrought } from '../../referrals/table/money.ts';
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

function rowsOf(id: string, { payments, money }: ReturnType<typeof parseBrought>): Row[] {
  return [
    [id, 'payments', String(payments)] as const,
    ...money.flatMap(({ currency, revenue, commission }) => [
      [id, `${currency} revenue`, String(revenue)] as const,
      [id, `${currency} commission`, String(commission)] as const,
    ]),
  ].filter(([, , value]) => value !== '0');
}
