import { quotedCell } from '../../functions/kernel/fields/formula.ts';

export const MAX_ROWS = 10_000;

/** A value of a row. `decimal` is a number with all its decimals, such as money in units. */
export type Cell = string | number | boolean | null | undefined | { readonly decimal: string };

/** Writes a CSV file (RFC 4180) whose first line names the columns. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');
}

/**
 * Writes a cell. Spreadsheets would run a text that begins like a formula, and any visitor can write a sub id: such a text
 * gets an apostrophe before it. Numbers are never formulas.
 */
function writeCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value.decimal;
  if (typeof value !== 'string') return String(value);
  return quotedCell(value);
}

/** A moment (Unix seconds) by RFC 3339. */
export function timestamp(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The cells of an object of the API: its id, and the attributes of the other columns. Times are Unix seconds. */
export function cellsOf<Name extends string>(
  columns: readonly ('id' | Name)[],
  { id, attributes }: { readonly id: string; readonly attributes: Readonly<Record<Name, Cell | readonly string[]>> },
): Cell[] {
  return columns.map((name) => {
    if (name === 'id') return id;
    const value: Cell | readonly string[] = attributes[name];
    if (isList(value)) return value.join(' ');
    return typeof value === 'number' && /_(?:at|date)$/.test(name) ? timestamp(value) : value;
  });
}

const isList = (value: Cell | readonly string[]): value is readonly string[] => Array.isArray(value);

export interface CsvPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/**
 * Reads a list page by page, up to 10,000 rows. `isCut` says that the list has more. `onProgress` is called after each
 * page.
 */
export async function readRows<Row>(
  read: (cursor: string | undefined) => Promise<CsvPage<Row>>,
  onProgress: (rows: number) => void,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = [];
  let next: string | undefined;
  do {
    const page = await read(next);
    rows.push(...page.rows);
    next = page.next;
    onProgress(Math.min(rows.length, MAX_ROWS));
  } while (next !== undefined && rows.length < MAX_ROWS);
  return { rows: rows.slice(0, MAX_ROWS), isCut: next !== undefined || rows.length > MAX_ROWS };
}
