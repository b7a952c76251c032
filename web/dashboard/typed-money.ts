import { ApiError } from '../kit/api-error.ts';
import { decimalsOf, parseMoney } from '../kit/money.ts';
import { DASHBOARD } from '../words/dashboard.ts';

/** Reads a typed amount in units, such as `49.00`. Throws a sentence to show. */
export function readMoney(amount: string, currency: string): { amount: number; currency: string } {
  const code = currency.trim().toLowerCase();
  if (!/^[a-z]{3}$/.test(code)) throw new ApiError(DASHBOARD.wrongCurrency, -1);
  const read = parseMoney(amount, code);
  if (read === undefined) throw new ApiError(DASHBOARD.wrongAmount(code, decimalsOf(code)), -1);
  return { amount: read, currency: code };
}
