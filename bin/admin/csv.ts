import { parse } from 'csv-parse/sync';
import { InvalidField } from '../../functions/domain/errors.ts';
import type { Line } from './import/lines.ts';

/** A text that a spreadsheet runs as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const DEFUSED = /^'+[=+\-@\t\r＝＋－＠]/;

/** The columns that a file may have, and those that it must have. */
export interface Columns<Column extends string> {
  readonly known: readonly Column[];
  readonly needed: readonly Column[];
}

/** The cells of a row by the names of their columns; `undefined` for a column that the file lacks. */
export type Cells<Column extends string> = Readonly<Partial<Record<Column, string>>>;

/** Writes a value so that no spreadsheet runs it. `withoutApostrophe` restores every value. */
export function withApostrophe(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** Restores a value that `withApostrophe` wrote. */
export function withoutApostrophe(written: string): string {
  return DEFUSED.test(written) ? written.slice(1) : written;
}

/** Parses the header, which names the file's columns in any order. Throws `InvalidField`. */
export function parseHeader<Column extends string>(
  line: Line | undefined,
  { known, needed }: Columns<Column>,
): readonly Column[] {
  if (!line) throw new InvalidField('the file', 'is empty: its first line must name its columns');
  const columns = valuesOf(line).map((name, index) => {
    const column = known.find((candidate) => candidate === name);
    if (column) return column;
    // The name is not repeated: in a file without a header, it is personal data.
    throw new InvalidField(`column ${index + 1} of the header`, `must be one of ${known.join(', ')}`);
  });
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice) throw new InvalidField('the header', `must not name the column ${twice} twice`);
  const missing = needed.find((column) => !columns.includes(column));
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
  for (const [index, column] of columns.entries()) cells[column] = withoutApostrophe(values[index] ?? '');
  return cells;
}

/** A text that is equal for rows of a program with equal cells, in any order of the columns, and for no other rows. */
export function canonicalText(program: string, cells: Cells<string>): string {
  return JSON.stringify([program, Object.entries(cells).sort(([one = ''], [other = '']) => (one < other ? -1 : 1))]);
}

/** Each line is parsed alone, so that a misplaced quote spoils no other line. */
function valuesOf(line: Line): string[] {
  if ('problem' in line) throw new InvalidField('the line', line.problem);
  try {
    const [values = []] = parse(line.text, { relax_column_count: true });
    return values;
  } catch {
    throw new InvalidField('the line', 'has a misplaced quote, or a value that continues on the next line');
  }
}
