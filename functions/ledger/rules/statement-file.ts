// The pages import this file, so it imports nothing that needs Node.

/** What is added up of the entries of a month, in the order in which it is stored. */
export const SUMMED = ['payments', 'refunds', 'commissions', 'adjustments', 'settlements'] as const;

/** The columns with money of a statement's file, in units. `opening` and what follows it add up to `closing`. */
export const STATEMENT_MONEY = ['opening', ...SUMMED, 'closing', 'payable'] as const;

/** The columns of a statement's file, with a row for each advocate, month and currency: on the pages and in a shell. */
export const STATEMENT_COLUMNS = ['affiliate_slug', 'month', 'currency', ...STATEMENT_MONEY] as const;
