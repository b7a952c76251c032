import type { Writable } from 'node:stream';
import CliTable from 'cli-table3';
import type { Command } from 'commander';

/** A value as in the JSON. Times are Unix seconds, with a name that ends in `_at` or `_date`. */
type Value = string | number | boolean | null | readonly string[];

/** The fields of one object, in the order in which they are shown. */
export type Fields = Readonly<Record<string, Value>>;

/** The result of a command: as JSON for programs, as text for people. */
export interface Rendered {
  readonly json: unknown;
  readonly text: string;
}

/** Renders one object. The text is a table of two columns, which also shows the fields `more`, followed by `remark`. */
export function renderObject(fields: Fields, more: Fields = {}, remark?: string): Rendered {
  const rows = Object.entries({ ...fields, ...more }).map(([name, value]) => [label(name), cell(name, value)]);
  const text = remark === undefined ? draw(rows) : `${draw(rows)}\n${remark}`;
  return { json: fields, text };
}

/** Renders a list. The text is a table with the given columns, or `emptyText` if the list is empty. */
export function renderList<Row extends Fields>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  emptyText: string,
): Rendered {
  const cells = rows.map((row) => columns.map((name) => cell(name, row[name])));
  return { json: rows, text: rows.length > 0 ? draw(cells, columns.map(label)) : emptyText };
}

/** Returns an action for commander that calls `run` and writes its result: as JSON with `--json`, else as text. */
export function withOutput<Options>(
  output: Writable,
  run: (options: Options) => Promise<Rendered>,
): (options: Options, command: Command) => Promise<void> {
  return async (options, command) => {
    const { json, text } = await run(options);
    output.write(`${wantsJson(command) ? JSON.stringify(json) : text}\n`);
  };
}

/** Returns true if the command was called with `--json`. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

function label(name: string): string {
  return name.replaceAll('_', ' ');
}

function cell(name: string, value: Value | undefined): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return /_(?:at|date)$/.test(name) ? rfc3339(value) : String(value);
  if (typeof value === 'string') return value;
  return value.length > 0 ? value.join('\n') : '–';
}

/** Formats Unix seconds by RFC 3339, in UTC. */
function rfc3339(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
}

function draw(rows: readonly string[][], head?: string[]): string {
  // No colors: the output may go to a file, and the terminal's theme is not known.
  const style = { head: [], border: [], compact: true };
  const table = new CliTable(head ? { head, style } : { style });
  table.push(...rows);
  return table.toString();
}
