import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { MAX_WRITES } from '../../../functions/kernel/dynamodb/writes.ts';
import { InvalidField, RequestRefused, Unavailable } from '../../../functions/kernel/errors.ts';
import type { Random } from '../../../functions/kernel/ids.ts';
import type { BatchStore } from '../../../functions/kernel/operator/batch-store.ts';
import * as csv from '../csv.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { type Header, type Mapping, nameKey, parseHeader, REASON_COLUMN, withTheirName } from './mapping.ts';
import type { Outcome, Report } from './report.ts';

export interface Rows<Row> {
  readonly parse: (cells: csv.Cells) => Row;
  /** Returns the number of table writes that store a row. */
  readonly writes: (row: Row) => number;
  /** Returns the number by which rows are sorted before they are stored; `undefined` if their order does not matter. */
  readonly order?: () => Promise<((row: Row) => number) | undefined>;
  /** Stores rows in their order, and returns the result of each. Throws `Unavailable`. */
  readonly store: (rows: readonly Row[]) => Promise<readonly Outcome[]>;
}

interface Results {
  readonly report: Report;
  /** The file in `--failed`, which stays incomplete if the import does not reach the end. */
  readonly failedLines: FailedLines | undefined;
  readonly interrupted: AbortSignal;
}

type ParsedRow<Row> = { readonly record: csv.Line } & ({ readonly row: Row } | { readonly reason: string });
type LineParser<Row> = (record: csv.Line) => ParsedRow<Row>;

/**
 * Imports a CSV file, in constant memory unless its rows are sorted. Returns false if it was interrupted, after the current
 * transaction.
 */
