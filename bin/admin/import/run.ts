import { setImmediate } from 'node:timers/promises';
import { InvalidField } from '../../../functions/domain/errors.ts';
import { MAX_WRITES } from '../../../functions/table/operator/bulk-writes.ts';
import { type Line, linesOf } from './lines.ts';
import type { Outcome, Report } from './report.ts';
import { type Cells, type Columns, parseHeader, parseRow } from './rows.ts';

/** What a file is imported as. */
export interface Kind<Column extends string, Entry> {
  readonly columns: Columns<Column>;
  /** Makes of a line what is to be stored. Throws `InvalidField`. */
  readonly parse: (cells: Cells<Column>) => Entry;
  /** How many writes it takes to store that. */
  readonly writes: (entry: Entry) => number;
  /** Stores what was made of some lines, in their order, and returns what became of each. Throws `Unavailable`. */
  readonly store: (entries: readonly Entry[]) => Promise<readonly Outcome[]>;
}

/**
 * Imports a file of comma-separated values line by line, in constant memory. What cannot be imported goes into the report
 * and stops nothing. Returns false where it was interrupted, after the transaction under way. Throws `Unavailable`; what
 * was stored until then stays.
 */
export async function importLines<Column extends string, Entry>(
  chunks: AsyncIterable<Buffer>,
  kind: Kind<Column, Entry>,
  report: Report,
  interrupted: AbortSignal,
): Promise<boolean> {
  const batches = batchesOf(linesOf(chunks), kind);
  const next = async () => {
    // What goes to the table leaves first, so that the next batch is read while the table is at work.
    await setImmediate();
    return batches.next();
  };
  const store = async (batch: readonly Parsed<Entry>[]) => {
    const entries = batch.flatMap((parsed) => ('value' in parsed ? [parsed.value] : []));
    const outcomes = (await kind.store(entries)).values();
    for (const parsed of batch) {
      const outcome = 'value' in parsed ? outcomes.next().value : parsed;
      if (outcome !== undefined) report.add(parsed.line, outcome);
    }
  };
  try {
    let batch = await batches.next();
    while (!batch.done && !interrupted.aborted) {
      [, batch] = await Promise.all([store(batch.value), next()]);
    }
    return batch.done === true;
  } finally {
    await batches.return();
  }
}

/** What was made of a line, or the reason for which nothing was. */
type Parsed<Entry> = { readonly line: number } & ({ readonly value: Entry } | { readonly reason: string });

/** Reads the lines below the header, in batches that one transaction takes. */
async function* batchesOf<Column extends string, Entry>(
  lines: AsyncGenerator<Line, void>,
  { columns: expected, parse, writes }: Kind<Column, Entry>,
): AsyncGenerator<Parsed<Entry>[], void> {
  const first = await lines.next();
  const header = tried(() => parseHeader(first.done ? undefined : first.value, expected));
  if ('reason' in header) {
    await lines.return();
    yield [{ line: 1, ...header }];
    return;
  }
  let batch: Parsed<Entry>[] = [];
  let room = MAX_WRITES;
  for await (const line of lines) {
    if ('text' in line && line.text === '') continue;
    const parsed = { line: line.number, ...tried(() => parse(parseRow(line, header.value))) };
    // A line of which nothing is stored takes up room too: its turn to be reported must come.
    const needed = 'value' in parsed ? writes(parsed.value) : 1;
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

/** What some work makes, or the reason for which it refuses its input. */
function tried<Value>(work: () => Value): { readonly value: Value } | { readonly reason: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof InvalidField) return { reason: error.message };
    throw error;
  }
}
