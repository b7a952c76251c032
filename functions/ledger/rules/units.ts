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

/**
 * Writes an amount in the smallest unit in units, with a point and no separators, such as `49.00` for 4900. It keeps all
 * digits: no division rounds them.
 */
export function inUnits(amount: bigint | number, currency: string): string {
  const decimals = decimalsOf(currency);
  const whole = String(amount);
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
