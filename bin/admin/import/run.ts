import { setImmediate } from 'node:timers/promises';
import { InvalidField } from '../../../functions/domain/errors.ts';
import type { Milliseconds } from '../../../functions/domain/time.ts';
import { type Line, linesOf } from './lines.ts';
import type { Outcome, Report } from './report.ts';
import { type Cells, type Columns, parseHeader, parseRow } from './rows.ts';

/** What a file is imported as. */
export interface Kind<Column extends string, Entry> {
  readonly columns: Columns<Column>;
  /** Makes of a line what is to be stored. Throws `InvalidField`. */
  readonly parse: (cells: Cells<Column>) => Entry;
  /** Stores what was made of some lines, in their order, and returns what became of each. Throws `Unavailable`. */
  readonly store: (entries: readonly Entry[], deadline: Milliseconds) => Promise<readonly Outcome[]>;
}

/** How an import is ended early. */
export interface Limits {
  readonly interrupted: AbortSignal;
  /** The latest time for what begins now. */
  readonly deadline: () => Milliseconds;
}

/** Lines that are stored together. An interruption waits until they are. */
const BATCH = 500;

/**
 * Imports a file of comma-separated values line by line, in constant memory. What cannot be imported goes into the report
 * and stops nothing. Returns false where it was interrupted. Throws `Unavailable`; what was stored until then stays.
 */
export async function importLines<Column extends string, Entry>(
  chunks: AsyncIterable<Buffer>,
  kind: Kind<Column, Entry>,
  report: Report,
  { interrupted, deadline }: Limits,
): Promise<boolean> {
  const batches = batchesOf(linesOf(chunks), kind, report);
  const next = async () => {
    // What goes to the table leaves first, so that the next batch is read while the table is at work.
    await setImmediate();
    return batches.next();
  };
  const store = async (batch: readonly Parsed<Entry>[]) => {
    const entries = batch.map(({ entry }) => entry);
    const outcomes = await kind.store(entries, deadline());
    for (const [index, { line }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) report.add(line, outcome);
    }
  };
  try {
    for (let batch = await batches.next(); !batch.done; ) {
      [, batch] = await Promise.all([store(batch.value), next()]);
      if (interrupted.aborted && !batch.done) return false;
    }
    return true;
  } finally {
    await batches.return();
  }
}

/** What was made of a line. */
interface Parsed<Entry> {
  readonly line: number;
  readonly entry: Entry;
}

/** What is made of the lines below the header, in batches. Lines of which nothing can be made go into the report. */
async function* batchesOf<Column extends string, Entry>(
  lines: AsyncGenerator<Line, void>,
  kind: Kind<Column, Entry>,
  report: Report,
): AsyncGenerator<Parsed<Entry>[], void> {
  const first = await lines.next();
  const header = tried(() => parseHeader(first.done ? undefined : first.value, kind.columns));
  if ('reason' in header) {
    report.add(1, header);
    await lines.return();
    return;
  }
  let batch: Parsed<Entry>[] = [];
  for await (const line of lines) {
    const parsed = isEmpty(line) ? undefined : tried(() => kind.parse(parseRow(line, header.value)));
    if (parsed && 'reason' in parsed) report.add(line.number, parsed);
    else if (parsed) batch.push({ line: line.number, entry: parsed.value });
    if (line.number % BATCH === 0) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

function isEmpty(line: Line): boolean {
  return 'text' in line && line.text === '';
}

/** The value that some work makes, or the reason for which it refuses its input. */
function tried<Value>(work: () => Value): { readonly value: Value } | { readonly reason: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof InvalidField) return { reason: error.message };
    throw error;
  }
}
