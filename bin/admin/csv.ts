import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { InvalidField } from '../../functions/kernel/errors.ts';
import { escapeFormula, unescapeFormula } from '../../functions/kernel/fields/formula.ts';
import type { Input } from './cli.ts';
import { Failure } from './errors.ts';

/** The cells of a row by the names of their columns; `undefined` for a column that the file lacks. */
export type Cells = Readonly<Partial<Record<string, string>>>;

/** The character that separates values. Spreadsheets write semicolons where the comma is the decimal separator. */
export type Delimiter = ',' | ';';

const SEPARATOR_LINE = /^sep=(?<delimiter>[,;])$/i;

export interface Layout {
  readonly delimiter: Delimiter;
  readonly names: readonly string[];
  /** The positions of each column in a row. If there are several, the first value that is not empty counts. */
  readonly positions: readonly (readonly [string, readonly number[]])[];
}

export function delimiterIn(line: Line): Delimiter | undefined {
  const delimiter = 'text' in line ? SEPARATOR_LINE.exec(line.text)?.groups?.['delimiter'] : undefined;
  return delimiter === ',' || delimiter === ';' ? delimiter : undefined;
}

/** Splits the header. The delimiter is the given one, or the semicolon if that gives more names than the comma. */
export function splitHeader(line: Line, given?: Delimiter): Pick<Layout, 'names' | 'delimiter'> {
  const namesBy = (delimiter: Delimiter) => valuesIn(line, delimiter).length;
  const delimiter = given ?? (namesBy(';') > namesBy(',') ? ';' : ',');
  return { names: valuesOf(line, delimiter).map(unescapeFormula), delimiter };
}

/** Parses a row below the header. Throws `InvalidField`. */
export function parseRow(line: Line, { delimiter, names, positions }: Layout): Cells {
  const values = valuesOf(line, delimiter);
  if (values.length !== names.length) {
    throw new InvalidField('the line', `has ${values.length} columns, but the header has ${names.length}`);
  }
  const cells: Record<string, string> = {};
  for (const [column, indices] of positions) {
    const index = indices.find((candidate) => values[candidate]);
    cells[column] = index === undefined ? '' : unescapeFormula(values[index] ?? '');
  }
  return cells;
}

export function isRow({ delimiter, names }: Layout, text: string): boolean {
  return split(text, delimiter)?.length === names.length;
}

/** Returns the values of a line: its whole text if a quote is misplaced, and none if it is not text. */
export function valuesIn(line: Line, delimiter: Delimiter): readonly string[] {
  if ('problem' in line) return [];
  return split(line.text, delimiter)?.map(unescapeFormula) ?? [line.text];
}

/** Formats a row so that a spreadsheet runs no value. Values with any delimiter are quoted: it is recognized. */
export function formatRow(values: readonly string[], delimiter: Delimiter): string {
  return stringify([[...values]], { delimiter, cast: { string: escapeFormula }, quoted_match: /[,;]/ });
}

/** Serializes a row. Two texts are equal if and only if program and cells are, in any order of the columns. */
export function canonicalText(program: string, cells: Cells): string {
  return JSON.stringify([program, Object.entries(cells).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

function valuesOf(line: Line, delimiter: Delimiter): readonly string[] {
  if ('problem' in line) throw new InvalidField('the line', line.problem);
  const values = split(line.text, delimiter);
  if (!values) throw new InvalidField('the line', 'has a misplaced quote');
  return values;
}

/** Splits one row; `undefined` if a quote is misplaced, or if the text is several rows. */
function split(text: string, delimiter: Delimiter): readonly string[] | undefined {
  // Nearly all lines: splitting them takes a tenth of the time.
  if (!text.includes('"')) return text.split(delimiter);
  try {
    const rows: string[][] = parse(text, { delimiter });
    return rows.length === 1 ? rows[0] : undefined;
  } catch {
    return undefined;
  }
}

export interface OpenFile extends AsyncDisposable {
  readonly stats?: Stats;
  readonly chunks: AsyncIterable<Buffer>;
}

export type Line = { readonly number: number } & ({ readonly text: string } | { readonly problem: string });

/** Far more than any line needs. The limit keeps a file without line ends from filling the memory. */
const MAX_LINE_BYTES = 64 * 1024;
/** The end of a line that is too long is sought so far, and no further: the line may never end. */
const MAX_SKIPPED_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);
const BYTE_ORDER_MARK = /^\ufeff/;
/** A file with such characters is not text. Tabs are allowed, because exports contain notes that people wrote. */
const CONTROL_CHARACTER = /[^\P{Cc}\t]/u;

/** Opens the file in `--file`, or standard input for `-`. Throws `Failure` if it cannot be read. */
export async function openFile(path: string, input: Input): Promise<OpenFile> {
  if (path === '-') return { chunks: bytesOf(() => input), [Symbol.asyncDispose]: async () => undefined };
  const handle = await open(path).catch((cause: unknown) => {
    throw new Failure('The file in --file cannot be opened. Check its name and its permissions.', { cause });
  });
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new Failure('The path in --file is a folder. Give the path of a file.');
  }
  const chunks = bytesOf(() => handle.createReadStream());
  return { stats, chunks, [Symbol.asyncDispose]: () => handle.close() };
}

async function* bytesOf(read: () => AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of read()) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
  } catch (cause) {
    throw new Failure('The file in --file cannot be read to its end. Check the disk or the network drive.', { cause });
  }
}

