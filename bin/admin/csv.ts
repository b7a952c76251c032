import { parse } from 'csv-parse/sync';
import { InvalidField } from '../../functions/domain/errors.ts';
import type { Line } from './import/lines.ts';

/** Text that a spreadsheet runs as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/;

/** The columns that a file may have, and the columns that it must have. */
export interface Columns<Column extends string> {
  readonly allowed: readonly Column[];
  readonly required: readonly Column[];
}

/** The cells of a row by the names of their columns; `undefined` for a column that the file lacks. */
export type Cells<Column extends string> = Readonly<Partial<Record<Column, string>>>;

/** Puts an apostrophe before a value that a spreadsheet would run. `unescapeFormula` restores every value. */
export function escapeFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** Restores a value that `escapeFormula` returned. */
export function unescapeFormula(written: string): string {
  return ESCAPED.test(written) ? written.slice(1) : written;
}

/** Parses the header, which names the file's columns in any order. Throws `InvalidField`. */
export function parseHeader<Column extends string>(
  line: Line | undefined,
  { allowed, required }: Columns<Column>,
): readonly Column[] {
  if (!line) throw new InvalidField('the file', 'is empty: its first line must name its columns');
  const columns = valuesOf(line).map((name, index) => {
    const column = allowed.find((candidate) => candidate === name);
    if (column) return column;
    // The name is not repeated: in a file without a header, it is personal data.
    throw new InvalidField(`column ${index + 1} of the header`, `must be one of ${allowed.join(', ')}`);
  });
  const duplicate = columns.find((column, index) => columns.indexOf(column) !== index);
  if (duplicate) throw new InvalidField('the header', `must not name the column ${duplicate} twice`);
  const missing = required.find((column) => !columns.includes(column));
  if (missing) throw new InvalidField('the header', `must name the column ${missing}`);
  return columns;
}

/** Parses a line below the header. Throws `InvalidField`. */
export function parseRow<Column extends string>(line: Line, columns: readonly Column[]): Cells<Column> {
  const values = valuesOf(line);
  if (values.length !== columns.length) {
    throw new InvalidField('the line', `has ${values.length} columns, but the header has ${columns.length}`);
  }
  const cells: Partial<Record<Column, string>> = {};
  for (const [index, column] of columns.entries()) cells[column] = unescapeFormula(values[index] ?? '');
  return cells;
}

/** Serializes a row. Two texts are equal if and only if program and cells are, in any order of the columns. */
export function canonicalText(program: string, cells: Cells<string>): string {
  return JSON.stringify([program, Object.entries(cells).sort(([one = ''], [other = '']) => (one < other ? -1 : 1))]);
}

/** Each line is parsed alone, so that a misplaced quote affects no other line. */
function valuesOf(line: Line): string[] {
  if ('problem' in line) throw new InvalidField('the line', line.problem);
  try {
    const [values = []] = parse(line.text, { relax_column_count: true });
    return values;
  } catch {
    throw new InvalidField('the line', 'has a misplaced quote, or a value that continues on the next line');
  }
}
