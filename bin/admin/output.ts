import CliTable from 'cli-table3';
import type { Command } from 'commander';

/** A value as the JSON has it. Times are Unix seconds under a name that ends in `_at` or `_date`. */
type Value = string | number | boolean | null | readonly string[];

/** The facts of one object, in the order in which they are shown. */
export type Fields = Readonly<Record<string, Value>>;

/** What a command answers: the same facts for programs, in JSON, and for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
}

/** Answers one object: a table of two columns. People also get the facts `more` and below the table a `remark`. */
export function one(facts: Fields, more: Fields = {}, remark?: string): Answer {
  const rows = Object.entries({ ...facts, ...more }).map(([name, value]) => [label(name), cell(name, value)]);
  const text = remark === undefined ? draw(rows) : `${draw(rows)}\n${remark}`;
  return { json: facts, text };
}

/** Answers a list: a table with the named columns, or the sentence `none` where the list is empty. */
export function many<Row extends Fields>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  none: string,
): Answer {
  const cells = rows.map((row) => columns.map((name) => cell(name, row[name])));
  return { json: rows, text: rows.length > 0 ? draw(cells, columns.map(label)) : none };
}

/** Makes a command's action: runs it, then writes what it answers in the way that `--json` asks for. */
export function withOutput<Options>(
  write: (text: string) => void,
  run: (options: Options) => Promise<Answer>,
): (options: Options, command: Command) => Promise<void> {
  return async (options, command) => {
    const { json, text } = await run(options);
    const { json: asJson } = command.optsWithGlobals<{ json?: true }>();
    write(`${asJson ? JSON.stringify(json) : text}\n`);
  };
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

/** A time in Unix seconds as people read it, in UTC. */
function rfc3339(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
}

function draw(rows: readonly string[][], head?: string[]): string {
  // No colours: the output may go to a file, and a terminal's theme is not known.
  const style = { head: [], border: [], compact: true };
  const table = new CliTable(head ? { head, style } : { style });
  table.push(...rows);
  return table.toString();
}
