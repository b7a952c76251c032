import { addDays, type Day, dayOf, type Month, monthOf } from '../../kernel/days.ts';
import type { Entry } from './entry-fields.ts';
import type { SUMMED } from './statement-file.ts';

/** The sums of a month in one currency: of amounts for `payments` and `refunds`, else of commissions. */
export type MonthSums = Readonly<Record<(typeof SUMMED)[number], bigint>>;

/** What is added up of the entries of one advocate. `addEntry` changes it. */
export interface Sums {
  /** By month of `createdAt`, then by currency. A currency with an entry is present, even if its sums are 0. */
  readonly months: Map<Month, Map<string, MonthSums>>;
  /** What is left of the commissions of payments, by currency, then by day of the payment. */
  readonly days: Map<string, Map<Day, bigint>>;
  /** How many settlements were counted, by currency. */
  readonly settlementCounts: Map<string, number>;
}

export const noSums = (): Sums => ({ months: new Map(), days: new Map(), settlementCounts: new Map() });

export const NO_MONTH: MonthSums = { payments: 0n, refunds: 0n, commissions: 0n, adjustments: 0n, settlements: 0n };

/** Days for which the commissions of payments are known: more than the longest time until they become payable. */
export const KEPT_DAYS = 370;

/** Adds an entry to the sums. The order of entries does not matter. */
export function addEntry({ months, days, settlementCounts }: Sums, entry: Entry): void {
  const { currency, paidAt } = entry;
  if (entry.isCounted) settlementCounts.set(currency, (settlementCounts.get(currency) ?? 0) + 1);
  const ofMonth = inMap(months, monthOf(dayOf(entry.createdAt)));
  const before = ofMonth.get(currency) ?? NO_MONTH;
  ofMonth.set(currency, addUp(before, addendsOf(entry)));
  if (paidAt === null) return;
  const byDay = inMap(days, currency);
  const day = dayOf(paidAt);
  byDay.set(day, (byDay.get(day) ?? 0n) + BigInt(entry.commission));
}

/** Removes the days before which every payment is payable. */
export function forgetOldDays({ days }: Sums, today: Day): void {
  const first = addDays(today, -KEPT_DAYS);
  for (const byDay of days.values()) {
    for (const day of byDay.keys()) if (day < first) byDay.delete(day);
  }
}

function addendsOf({ kind, amount, commission }: Entry): Partial<MonthSums> {
  switch (kind) {
    case 'payment':
      return { payments: BigInt(amount ?? 0), commissions: BigInt(commission) };
    case 'refund':
      return { refunds: BigInt(amount ?? 0), commissions: BigInt(commission) };
    case 'void':
      return { commissions: BigInt(commission) };
    case 'adjustment':
      return { adjustments: BigInt(commission) };
    case 'settlement':
      return { settlements: BigInt(commission) };
  }
}

/** Adds two sums of the same month. */
function addUp(one: MonthSums, other: Partial<MonthSums>): MonthSums {
  return {
    payments: one.payments + (other.payments ?? 0n),
    refunds: one.refunds + (other.refunds ?? 0n),
    commissions: one.commissions + (other.commissions ?? 0n),
    adjustments: one.adjustments + (other.adjustments ?? 0n),
    settlements: one.settlements + (other.settlements ?? 0n),
  };
}

/** Returns the map under a key of another map. Adds it if it is missing. */
export function inMap<Value>(outer: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const inner = outer.get(key) ?? new Map<string, Value>();
  outer.set(key, inner);
  return inner;
}
