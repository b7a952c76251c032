import type { Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { type Clock, rfc3339 } from '../../functions/domain/time.ts';
import type { Failure } from './errors.ts';
import { drawFields, drawRows } from './layout.ts';

/** A value as in the JSON. Times are Unix seconds, with a name that ends in `_at`, `_date` or `_since`. */
type Value = string | number | bigint | boolean | null | readonly string[] | Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, Value>>;

/** Standard output. A terminal has columns; a file or a pipe has none. */
export interface Output extends Writable {
  readonly columns?: number;
}

/** The result of a command, for programs and for people. */
export interface Rendered {
  readonly json: unknown;
  /** `width` is `Infinity` if the output is not a terminal. */
  readonly text: (width: number) => string;
  /** Ends the command after the result is written. */
  readonly failure?: Failure | undefined;
}

/** Values that people copy, and times: a table never wraps them. */
const WHOLE = /^advocate$|(?:^|_)(?:id|uid|slug|key|token|at|date|since)$/;

/** Renders one object. The text is a table of two columns, which also shows the fields `more`, followed by `remark`. */
export function renderObject(fields: Fields, more: Fields = {}, remark?: string): Rendered {
  const shown = Object.entries({ ...fields, ...more });
  const labels = shown.map(([name]) => label(name));
  const values = shown.map(([name, value]) => cell(name, value));
  const end = remark === undefined ? '' : `\n${remark}`;
  return { json: fields, text: (width) => `${drawFields(labels, values, width)}${end}` };
}

/** Renders a list. The text is a table with the given columns, or `emptyText` if the list is empty. */
export function renderList<Row extends Fields>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  emptyText: string,
): Rendered {
  const cells = rows.map((row) => columns.map((name) => cell(name, row[name])));
  const shown = columns.map((name) => ({ label: label(name), isWhole: WHOLE.test(name) }));
  return { json: rows, text: (width) => (rows.length > 0 ? drawRows(shown, cells, width) : emptyText) };
}

/** True if the command was called with `--json`. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

const label = (name: string) => name.replaceAll('_', ' ');

function cell(name: string, value: Value | undefined): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return /_(?:at|date|since)$/.test(name) ? rfc3339(value) : String(value);
  if (typeof value === 'string' || typeof value === 'bigint') return String(value);
  const lines = Array.isArray(value) ? value : Object.entries(value).map(([key, text]) => `${key}: ${text}`);
  return lines.length > 0 ? lines.join('\n') : '–';
}

/** Milliseconds after which progress is shown. */
const PROGRESS_DELAY = 1000;

/** Runs `work`, which can show its progress on a terminal once it takes long. `format` is the text for cli-progress. */
export async function withProgress<Result>(
  format: string,
  clock: Clock,
  work: (show: (value: number, total?: number) => void) => Promise<Result>,
): Promise<Result> {
  const bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic);
  const showFrom = clock() + PROGRESS_DELAY;
  try {
    return await work((value, total = 0) => {
      if (bar.isActive) bar.update(value);
      else if (clock() >= showFrom) bar.start(total, value);
    });
  } finally {
    bar.stop();
  }
}
