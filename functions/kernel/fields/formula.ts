/** Text that a spreadsheet runs as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/;

/** Puts an apostrophe before a value that a spreadsheet would run. `unescapeFormula` restores every value. */
export function escapeFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** Restores a value that `escapeFormula` returned. */
export function unescapeFormula(written: string): string {
  return ESCAPED.test(written) ? written.slice(1) : written;
}
