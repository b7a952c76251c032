// What commissions must be, computed with decimal digits as on paper: neither with BigInt nor with fractions of numbers,
// so that it shares no mistake with `functions/kernel/fields/money.ts`.

/** Returns the digits of the product of two whole numbers, which are given as digits. */
function product(one: string, other: string): string {
  const digits = new Array<number>(one.length + other.length).fill(0);
  for (let low = 0; low < one.length; low += 1) {
    for (let high = 0; high < other.length; high += 1) {
      const at = low + high;
      const sum = (digits[at] ?? 0) + Number(one.at(-1 - low)) * Number(other.at(-1 - high));
      digits[at] = sum % 10;
      digits[at + 1] = (digits[at + 1] ?? 0) + Math.floor(sum / 10);
    }
  }
  return digits.toReversed().join('');
}

/** Divides a whole number, given as digits, by hand. A half is rounded up. The divisor is at most 10^12. */
function rounded(dividend: string, divisor: number): number {
  let quotient = '';
  let rest = 0;
  for (const digit of dividend) {
    rest = rest * 10 + Number(digit);
    quotient += Math.floor(rest / divisor);
    rest %= divisor;
  }
  return Number(quotient) + (rest * 2 >= divisor ? 1 : 0);
}

/** The commission of an amount at a rate in percent with at most 6 decimals. */
export function expectedCommission(amount: number, rate: number): number {
  return rounded(product(String(amount), rate.toFixed(6).replace('.', '')), 100_000_000);
}

/** What is left of a commission after a part of its amount was refunded. */
export function expectedLeft(commission: number, amount: number, refunded: number): number {
  return rounded(product(String(commission), String(amount - refunded)), amount);
}
