import { moneyList, type Totals } from '../accounts/rules/totals.ts';
import { InvalidField } from '../errors.ts';
import { parseCurrency } from '../fields/money.ts';
import { exact } from './schema.ts';

const COUNT = { type: 'integer', minimum: 0 } as const;
const NUMBERS = {
  clicks: { ...COUNT, description: 'Stored clicks.' },
  conversions: { ...COUNT, description: 'Customers who converted.' },
  paying: { ...COUNT, description: 'Customers who paid for the first time.' },
  churned: COUNT,
  rejected: { ...COUNT, description: 'Referrals and clicks that were rejected.' },
} as const;

/** A sum, which has all its digits. */
export const sum = (description: string) => ({ type: 'integer', description }) as const;
/** Money by currency, as statistics and totals return it. */
export const MONEY = {
  type: 'array',
  description:
    "By the code of the currency, in the currency's smallest unit; currencies without a number are left out. Sums have all their digits.",
  items: /* @__PURE__ */ exact({
    currency: { type: 'string', description: 'The code of ISO 4217 in lower case.' },
    revenue: sum('Payments less refunds. It may be negative.'),
    commissions: sum('Commissions, less what refunds and voids took back.'),
    adjustments: sum('Bonuses and corrections.'),
    settled: sum('What was paid to advocates.'),
  }),
} as const;
export const SUMS = { ...NUMBERS, money: MONEY } as const;

/** Numbers and money as responses have them. Money is `bigint`: `exactNumbers` keeps all its digits in JSON. */
export const toSums = ({ numbers, money }: Totals) => ({ ...numbers, money: moneyList(money) });

/** Checks the currency of a sort, which only sorts by money have. Throws `InvalidField`. */
export function parseSortCurrency(
  text: string | undefined,
  sort: string,
  moneySorts: readonly string[],
): string | undefined {
  if (text === undefined) return undefined;
  if (!moneySorts.includes(sort)) {
    const names = moneySorts.join(', ').replace(/, (?=\w+$)/, ' or ');
    throw new InvalidField('currency', `requires a sort by ${names}: add it, or remove currency`);
  }
  return parseCurrency('currency', text);
}