/** Splits bytes at LF or CRLF into lines, holding one line in memory. Stops at a line of more than 1 MiB. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, undefined> {
  let number = 1;
  let partial = EMPTY;
  let read = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      if (read + end - start > MAX_SKIPPED_BYTES) break;
      const piece = chunk.subarray(start, end);
      yield lineOf(number, partial.length === 0 ? piece : Buffer.concat([partial, piece]));
      number += 1;
      partial = EMPTY;
      read = 0;
      start = end + 1;
    }
    read += chunk.length - start;
    if (read > MAX_SKIPPED_BYTES) {
      yield { number, problem: 'is longer than 1 MiB: the rest of the file is not imported' };
      return;
    }
    // One byte more than allowed is enough to recognize a line that is too long.
    partial = Buffer.concat([partial, chunk.subarray(start)].map((piece) => piece.subarray(0, MAX_LINE_BYTES + 1)));
  }
  if (partial.length > 0) yield lineOf(number, partial);
}

function lineOf(number: number, bytes: Buffer): Line {
  if (bytes.length > MAX_LINE_BYTES) return { number, problem: 'is longer than 64 KiB' };
  if (!isUtf8(bytes)) return { number, problem: 'is not valid UTF-8: save the file as CSV in UTF-8' };
  const written = bytes.toString().replace(/\r$/, '');
  const text = number === 1 ? written.replace(BYTE_ORDER_MARK, '') : written;
  return CONTROL_CHARACTER.test(text) ? { number, problem: 'contains control characters' } : { number, text };
}

/** Joins the lines of a quoted value to a record. Unless `isRecord` accepts it, its first line is yielded alone. */
export async function* recordsOf(lines: AsyncGenerator<Line, undefined>, isRecord: (text: string) => boolean) {
  /** The current line, and lines that were read to find the end of its record. */
  const pending: Line[] = [];
  const lineAt = async (index: number) => {
    if (index === pending.length) {
      const { value } = await lines.next();
      if (value) pending.push(value);
    }
    return pending[index];
  };
  for (let line = await lineAt(0); line; line = await lineAt(0)) {
    const texts = hasOpenQuote(line) ? await textsOfRecord(lineAt) : [];
    const text = texts.join('\n');
    const isJoined = texts.length > 0 && isRecord(text);
    pending.splice(0, isJoined ? texts.length : 1);
    yield isJoined ? { number: line.number, text } : line;
  }
}

/** Returns the lines from an open quote to the next quote; none without a next quote. */
async function textsOfRecord(lineAt: (index: number) => Promise<Line | undefined>): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let length = 0; length <= MAX_LINE_BYTES; ) {
    const line = await lineAt(texts.length);
    if (!line || 'problem' in line) break;
    texts.push(line.text);
    if (texts.length > 1 && hasOpenQuote(line)) return texts;
    length += line.text.length + 1;
  }
  return [];
}

function hasOpenQuote(line: Line): boolean {
  return 'text' in line && line.text.split('"').length % 2 === 0;
}
