import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';
import CliTable from 'cli-table3';
import type { Command } from 'commander';
import stringWidth from 'string-width';
import { type Clock, rfc3339 } from '../../functions/kernel/time.ts';
import type { Failure } from './errors.ts';

/** A value as in the JSON. Times are Unix seconds, with a name that ends in `_at`, `_date` or `_since`. */
type Value = string | number | bigint | boolean | null | readonly string[] | Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, Value>>;

export interface Output extends Writable {
  readonly columns?: number;
}

export interface Rendered {
  readonly json: unknown;
  /** `width` is `Infinity` if the output is not a terminal. */
  readonly text: (width: number) => string;
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

/** Renders a list. The text is a table with the given columns, followed by `remark`, or `emptyText`. */
export function renderList<Row extends Fields>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  emptyText: string,
  remark?: string,
): Rendered {
  const cells = rows.map((row) => columns.map((name) => cell(name, row[name])));
  const shown = columns.map((name) => ({ label: label(name), isWhole: WHOLE.test(name) }));
  const end = remark === undefined ? '' : `\n${remark}`;
  return { json: rows, text: (width) => (rows.length > 0 ? drawRows(shown, cells, width) : emptyText) + end };
}

/** The fields of a resource of the API in one object. */
export function flat<Attributes extends object>({ id, attributes }: { id: string; attributes: Attributes }) {
  return { id, ...attributes };
}

/** Writes pieces as fast as they are read, so that memory contains one of them. After an error, the earlier ones are written. */
export async function writePieces(output: Output, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) if (!output.write(piece)) await once(output, 'drain');
}

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

/** A column of a table. The values of a whole column, such as ids, are never wrapped, so that they can be copied. */
interface Column {
  readonly label: string;
  readonly isWhole: boolean;
}

/** Narrowest column into which longer values are wrapped, in terminal cells. */
const MIN_WIDTH = 14;
/** Cells that each column needs beside its values: a border and two spaces. */
const FRAME = 3;
const GAP = '  ';

/** Draws rows as a table of at most `width` cells: wraps headers, then long values. If that is too wide, as lines. */
function drawRows(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const widths = columnWidths(columns, rows, width - FRAME * columns.length - 1);
  if (widths) {
    const wrapped = (cells: readonly string[]) => cells.map((text, index) => wrap(text, widths[index] ?? 0));
    return draw(rows.map(wrapped), wrapped(columns.map(({ label }) => label)));
  }
  const labels = columns.map(({ label }) => label);
  return rows.map((row) => drawLines(labels, row, width)).join('\n\n');
}

/** Draws one object as a table of two columns, or as lines if the table is wider than `width`. */
function drawFields(labels: readonly string[], values: readonly string[], width: number): string {
  const isWide = cellsOf(labels) + cellsOf(values) + 2 * FRAME + 1 > width;
  return isWide ? drawLines(labels, values, width) : draw(labels.map((label, index) => [label, values[index] ?? '']));
}

function columnWidths(columns: readonly Column[], rows: readonly (readonly string[])[], available: number) {
  const values = columns.map((_, index) => cellsOf(rows.map((row) => row[index] ?? '')));
  const natural = columns.map(({ label }, index) => Math.max(cellsOf([label]), values[index] ?? 0));
  if (sum(natural) <= available) return natural;
  const words = columns.map(({ label }) => cellsOf(label.split(' ')));
  const widths = words.map((word, index) => Math.max(word, values[index] ?? 0));
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    const shrinkable = widths.map((cells, index) =>
      columns[index]?.isWhole || cells <= Math.max(words[index] ?? 0, MIN_WIDTH) ? 0 : cells,
    );
    const widest = Math.max(...shrinkable);
    if (widest === 0) return undefined;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Draws labels and values as lines. Words are never cut: a long word has a line of its own below its label. */
function drawLines(labels: readonly string[], values: readonly string[], width: number): string {
  const column = cellsOf(labels);
  return labels
    .map((label, index) => {
      const value = values[index] ?? '';
      const longest = cellsOf(value.split(/\s/));
      const left = width - column - GAP.length;
      const start = label.padEnd(column) + GAP;
      if (longest <= left) return start + indented(wrap(value, left, /(?<=\s)/), start.length);
      const indent = longest + GAP.length > width ? 0 : GAP.length;
      const wrapped = wrap(value, Math.max(width - indent, longest), /(?<=\s)/);
      return `${label}\n${' '.repeat(indent)}${indented(wrapped, indent)}`;
    })
    .join('\n');
}

const indented = (text: string, indent: number) => text.replaceAll('\n', `\n${' '.repeat(indent)}`);

/** Breaks lines of more than `width` cells, at `breaks` if possible. */
function wrap(text: string, width: number, breaks = /(?<=[\s@/])/): string {
  return text.replace(/.+/g, (whole) => {
    const lines: string[] = [];
    let line = '';
    for (const word of whole.split(breaks)) {
      const fits = stringWidth(line + word.trimEnd()) <= width;
      for (const part of fits ? [word] : ['', ...word]) {
        // The empty part begins a line: a word is cut only if it is longer than a line.
        if (line !== '' && (part === '' || stringWidth(line + part.trimEnd()) > width)) {
          lines.push(line.trimEnd());
          line = '';
        }
        line += part;
      }
    }
    return [...lines, line].join('\n');
  });
}

function cellsOf(texts: readonly string[]): number {
  return texts.flatMap((text) => text.split('\n')).reduce((widest, line) => Math.max(widest, stringWidth(line)), 0);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function draw(rows: readonly (readonly string[])[], head?: string[]): string {
  // No colors: the output may go to a file, and the terminal's theme is not known.
  const style = { head: [], border: [], compact: true };
  const table = new CliTable(head ? { head, style } : { style });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}
