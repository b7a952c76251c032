import { setImmediate } from 'node:timers/promises';
import { InvalidField } from '../../../functions/domain/errors.ts';
import { MAX_WRITES } from '../../../functions/table/operator/bulk-writes.ts';
import { type Cells, delimiterIn, isRow, parseRow } from '../csv.ts';
import type { Columns } from './columns.ts';
import type { FailedLine, FailedLines } from './failed-lines.ts';
import { parseHeader, withTheirName } from './header.ts';
import { type Line, linesOf } from './lines.ts';
import { type Mapping, nameKey } from './mapping.ts';
import { recordsOf } from './records.ts';
import type { Outcome, Report } from './report.ts';

/** How the rows of a file are parsed and stored. */
export interface ImportSpec<Column extends string, Row> {
  readonly columns: Columns<Column>;
  /** The column whose values `mapping` translates. */
  readonly stateColumn: Column;
  readonly mapping: Mapping<Column>;
  /** Throws `InvalidField`. */
  readonly parse: (cells: Cells<Column>) => Row;
  /** Returns the number of table writes that store a row. */
  readonly writes: (row: Row) => number;
  /** Stores rows in their order, and returns the result of each. Throws `Unavailable`. */
  readonly store: (rows: readonly Row[]) => Promise<readonly Outcome[]>;
}

/** Where the results of the lines go. */
export interface Results {
  readonly report: Report;
  /** The file in `--failed`, which stays incomplete if the import does not reach the end. */
  readonly failedLines: FailedLines | undefined;
}

/**
 * Imports a CSV file line by line, in constant memory. Adds invalid lines to the results and continues. Returns false if
 * the import was interrupted; the current transaction is completed first. Throws `Unavailable`; stored rows stay.
 */
export async function importLines<Column extends string, Row>(
  chunks: AsyncIterable<Buffer>,
  spec: ImportSpec<Column, Row>,
  { report, failedLines }: Results,
  interrupted: AbortSignal,
): Promise<boolean> {
  const batches = batchesOf(linesOf(chunks), spec, report);
  const next = async () => {
    // Waits until the request to the table is sent: the table works while the next batch is parsed.
    await setImmediate();
    return batches.next();
  };
  const store = async (batch: readonly ParsedRow<Row>[]) => {
    const rows = batch.flatMap((parsed) => ('row' in parsed ? [parsed.row] : []));
    const outcomes = (await spec.store(rows)).values();
    const failures: FailedLine[] = [];
    for (const { record, ...parsed } of batch) {
      const outcome = 'row' in parsed ? outcomes.next().value : parsed;
      if (outcome === undefined) continue;
      report.add(record.number, outcome);
      if (typeof outcome === 'object') failures.push({ record, reason: outcome.reason });
    }
    await failedLines?.write(failures);
  };
  try {
    let batch = await batches.next();
    if (report.header) await failedLines?.begin(report.header);
    while (!batch.done && !interrupted.aborted) {
      [, batch] = await Promise.all([store(batch.value), next()]);
    }
    if (batch.done) await failedLines?.complete();
    return batch.done === true;
  } finally {
    await batches.return();
  }
}

/** A row, or the reason why its line is invalid. */
type ParsedRow<Row> = { readonly record: Line } & ({ readonly row: Row } | { readonly reason: string });

/** Parses the records below the header, in batches that fit into one transaction. */
async function* batchesOf<Column extends string, Row>(
  lines: AsyncGenerator<Line, void>,
  { columns, stateColumn, mapping, parse, writes }: ImportSpec<Column, Row>,
  report: Report,
): AsyncGenerator<ParsedRow<Row>[], void> {
  const nextLine = async () => {
    const line = await lines.next();
    return line.done ? undefined : line.value;
  };
  const first = await nextLine();
  const delimiter = first && delimiterIn(first);
  const line = delimiter === undefined ? first : await nextLine();
  const result = toResult(() => parseHeader(line, columns, mapping, delimiter));
  if ('reason' in result) {
    await lines.return();
    yield [{ record: line ?? { number: 1, text: '' }, ...result }];
    return;
  }
  const header = result.row;
  report.header = header;
  const cellsOf = (record: Line) => translated(parseRow(record, header), stateColumn, mapping);
  let batch: ParsedRow<Row>[] = [];
  let room = MAX_WRITES;
  for await (const record of recordsOf(lines, (text) => isRow(header, text))) {
    if ('text' in record && record.text === '') continue;
    const row = toResult(() => parse(cellsOf(record)));
    const named = 'reason' in row ? { reason: withTheirName(row.reason, header) } : row;
    const parsed = { record, ...named };
    // An invalid record counts too: it stays in the batch, so that records are reported in order.
    const needed = 'row' in parsed ? writes(parsed.row) : 1;
    if (needed > room) {
      yield batch;
      batch = [];
      room = MAX_WRITES;
    }
    batch.push(parsed);
    room -= needed;
  }
  yield batch;
}

/** Translates the state in a row. Other values than those of the mapping stay as they are. */
function translated<Column extends string>(
  cells: Cells<Column>,
  column: Column,
  { states }: Mapping<Column>,
): Cells<Column> {
  const value = cells[column];
  const translation = value === undefined || states.size === 0 ? undefined : states.get(nameKey(value));
  return translation === undefined ? cells : { ...cells, [column]: translation };
}

/** Returns what `parse` returns, or the reason why it rejects its input. */
function toResult<Row>(parse: () => Row): { readonly row: Row } | { readonly reason: string } {
  try {
    return { row: parse() };
  } catch (error) {
    if (error instanceof InvalidField) return { reason: error.message };
    throw error;
  }
}
