import type { Schemas } from '../kit/api-types.ts';

export type Statement = Schemas['Statement'];
type Sums = Statement['attributes']['currencies'][number];

/** What the headline says of one currency. */
export interface MoneyTotals {
  readonly currency: string;
  /** In this month, with adjustments. */
  readonly earned: number;
  readonly balance: number;
  readonly payable: number;
}

/** Sums up each currency that the statements name, by code. `statements` are newest first, beginning with this month. */
export function moneyTotals(statements: readonly Statement[]): MoneyTotals[] {
  const codes = statements.flatMap(({ attributes }) => attributes.currencies.map(({ currency }) => currency));
  const current = statements[0]?.attributes.currencies ?? [];
  return [...new Set(codes)].sort().map((currency) => {
    const sums: Sums | undefined = current.find((each) => each.currency === currency);
    // A month without entries in the currency has no sums if its opening and closing are 0.
    const { commissions = 0, adjustments = 0, closing = 0, payable = 0 } = sums ?? {};
    return { currency, earned: commissions + adjustments, balance: closing, payable };
  });
}
