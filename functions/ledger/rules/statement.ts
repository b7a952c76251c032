import { addDays, type Day, type Month } from '../../kernel/days.ts';
import { type MonthSums, NO_MONTH, type Sums } from './sums.ts';

/** What decides which commissions are payable. */
export interface PaymentTerms {
  readonly today: Day;
  /** The setting of the program. */
  readonly payableAfterDays: number;
}

/** What an advocate has in one currency as of now. */
export interface Balance {
  readonly balance: bigint;
  /** The balance less what is left of payments that are too recent. It may be negative. */
  readonly payable: bigint;
  /** The first day, from today on, on which `payable` is above 0 by today's entries; `null` if no such day is known. */
  readonly payableFrom: Day | null;
  /** How many settlements the balance includes. */
  readonly settlementCount: number;
}

/** One currency of a statement. `opening` + `commissions` + `adjustments` + `settlements` = `closing`. */
export interface CurrencyStatement extends MonthSums {
  readonly currency: string;
  readonly opening: bigint;
  readonly closing: bigint;
  /** As of now, whatever the month is. */
  readonly payable: bigint;
  /** The number of all settlements until now. */
  readonly settlementCount: number;
}

/** What happened in a month in each currency that has an entry, an opening or a closing, by code. */
export interface Statement {
  readonly month: Month;
  readonly currencies: readonly CurrencyStatement[];
}

/** Returns the balance in each currency that ever had an entry. */
export function balancesOf(sums: Sums, { today, payableAfterDays }: PaymentTerms): Map<string, Balance> {
  const firstPending = addDays(today, 1 - payableAfterDays);
  const payableOf = (currency: string, balance: bigint) => {
    const pending = [...(sums.days.get(currency) ?? [])].filter(([day]) => day >= firstPending).sort(byDay);
    const payable = pending.reduce((left, [, commissions]) => left - commissions, balance);
    let then = payable;
    const isAbove = ([, commissions]: readonly [Day, bigint]) => {
      then += commissions;
      return then > 0n;
    };
    const first = payable > 0n ? undefined : pending.find(isAbove);
    const payableFrom = payable > 0n ? today : first ? addDays(first[0], payableAfterDays) : null;
    return { payable, payableFrom };
  };
  const balances = [...totalsBefore(sums, AFTER_ALL_MONTHS)];
  return new Map(
    balances.map(([currency, balance]) => {
      const settlementCount = sums.settlementCounts.get(currency) ?? 0;
      return [currency, { balance, ...payableOf(currency, balance), settlementCount }];
    }),
  );
}

const byDay = ([one]: readonly [Day, bigint], [other]: readonly [Day, bigint]) => (one < other ? -1 : 1);

/** Returns the statement of a month. */
export function statementOf(sums: Sums, month: Month, terms: PaymentTerms): Statement {
  const openings = totalsBefore(sums, month);
  const ofMonth = sums.months.get(month);
  const currencies = [...balancesOf(sums, terms)].flatMap(
    ([currency, { payable, settlementCount }]): CurrencyStatement[] => {
      const opening = openings.get(currency) ?? 0n;
      const inMonth = ofMonth?.get(currency);
      if (!inMonth && opening === 0n) return [];
      const closing = opening + changeIn(inMonth ?? NO_MONTH);
      return [{ currency, ...(inMonth ?? NO_MONTH), opening, closing, payable, settlementCount }];
    },
  );
  return { month, currencies: currencies.sort((one, other) => (one.currency < other.currency ? -1 : 1)) };
}

const AFTER_ALL_MONTHS = '~';

/** Adds up the commissions, adjustments and settlements of all earlier months, by currency. */
function totalsBefore({ months }: Sums, month: Month): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const [each, byCurrency] of months) {
    if (each >= month) continue;
    for (const [currency, sums] of byCurrency) totals.set(currency, (totals.get(currency) ?? 0n) + changeIn(sums));
  }
  return totals;
}

const changeIn = ({ commissions, adjustments, settlements }: MonthSums): bigint =>
  commissions + adjustments + settlements;
