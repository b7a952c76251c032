/**
 * The decimals of the ledger's smallest unit by currency; all others have 2 (docs/payments.md, Amounts). Intl's own
 * decimals differ: it has none for HUF, COP or IDR, whose amounts are hundredths here.
 */
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('bhd jod kwd omr tnd'.split(' ').map((code) => [code, 3])),
};

/** Returns the number of decimals of an amount in the smallest unit of a currency. */
export function decimalsOf(currency: string): number {
  return DECIMALS[currency.toLowerCase()] ?? 2;
}

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

/** Writes an amount in units with a point and no separators, such as `49.00`. */
export function moneyInUnits(amount: number, currency: string): string {
  return (amount / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));
}

/** Reads an amount in units, such as `49` or `49.00`, exactly. Returns it in the smallest unit, or `undefined`. */
export function parseMoney(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, sign = '', units, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (units === undefined || part.length > decimals) return undefined;
  const amount = Number(sign + units + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
