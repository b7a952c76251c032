import { InvalidField } from '../errors.ts';

/** The largest amount and commission of an entry. Amounts are whole numbers in the smallest unit of a currency. */
export const MAX_AMOUNT = 1_000_000_000_000;

let currencies: ReadonlySet<string> | undefined;

/** The codes of all currencies (ISO 4217), in lower case. They are listed once, because `Intl` takes a millisecond. */
function knownCurrencies(): ReadonlySet<string> {
  currencies ??= new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
  return currencies;
}

/** True for the code of a currency in lower case. */
export function isCurrency(text: string): boolean {
  return knownCurrencies().has(text);
}

/** Checks a currency: the code of ISO 4217 in lower case. Throws `InvalidField`. */
export function parseCurrency(field: string, text: string): string {
  if (!isCurrency(text)) {
    throw new InvalidField(field, 'must be the code of a currency in lower case, such as usd');
  }
  return text;
}

/** Returns `dividend / divisor` rounded half away from zero. The divisor is positive. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

/** A percentage with 6 decimals is a whole number of hundred-millionths. */
const DECIMALS = 1_000_000;

/** Returns the commission of an amount: `amount * rate / 100`, rounded half away from zero. The rate is in percent. */
export function commissionOf(amount: number, rate: number): number {
  const whole = BigInt(Math.round(rate * DECIMALS));
  return Number(roundedQuotient(BigInt(amount) * whole, BigInt(100 * DECIMALS)));
}

/** Returns the share `part / whole` of an amount, rounded half away from zero. */
export function shareOf(amount: number, part: number, whole: number): number {
  return Number(roundedQuotient(BigInt(amount) * BigInt(part), BigInt(whole)));
}
