import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Program } from '../../../functions/domain/program.ts';
import type { Table } from '../../../functions/table/table.ts';
import type { AdminCommand, CliContext, ProgramOptions } from '../cli.ts';
import { Failure, Interruption } from '../errors.ts';
import { programWith } from '../lookup.ts';
import { withFile } from './file.ts';
import { interruptible } from './interrupt.ts';
import { showingProgress } from './progress.ts';
import { Report } from './report.ts';
import type { Columns } from './rows.ts';
import { importLines, type Kind } from './run.ts';

interface ImportOptions extends ProgramOptions {
  readonly file: string;
}

/** What one `import` command has of its own. */
interface Import<Column extends string, Entry> {
  readonly noun: string;
  readonly columns: Columns<Column>;
  /** Said of the columns in the help. */
  readonly remarks: string;
  readonly kind: (program: Program, table: Table) => Kind<Column, Entry>;
}

const RESUMABLE = 'what was imported stays, and the same command goes on where it stopped.';

/** Adds `import` to the commands of a noun. */
export function addImport<Column extends string, Entry>(
  command: AdminCommand,
  session: CliContext,
  { noun, columns, remarks, kind }: Import<Column, Entry>,
): void {
  command
    .command('import')
    .description(`import ${noun}s from a file of comma-separated values; again, it imports only what is new`)
    .program()
    .requiredOption('--file <path>', 'the file, in UTF-8; its first line names its columns')
    .examples(
      [`${noun} import --program ID --file ${noun}s.csv`, `${noun} import --program ID --file ${noun}s.csv --json`],
      `Columns, in any order:
  ${columns.known.join(', ')}
Needed of them: ${columns.needed.join(', ')}. ${remarks}`,
    )
    .action(async (options: ImportOptions, self: Command) => {
      const report = new Report();
      const end = await runImport(options, session, kind, report);
      const { json } = self.optsWithGlobals<{ json?: true }>();
      await pipeline(Readable.from(json ? report.json() : report.text()), session.output, { end: false });
      if (end) throw end;
      if (report.failures > 0) {
        throw new Failure('Some lines were not imported: correct them, and import the same file again.');
      }
    });
}

/** Returns what ended it early; what was done until then is in the report. Throws where nothing was begun. */
async function runImport<Column extends string, Entry>(
  { program: id, file: path }: ImportOptions,
  { onTable }: CliContext,
  kind: Import<Column, Entry>['kind'],
  report: Report,
): Promise<Failure | Interruption | undefined> {
  let begun = false;
  try {
    const isComplete = await withFile(path, (file) =>
      interruptible((interrupted) =>
        onTable(async (table) => {
          const program = await programWith(id, table);
          begun = true;
          return importLines(showingProgress(file), kind(program, table), report, interrupted);
        }),
      ),
    );
    return isComplete ? undefined : new Interruption(`The import was interrupted: ${RESUMABLE}`);
  } catch (error) {
    if (!begun || !(error instanceof Failure)) throw error;
    return new Failure(error.message.replace(/\.$/, `; ${RESUMABLE}`), { cause: error });
  }
}
