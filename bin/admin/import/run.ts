import { setImmediate } from 'node:timers/promises';
import { InvalidField } from '../../../functions/domain/errors.ts';
import { MAX_WRITES } from '../../../functions/table/operator/bulk-writes.ts';
import { type Cells, delimiterIn, isRow, parseRow } from '../csv.ts';
import type { FailedLines } from './failed-lines.ts';
import { unexpected } from './line-faults.ts';
import { type Line, linesOf, recordsOf } from './lines.ts';
import { type Header, type Mapping, nameKey, parseHeader, withTheirName } from './mapping.ts';
import type { Outcome, Report } from './report.ts';

export interface Rows<Row> {
  readonly parse: (cells: Cells) => Row;
  /** Returns the number of table writes that store a row. */
  readonly writes: (row: Row) => number;
  /** Stores rows in their order, and returns the result of each. Throws `Unavailable`. */
  readonly store: (rows: readonly Row[]) => Promise<readonly Outcome[]>;
}

interface Results {
  readonly report: Report;
  /** The file in `--failed`, which stays incomplete if the import does not reach the end. */
  readonly failedLines: FailedLines | undefined;
  readonly interrupted: AbortSignal;
}

type ParsedRow<Row> = { readonly record: Line } & ({ readonly row: Row } | { readonly reason: string });
type LineParser<Row> = (record: Line) => ParsedRow<Row>;

/** Imports a CSV file in constant memory. Returns false if it was interrupted, after the current transaction. */
export async function importLines<Row>(
  chunks: AsyncIterable<Buffer>,
  mapping: Mapping,
  rows: Rows<Row>,
  { report, failedLines, interrupted }: Results,
): Promise<boolean> {
  await using lines = linesOf(chunks);
  const header = await readHeader(lines, mapping, report);
  if (!header) return true;
  await failedLines?.begin(header);
  const records = recordsOf(lines, (text) => isRow(header, text));
  const batches = batchesOf(records, parserOf(header, mapping, rows), rows.writes);
  const next = async () => {
    // Waits until the request to the table is sent: the table works while the next batch is parsed.
    await setImmediate();
    return batches.next();
  };
  const store = async (batch: readonly ParsedRow<Row>[]) => {
    const valid = batch.flatMap((parsed) => ('row' in parsed ? [parsed.row] : []));
    const outcomes = (await rows.store(valid)).values();
    const failures = batch.flatMap(({ record, ...parsed }) => {
      const outcome = 'row' in parsed ? outcomes.next().value : parsed;
      if (outcome !== undefined) report.add(record.number, outcome);
      return typeof outcome === 'object' ? [{ record, reason: outcome.reason }] : [];
    });
    await failedLines?.write(header, failures);
  };
  let batch = await batches.next();
  while (!batch.done && !interrupted.aborted) {
    [, batch] = await Promise.all([store(batch.value), next()]);
  }
  if (batch.done) await failedLines?.complete();
  return batch.done === true;
}

async function readHeader(lines: AsyncGenerator<Line, undefined>, mapping: Mapping, report: Report) {
  let { value: line } = await lines.next();
  const delimiter = line && delimiterIn(line);
  if (delimiter !== undefined) line = (await lines.next()).value;
  try {
    report.header = parseHeader(line, mapping, delimiter);
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    report.add(line?.number ?? 1, { reason: error.message });
  }
  return report.header;
}

/** Returns the parser of records. States that the mapping lacks stay as they are. */
function parserOf<Row>(header: Header, { kind, translations }: Mapping, { parse }: Rows<Row>): LineParser<Row> {
  const { stateColumn = '' } = kind;
  return (record) => {
    try {
      const cells = parseRow(record, header);
      const state = translations.get(nameKey(cells[stateColumn] ?? ''));
      return { record, row: parse(state === undefined ? cells : { ...cells, [stateColumn]: state }) };
    } catch (error) {
      const reason = error instanceof InvalidField ? withTheirName(error.message, header) : unexpected(error);
      return { record, reason };
    }
  };
}

/** Parses the records below the header, in batches that fit into one transaction. */
async function* batchesOf<Row>(records: AsyncIterable<Line>, parse: LineParser<Row>, writes: Rows<Row>['writes']) {
  let batch: ParsedRow<Row>[] = [];
  let room = MAX_WRITES;
  for await (const record of records) {
    if ('text' in record && record.text === '') continue;
    const parsed = parse(record);
    // An invalid record also counts: it stays in the batch, so that records are reported in order.
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
