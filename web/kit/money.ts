import { decimalsOf } from '../../functions/domain/ledger/units.ts';

/** The formats by locale and currency: to create one takes far longer than to use it. */
const FORMATS = new Map<string, Intl.NumberFormat>();

/** Writes an amount in the smallest unit as money, such as `$49.00` for 4900. */
export function formatMoney(amount: number, currency: string, locale?: string): string {
  const decimals = decimalsOf(currency);
  const key = `${locale} ${currency}`;
  const format =
    FORMATS.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  FORMATS.set(key, format);
  return format.format(amount / 10 ** decimals);
}

/** Reads an amount in units, such as `49` or `49.00`, exactly. Returns it in the smallest unit, or `undefined`. */
export function parseMoney(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, sign = '', units, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (units === undefined || part.length > decimals) return undefined;
  const amount = Number(sign + units + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
