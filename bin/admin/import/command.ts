import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Program } from '../../../functions/domain/program.ts';
import type { Table } from '../../../functions/table/table.ts';
import type { AdminCommand, CliContext, ProgramOptions } from '../cli.ts';
import type { Columns } from '../csv.ts';
import { Failure, Interruption } from '../errors.ts';
import { requireProgram } from '../lookup.ts';
import { wantsJson } from '../output.ts';
import { type OpenFile, openFile } from './lines.ts';
import { Report } from './report.ts';
import { type ImportSpec, importLines } from './run.ts';

interface ImportOptions extends ProgramOptions {
  readonly file: string;
}

/** The parts in which the `import` commands differ. */
interface Import<Column extends string, Row> {
  readonly noun: string;
  readonly columns: Columns<Column>;
  /** Explains the columns in the help. */
  readonly remarks: string;
  readonly spec: (program: Program, table: Table) => ImportSpec<Column, Row>;
}

const RESUMABLE = 'Imported rows stay. Run the same command again to import the rest.';

/** Adds `import` to the commands of a noun. */
export function addImport<Column extends string, Row>(
  command: AdminCommand,
  context: CliContext,
  { noun, columns, remarks, spec }: Import<Column, Row>,
): void {
  const call = `${noun} import --program ID --file ${noun}s.csv`;
  command
    .command('import')
    .description(`import ${noun}s from a CSV file; running it again imports only new rows`)
    .program()
    .requiredOption('--file <path>', 'CSV file in UTF-8 whose first line names the columns')
    .examples(
      [call, `${call} --json`],
      `Columns, in any order:
  ${columns.allowed.join(', ')}
Required: ${columns.required.join(', ')}. ${remarks}`,
    )
    .action(async (options: ImportOptions, self: Command) => {
      const report = new Report();
      const end = await runImport(options, context, spec, report);
      const pieces = wantsJson(self) ? report.json() : report.text();
      await pipeline(Readable.from(pieces), context.output, { end: false });
      if (end) throw end;
      if (report.failures > 0) {
        throw new Failure('Some lines were not imported. Correct them, and import the same file again.');
      }
    });
}

/** Returns the error that ended the import early, if any. Throws errors that occur before the first row. */
async function runImport<Column extends string, Row>(
  { program: id, file: path }: ImportOptions,
  { onTable }: CliContext,
  spec: Import<Column, Row>['spec'],
  report: Report,
): Promise<Failure | undefined> {
  let hasStarted = false;
  // After Ctrl-C, the transaction in progress is completed. A second Ctrl-C ends the process at once.
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    await using file = await openFile(path);
    const isComplete = await onTable(async (table) => {
      const program = await requireProgram(id, table);
      hasStarted = true;
      return importLines(withProgressBar(file), spec(program, table), report, stop.signal);
    });
    return isComplete ? undefined : new Interruption(`The import was interrupted. ${RESUMABLE}`);
  } catch (error) {
    if (!hasStarted || !(error instanceof Failure)) throw error;
    return new Failure(`${error.message} ${RESUMABLE}`, { cause: error });
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
