/** What a spreadsheet takes for a formula (https://owasp.org/www-community/attacks/CSV_Injection), and what stands for it. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const DEFUSED = /^'+[=+\-@\t\r＝＋－＠]/;

/** A value as it stands in a CSV file: no spreadsheet runs it, and `withoutApostrophe` reads every value back. */
export function withApostrophe(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** Reads a value as `withApostrophe` wrote it. */
export function withoutApostrophe(written: string): string {
  return DEFUSED.test(written) ? written.slice(1) : written;
}
