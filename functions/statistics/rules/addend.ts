import type { Kind, MoneyKind } from '../../kernel/accounts/rules/totals.ts';
import { type Day, dayOf } from '../../kernel/days.ts';
import { addedTo } from '../../ledger/rules/day-money.ts';
import type { Entry } from '../../ledger/rules/entry-fields.ts';
import type { Occurrence } from './occurrences.ts';

/** The kind of the customers of an advocate who paid and are not rejected: a total only. */
export const CUSTOMERS = 'customers';

/** A number of statistics: what is counted, or money of a currency. Days have only these. */
type DailyField =
  | { readonly kind: Kind; readonly currency: null }
  | { readonly kind: MoneyKind; readonly currency: string };
export type Field = DailyField | { readonly kind: typeof CUSTOMERS; readonly currency: null };

/** What one record of the stream adds to one number of a day, of its advocate and of the program. */
export type Addend = DailyField & { readonly day: Day; readonly slug: string; readonly amount: number };

/** Something happened once. */
export const addendOf = (occurrence: Occurrence): Addend => ({ ...occurrence, currency: null, amount: 1 });

/** Returns what an entry of the ledger adds to the day on which it was recorded. */
export function addendsOf(entry: Entry): Addend[] {
  const { advocateSlug: slug, currency, createdAt } = entry;
  return addedTo(entry).map(([kind, amount]) => ({ kind, currency, slug, day: dayOf(createdAt), amount }));
}
