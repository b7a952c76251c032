/** Text that a spreadsheet runs as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/;

/** Puts an apostrophe before a value that a spreadsheet would run. `unescapeFormula` restores every value. */
export function escapeFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** Writes a cell of a CSV file (RFC 4180) that no spreadsheet runs. */
export function quotedCell(value: string): string {
  const text = escapeFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Restores a value that `escapeFormula` returned. */
export function unescapeFormula(written: string): string {
  return ESCAPED.test(written) ? written.slice(1) : written;
}
