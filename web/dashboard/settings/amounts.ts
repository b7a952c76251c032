import { inUnits } from '../../../functions/ledger/rules/units.ts';
import { parseMoney } from '../../kit/format.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { fault } from './fields.ts';

type Amounts = Readonly<Record<string, number>>;

/** Writes amounts by currency, such as "20.00 EUR, 22.00 USD". */
export const amountsText = (amounts: Amounts): string =>
  Object.entries(amounts)
    .map(([currency, amount]) => `${inUnits(amount, currency)} ${currency.toUpperCase()}`)
    .join(', ');

/**
 * Reads such amounts, one for each currency. A single amount without a currency has the only one that the ledger has.
 * Throws a `fault`.
 */
export function parseAmounts(text: string, name: string, only?: string): Amounts {
  // Between digits, a comma would be read as the end of an amount.
  if (/\d,\d/.test(text)) throw fault(name, PAYOUTS.decimalPoint);
  const parts = text.split(/[,;\n]/).filter((part) => part.trim() !== '');
  const amounts: Record<string, number> = {};
  for (const part of parts) {
    const [currency, amount] = parseAmount(part, name, parts.length === 1 ? only : undefined);
    if (currency in amounts) throw fault(name, PAYOUTS.twice(currency.toUpperCase()));
    amounts[currency] = amount;
  }
  return amounts;
}

function parseAmount(part: string, name: string, only: string | undefined): [currency: string, amount: number] {
  const [, before, amount, after] = /^\s*([a-z]{3})?\s*(\d[\d.]*)\s*([a-z]{3})?\s*$/i.exec(part) ?? [];
  if (amount === undefined || (before && after)) throw fault(name, SETTINGS.notAmounts);
  const currency = (before ?? after ?? only)?.toLowerCase();
  if (currency === undefined) throw fault(name, SETTINGS.noCurrency);
  const smallest = parseMoney(amount, currency);
  if (smallest === undefined) throw fault(name, SETTINGS.notAmounts);
  return [currency, smallest];
}
