/** What is counted of an advocate and of a program (docs/contract/referrals.md, Statistics), in the order of responses. */
export const KINDS = ['clicks', 'conversions', 'paying', 'churned', 'rejected'] as const;
export type Kind = (typeof KINDS)[number];
/** A number for each kind. */
export type Numbers = Readonly<Record<Kind, number>>;
export const NO_NUMBERS: Numbers = { clicks: 0, conversions: 0, paying: 0, churned: 0, rejected: 0 };

/** What is added up of the entries of the ledger, in the smallest unit of a currency, in the order of responses. */
export const MONEY_KINDS = ['revenue', 'commissions', 'adjustments', 'settled'] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];
export type Money = Readonly<Record<MoneyKind, bigint>>;
export type MoneyByCurrency = ReadonlyMap<string, Money>;
export const NO_MONEY: Money = { revenue: 0n, commissions: 0n, adjustments: 0n, settled: 0n };

/** The lifetime sums of an advocate, or of a program. */
export interface Totals {
  readonly numbers: Numbers;
  readonly money: MoneyByCurrency;
}

export const NO_TOTALS: Totals = { numbers: NO_NUMBERS, money: new Map() };

/** True if every number is 0. */
export const isNothing = (numbers: Numbers): boolean => KINDS.every((kind) => numbers[kind] === 0);
export const isNoMoney = (money: Money): boolean => MONEY_KINDS.every((kind) => money[kind] === 0n);

/** What an advocate has earned, whether it was paid or not. */
export const earnedOf = ({ commissions, adjustments }: Money): bigint => commissions + adjustments;
/** What an advocate has earned and was not paid. It may be negative. */
export const balanceOf = (money: Money): bigint => earnedOf(money) - money.settled;

/** Returns the currency with the largest revenue; `undefined` without one. Equal ones go by code. */
export function mainCurrency(money: MoneyByCurrency): string | undefined {
  const [first] = [...money].sort(
    ([one, { revenue }], [other, { revenue: largest }]) => compareDown(revenue, largest) || (one < other ? -1 : 1),
  );
  return first?.[0];
}

/** Compares two values, the larger one first. */
export const compareDown = (one: bigint, other: bigint): number => (one === other ? 0 : one > other ? -1 : 1);

/** Lists money by the code of the currency. Currencies without a number are left out. */
export function moneyList(money: MoneyByCurrency): ({ readonly currency: string } & Money)[] {
  return [...money]
    .filter(([, sums]) => !isNoMoney(sums))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sums]) => ({ currency, ...sums }));
}