export async function importLines<Row>(
  chunks: AsyncIterable<Buffer>,
  mapping: Mapping,
  rows: Rows<Row>,
  { report, failedLines, interrupted }: Results,
): Promise<boolean> {
  await using lines = csv.linesOf(chunks);
  const header = await readHeader(lines, mapping, report);
  if (!header) return true;
  await failedLines?.begin(header);
  const records = csv.recordsOf(lines, (text) => csv.isRow(header, text));
  const parsed = parsedRows(records, parserOf(header, mapping, rows));
  const order = await rows.order?.();
  const batches = batchesOf(order ? sorted(parsed, order) : parsed, rows.writes);
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

async function readHeader(lines: AsyncGenerator<csv.Line, undefined>, mapping: Mapping, report: Report) {
  let { value: line } = await lines.next();
  const delimiter = line && csv.delimiterIn(line);
  if (delimiter !== undefined) line = (await lines.next()).value;
  try {
    report.header = parseHeader(line, mapping, delimiter);
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    report.add(line?.number ?? 1, { reason: error.message });
  }
  return report.header;
}

function parserOf<Row>(header: Header, { kind, translations }: Mapping, { parse }: Rows<Row>): LineParser<Row> {
  const { stateColumn = '' } = kind;
  return (record) => {
    try {
      const cells = csv.parseRow(record, header);
      const state = translations.get(nameKey(cells[stateColumn] ?? ''));
      return { record, row: parse(state === undefined ? cells : { ...cells, [stateColumn]: state }) };
    } catch (error) {
      const reason = error instanceof InvalidField ? withTheirName(error.message, header) : unexpected(error);
      return { record, reason };
    }
  };
}

/** Parses the records below the header. */
async function* parsedRows<Row>(records: AsyncIterable<csv.Line>, parse: LineParser<Row>) {
  for await (const record of records) {
    if (!('text' in record && record.text === '')) yield parse(record);
  }
}

/** Yields rows by a number; equal ones in the order of the file, and invalid records first. Keeps all of them in memory. */
async function* sorted<Row>(rows: AsyncIterable<ParsedRow<Row>>, order: (row: Row) => number) {
  const all: ParsedRow<Row>[] = [];
  for await (const parsed of rows) all.push(parsed);
  const orderOf = (parsed: ParsedRow<Row>) => ('row' in parsed ? order(parsed.row) : -1);
  yield* all.sort((one, other) => orderOf(one) - orderOf(other));
}

/** Collects rows in batches that fit into one transaction. */
async function* batchesOf<Row>(rows: AsyncIterable<ParsedRow<Row>>, writes: Rows<Row>['writes']) {
  let batch: ParsedRow<Row>[] = [];
  let room = MAX_WRITES;
  for await (const parsed of rows) {
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

type StoreRows<Row> = (rows: readonly Row[]) => Promise<readonly Outcome[]>;

/** DynamoDB's names for a request that it refuses because of what the request contains. */
const CONTENT_REFUSED = new Set<string | undefined>(['ValidationException', 'TransactionCanceledException']);

/** Stores the rows of a batch; after an unexpected error, one by one, so that it is the failure of one row. */
export function storingEach<Row>(
  batch: BatchStore,
  store: StoreRows<Row>,
  check: () => Promise<unknown>,
): StoreRows<Row> {
  const storeOne = async (row: Row): Promise<readonly Outcome[]> => {
    try {
      return await store([row]);
    } catch (error) {
      await throwOutage(error, check);
      return [{ reason: unexpected(error) }];
    }
  };
  return async (rows) => {
    batch.begin();
    try {
      return await store(rows);
    } catch (error) {
      await throwOutage(error, check);
      batch.repeat();
      const outcomes: Outcome[] = [];
      for (const row of rows) outcomes.push(...(await storeOne(row)));
      return outcomes;
    }
  };
}

/** Throws an error that every row would meet. An unexpected one is such an error if not even a read succeeds. */
async function throwOutage(error: unknown, check: () => Promise<unknown>): Promise<void> {
  const isRefused = error instanceof RequestRefused && !CONTENT_REFUSED.has(error.reason);
  if (isRefused || error instanceof Unavailable || error instanceof Failure) throw error;
  await check();
}

/** The failure of a line after an error that the code did not expect. It repeats nothing of the line. */
export function unexpected(error: unknown): string {
  const name = error instanceof Error ? error.name : 'unknown';
  return `the line causes an unexpected error (${name}): report it, and import the line again after an update`;
}

type FailedLine = { readonly record: csv.Line; readonly reason: string };

type FailedLines = Awaited<ReturnType<typeof createFailedLines>>;

/** Creates the file in `--failed`, which only its owner can read. It gets its name only when it is complete. */
export async function createFailedLines(path: string, source: csv.OpenFile, random: Random) {
  const existing = await stat(path).catch(() => undefined);
  if (existing && existing.dev === source.stats?.dev && existing.ino === source.stats.ino) {
    throw new InvalidArguments('--failed must not be the file in --file. Give another path.');
  }
  if (existing && !existing.isFile()) {
    throw new Failure('The path in --failed is not the path of a file. Give the path of a CSV file.');
  }
  // A link keeps pointing to the file.
  const target = existing ? await realpath(path) : path;
  const temporaryPath = `${target}.${Buffer.from(random(6)).toString('hex')}.part`;
  const handle = await open(temporaryPath, 'wx', 0o600).catch(asFailure);
  const append = ({ delimiter }: Header, rows: readonly (readonly string[])[]) =>
    handle.appendFile(rows.map((row) => csv.formatRow(row, delimiter)).join('')).catch(asFailure);
  return {
    begin: (header: Header) => append(header, [[REASON_COLUMN, ...withoutReason(header, header.names)]]),
    /** A line with a misplaced quote becomes one value, and a line that is not text no value: they fail again. */
    write: async (header: Header, failures: readonly FailedLine[]) => {
      const rows = failures.map(({ record, reason }) => [
        `line ${record.number}: ${reason}`,
        ...withoutReason(header, csv.valuesIn(record, header.delimiter)),
      ]);
      if (rows.length > 0) await append(header, rows);
    },
    complete: async () => {
      await handle.sync().catch(asFailure);
      await rename(temporaryPath, target).catch(asFailure);
    },
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      await rm(temporaryPath, { force: true });
    },
  };
}

function withoutReason({ names }: Header, values: readonly string[]): readonly string[] {
  return values.filter((_, index) => nameKey(names[index] ?? '') !== REASON_COLUMN);
}

function asFailure(cause: unknown): never {
  const message = 'The file in --failed cannot be written. Check its folder, its permissions and the disk.';
  throw new Failure(message, { cause });
}
