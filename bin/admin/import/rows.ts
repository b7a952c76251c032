import { parse } from 'csv-parse/sync';
import { InvalidField } from '../../../functions/domain/errors.ts';
import { withoutApostrophe } from '../formula.ts';
import type { Line } from './lines.ts';

/** The columns that a kind of file may have, and those of them that it must have. */
export interface Columns<Column extends string> {
  readonly known: readonly Column[];
  readonly needed: readonly Column[];
}

/** The cells of a line by the names of their columns; none of a column that the file lacks. */
export type Cells<Column extends string> = Readonly<Partial<Record<Column, string>>>;

/** Reads the names of a file's columns, in any order. Throws `InvalidField`. */
export function parseHeader<Column extends string>(
  line: Line | undefined,
  { known, needed }: Columns<Column>,
): readonly Column[] {
  if (!line) throw new InvalidField('the file', 'is empty: its first line must name its columns');
  const columns = valuesOf(line).map((name, index) => {
    const column = known.find((candidate) => candidate === name);
    if (column) return column;
    // The name is not repeated: where the header was forgotten it is somebody's data.
    throw new InvalidField(`column ${index + 1} of the header`, `must be one of ${known.join(', ')}`);
  });
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice) throw new InvalidField('the header', `must not name the column ${twice} twice`);
  const missing = needed.find((column) => !columns.includes(column));
  if (missing) throw new InvalidField('the header', `must name the column ${missing}`);
  return columns;
}

/** Reads the cells of a line below the header. Throws `InvalidField`. */
export function parseRow<Column extends string>(line: Line, columns: readonly Column[]): Cells<Column> {
  const values = valuesOf(line);
  if (values.length !== columns.length) {
    throw new InvalidField('the line', `has ${values.length} columns, but the header ${columns.length}`);
  }
  const cells: Partial<Record<Column, string>> = {};
  for (const [index, column] of columns.entries()) cells[column] = withoutApostrophe(values[index] ?? '');
  return cells;
}

/** What a line says, in words that are the same in whatever order its columns are. */
export function textOf(program: string, cells: Cells<string>): string {
  return JSON.stringify([program, Object.entries(cells).sort(([one = ''], [other = '']) => (one < other ? -1 : 1))]);
}

/** Each line is parsed by itself, so that a quote in the wrong place spoils no other line. */
function valuesOf(line: Line): string[] {
  if ('problem' in line) throw new InvalidField('the line', line.problem);
  try {
    const [values = []] = parse(line.text, { relax_column_count: true });
    return values;
  } catch {
    throw new InvalidField('the line', 'has a quote in the wrong place, or a value that goes on in the next line');
  }
}
