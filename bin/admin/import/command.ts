import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Program } from '../../../functions/domain/program.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { type BulkStore, bulkStoreOf } from '../../../functions/table/operator/bulk-writes.ts';
import { DryRunStore } from '../../../functions/table/operator/dry-run-store.ts';
import { type AdminCommand, type CliContext, PROGRAM, type ProgramOptions, requireProgram } from '../cli.ts';
import { Failure, Interruption } from '../errors.ts';
import { wantsJson } from '../output.ts';
import type { Columns } from './columns.ts';
import { FailedLines } from './failed-lines.ts';
import { type OpenFile, openFile } from './lines.ts';
import { addMappingOptions, type MappingOptions, parseMapping } from './mapping.ts';
import type { Preset, PresetName } from './presets.ts';
import { Report } from './report.ts';
import { type ImportSpec, importLines } from './run.ts';

interface ImportOptions extends ProgramOptions, MappingOptions {
  readonly file: string;
  readonly dryRun?: true;
  readonly failed?: string;
}

/** The parts in which the `import` commands differ. */
interface Import<Column extends string, Row> {
  readonly noun: string;
  readonly columns: Columns<Column>;
  /** The column whose values `--map-state` and presets translate, and our values. */
  readonly stateColumn: Column;
  readonly states: readonly string[];
  readonly presetOf: (name: PresetName) => Preset<Column>;
  /** A column whose absence can do harm, and the warning if a file lacks it. */
  readonly advised?: { readonly column: Column; readonly warning: string };
  /** Explains the columns in the help. */
  readonly remarks: string;
  readonly spec: (
    program: Program,
    table: Table,
    store: BulkStore,
  ) => Pick<ImportSpec<Column, Row>, 'parse' | 'writes' | 'store'>;
}

/** Adds `import` to the commands of a noun. */
export function addImport<Column extends string, Row>(
  command: AdminCommand,
  context: CliContext,
  parts: Import<Column, Row>,
): void {
  const { noun, columns, states, presetOf, advised, remarks } = parts;
  const call = `${noun} import --program ID --file ${noun}s.csv`;
  const importCommand = command
    .command('import')
    .description(`import ${noun}s from a CSV file; running it again imports only new rows`)
    .requiredOption(...PROGRAM)
    .requiredOption('--file <path>', 'CSV file in UTF-8 whose first line names the columns; - reads standard input')
    .option('--dry-run', 'write nothing, and report what the import would do')
    .option('--failed <path>', 'write the failed lines with their reasons to this CSV file');
  addMappingOptions(importCommand);
  importCommand
    .examples(
      [call, `${call} --from rewardful --dry-run`, `${call} --map "E-Mail=email"`],
      `Columns, in any order and case:
  ${columns.allowed.join(', ')}
Required: ${columns.required.map((group) => group.join(' or ')).join(', ')}. Unknown columns are ignored. Values are separated by commas or semicolons.
Times are Unix seconds, RFC 3339, or YYYY-MM-DD HH:MM:SS with UTC or an offset. With --from, only the columns of the product
and those of --map are read. ${remarks}`,
    )
    .action(async (options: ImportOptions, self: Command) => {
      const mapping = parseMapping(options, { columns: columns.allowed, states, presetOf });
      const report = new Report();
      const end = await runImport(options, context, { ...parts, mapping }, report);
      for (const warning of warningsOf(report, advised)) context.errors.write(`${warning}\n`);
      const remark = options.dryRun && 'This was a dry run: nothing was written.';
      const pieces = wantsJson(self) ? report.json() : report.text(remark);
      await pipeline(Readable.from(pieces), context.output, { end: false });
      if (end) throw end;
      if (report.failures > 0) throw new Failure(failureOf(options, report));
    });
}

function* warningsOf(report: Report, advised: Import<string, unknown>['advised']): Generator<string, void> {
  const { header, warning } = report;
  if (header && header.ignored.length > 0) {
    const names = header.ignored.map((name) => JSON.stringify(name)).join(', ');
    yield `Unknown columns are ignored: ${names}. Use --map to import one of them.`;
  }
  if (header && advised && header.positions.every(([column]) => column !== advised.column)) yield advised.warning;
  if (warning !== undefined) yield warning;
}

function failureOf({ dryRun, failed }: ImportOptions, { header }: Report): string {
  const isWritten = failed !== undefined && header !== undefined;
  if (dryRun && isWritten) return 'Some lines would not be imported. The file in --failed contains them.';
  if (dryRun) return 'Some lines would not be imported. Correct them, and repeat the dry run.';
  if (isWritten) return 'Some lines were not imported. Correct them in the file in --failed, and import that file.';
  return 'Some lines were not imported. Correct them, and import the same file again.';
}

/** Returns the error that ended the import early, if any. Throws errors that occur before the first row. */
async function runImport<Column extends string, Row>(
  { program: id, file: path, dryRun, failed }: ImportOptions,
  { onTable, random, input }: CliContext,
  { columns, stateColumn, mapping, spec }: Import<Column, Row> & Pick<ImportSpec<Column, Row>, 'mapping'>,
  report: Report,
): Promise<Failure | undefined> {
  const remains = dryRun
    ? 'Nothing was written.'
    : 'Imported rows stay. Run the same command again to import the rest.';
  let hasStarted = false;
  // After Ctrl-C, the transaction in progress is completed. A second Ctrl-C ends the process at once.
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    await using file = await openFile(path, input);
    await using failedLines = failed === undefined ? undefined : await FailedLines.create(failed, file, random);
    const isComplete = await onTable(async (table) => {
      const program = await requireProgram(id, table);
      using dryRunStore = dryRun ? new DryRunStore(table) : undefined;
      const store = dryRunStore ?? bulkStoreOf(table);
      hasStarted = true;
      const rows = { columns, stateColumn, mapping, ...spec(program, table, store) };
      return await importLines(withProgressBar(file), rows, { report, failedLines }, stop.signal);
    });
    return isComplete ? undefined : new Interruption(`The import was interrupted. ${remains}`);
  } catch (error) {
    if (!hasStarted || !(error instanceof Failure)) throw error;
    return new Failure(`${error.message} ${remains}`, { cause: error });
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** Shows on standard error how much of a file has been read, if that is a terminal and the file's size is known. */
async function* withProgressBar({ size, chunks }: OpenFile): AsyncGenerator<Buffer, void> {
  const format = '{bar} {percentage} % | {eta_formatted} left';
  const bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic);
  if (size > 0) bar.start(size, 0);
  try {
    for await (const chunk of chunks) {
      yield chunk;
      bar.increment(chunk.length);
    }
  } finally {
    bar.stop();
  }
}
