import type { Kind } from '../../kernel/accounts/rules/totals.ts';

/** By what the list of advocates is sorted besides `created_at`: by lifetime totals, the largest first. */
export const MONEY_SORTS = ['earned', 'balance', 'revenue'] as const;
export type MoneySort = (typeof MONEY_SORTS)[number];
export const NUMBER_SORTS = ['paying', 'conversions', 'clicks'] as const satisfies readonly Kind[];
export type NumberSort = (typeof NUMBER_SORTS)[number];

export const isMoneySort = (sort: string): sort is MoneySort => MONEY_SORTS.some((each) => each === sort);
