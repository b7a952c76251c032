import { balanceOf, isNoMoney, type Money, type Numbers } from '../../kernel/accounts/rules/totals.ts';

/** By what advocates can be sorted, the largest first. */
export const NUMBER_SORTS = ['paying', 'conversions', 'clicks'] as const;
export type NumberSort = (typeof NUMBER_SORTS)[number];
/** The sorts by money need a currency. */
export const MONEY_SORTS = ['revenue', 'commissions', 'balance'] as const;
export type MoneySort = (typeof MONEY_SORTS)[number];

export const isMoneySort = (sort: NumberSort | MoneySort): sort is MoneySort =>
  MONEY_SORTS.some((each) => each === sort);

/** The values by which an advocate is sorted. The first sort also compares equal advocates by the others. */
export function valuesOf(sort: NumberSort, { paying, conversions, clicks }: Numbers): bigint[] {
  switch (sort) {
    case 'paying':
      return [BigInt(paying), BigInt(conversions), BigInt(clicks)];
    case 'conversions':
      return [BigInt(conversions)];
    case 'clicks':
      return [BigInt(clicks)];
  }
}

/** The values of a sort by money; `undefined` without money in the currency. */
export function moneyValuesOf(sort: MoneySort, money: Money | undefined): bigint[] | undefined {
  if (!money || isNoMoney(money)) return undefined;
  return [sort === 'balance' ? balanceOf(money) : money[sort]];
}
