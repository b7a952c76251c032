import { dayOf } from '../../../functions/kernel/days.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import type { Key } from '../../../functions/kernel/dynamodb/keys.ts';
import { nameOf } from '../../../functions/kernel/operator/bulk-writes.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { PROGRAM } from '../../../functions/openapi/records.ts';
import { type Addend, addendOf, addendsOf } from '../../../functions/statistics/rules/addend.ts';
import { type CustomerAddend, customersOf, occurrencesIn } from '../../../functions/statistics/rules/occurrences.ts';
import { partsOf } from '../../../functions/statistics/table/count.ts';
import type { Traffic } from './referrals.ts';

/** Lists what the traffic and the entries of the demo add to the statistics. */
export function demoAddends({ clicks, expired, customers }: Traffic, entries: readonly Entry[]): Addend[] {
  const referrals = [...clicks, ...customers.map(({ referral }) => referral)];
  return [
    ...referrals.flatMap(occurrencesIn).map(addendOf),
    ...expired.map(({ slug, at }) => addendOf({ kind: 'clicks', day: dayOf(at), slug })),
    ...entries.flatMap(addendsOf),
  ];
}

/** Builds the items of the statistics: of days and of totals, as the stream of all changes would have counted them. */
export function demoStatistics(traffic: Traffic, entries: readonly Entry[]): Item[] {
  const addends = demoAddends(traffic, entries);
  const customers: CustomerAddend[] = traffic.customers.flatMap(({ referral }) => customersOf(null, referral));
  const items = new Map<string, { readonly key: Key; readonly sums: Record<string, number> }>();
  for (const { key, attribute, amount } of partsOf({ program: PROGRAM.id, addends, customers })) {
    const name = nameOf(key);
    const item = items.get(name) ?? { key, sums: {} };
    item.sums[attribute] = (item.sums[attribute] ?? 0) + amount;
    items.set(name, item);
  }
  return [...items.values()].map(({ key, sums }) => ({ ...key, ...sums }));
}
