import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { isEmpty } from '../../functions/domain/field-list.ts';
import type { AdminCommand, CliContext } from './cli.ts';
import { escapeFormula } from './csv.ts';
import { wantsJson } from './output.ts';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

/** The option `--format` of exports. */
export const FORMAT = new Option('--format <format>', 'format of the rows').choices(FORMATS);

/** What the help says about the formats. */
export const FORMAT_REMARK = `The default format is csv; with --json it is ndjson, one JSON object per line. Times are Unix
seconds. In csv, a value that a spreadsheet would run as a formula starts with an apostrophe`;

type Pages<Column extends string> = AsyncIterable<readonly Readonly<Record<Column, unknown>>[]>;

/** Writes the rows of a command in constant memory: by its option `--format`, or as NDJSON with `--json`, else as CSV. */
export async function exportRows<Column extends string>(
  { output }: Pick<CliContext, 'output'>,
  command: AdminCommand,
  columns: readonly Column[],
  pages: Pages<Column>,
): Promise<void> {
  const { format = wantsJson(command) ? 'ndjson' : 'csv' } = command.opts<{ format?: Format }>();
  const text = format === 'csv' ? csv(columns, pages) : ndjson(pages);
  await pipeline(Readable.from(text), output, { end: false });
}

async function* csv<Column extends string>(columns: readonly Column[], pages: Pages<Column>) {
  const text = (rows: readonly (readonly unknown[])[]) => stringify([...rows], { cast: { string: escapeFormula } });
  yield text([columns]);
  for await (const rows of pages) yield text(rows.map((row) => columns.map((column) => cellOf(row[column]))));
}

async function* ndjson<Column extends string>(pages: Pages<Column>) {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** A cell: the elements of a list, separated by spaces, or JSON of an object. An empty one is an empty cell. */
const cellOf = (value: unknown) => (Array.isArray(value) ? value.join(' ') : isEmpty(value) ? '' : value);
