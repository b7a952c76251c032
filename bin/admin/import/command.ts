import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { BatchStore } from '../../../functions/kernel/operator/batch-store.ts';
import type { BulkStore } from '../../../functions/kernel/operator/bulk-writes.ts';
import { DryRunStore } from '../../../functions/kernel/operator/dry-run-store.ts';
import { type AdminCommand, type CliContext, type ProgramOptions, requireProgram } from '../cli.ts';
import { type OpenFile, openFile } from '../csv.ts';
import { Failure, Interruption } from '../errors.ts';
import { wantsJson, withProgress, writePieces } from '../output.ts';
import { addMappingOptions, type FileKind, type MappingOptions, parseMapping } from './mapping.ts';
import { Report } from './report.ts';
import { createFailedLines, importLines, type Rows, storingEach } from './run.ts';

type ImportOptions = ProgramOptions & MappingOptions & { file: string; dryRun?: true; failed?: string };

const FROM = ' With --from, only the columns of the product\nand of --map are read.';
const PROGRESS = '{bar} {percentage} % | {eta_formatted} left';

interface ImportKind<Row> extends FileKind {
  readonly noun: string;
  readonly rows: string;
  /** What a line that contradicts an earlier one is about. */
  readonly subject: string;
  /** A column whose absence can do harm, and the warning if a file lacks it. */
  readonly advised?: { readonly column: string; readonly warning: string };
  readonly remarks: string;
  readonly storeOf: (table: Table, program: string) => BulkStore;
  readonly rowsOf: (program: Program, table: Table, store: BulkStore, isDryRun: boolean) => Rows<Row>;
}

export function addImport<Row>(command: AdminCommand, context: CliContext, kind: ImportKind<Row>): void {
  const { noun, rows, columns, required, remarks, presetOf } = kind;
  const call = `${noun} import --program ID --file ${rows}.csv`;
  const importCommand = command
    .programCommand('import', `import ${rows} from a CSV file; running it again imports only new rows`)
    .requiredOption('--file <path>', 'CSV file in UTF-8 whose first line names the columns; - reads standard input')
    .option('--dry-run', 'write nothing, and report what the import would do')
    .option('--failed <path>', 'write the failed lines with their reasons to this CSV file');
  addMappingOptions(importCommand, kind)
    .examples(
      [call, `${call} ${presetOf ? '--from rewardful ' : ''}--dry-run`, `${call} --map "E-Mail=email"`],
      `Columns, in any order and case:
  ${columns.join(', ')}
Required: ${required.map((group) => group.join(' or ')).join(', ')}. Unknown columns are ignored. Values are separated by commas or semicolons.
Times are Unix seconds, RFC 3339, or YYYY-MM-DD HH:MM:SS with UTC or an offset.${presetOf ? FROM : ''} ${remarks}`,
    )
    .action(async (options: ImportOptions) => {
      const report = new Report(kind.subject);
      const end = await runImport(options, context, kind, report);
      for (const warning of warningsOf(report, kind.advised)) context.errors.write(`${warning}\n`);
      const remark = options.dryRun && 'This was a dry run: nothing was written.';
      await writePieces(context.output, wantsJson(importCommand) ? report.json() : [report.text(remark)]);
      if (end) throw end;
      if (report.failures > 0) throw new Failure(failureOf(options, report));
    });
}

function* warningsOf({ header, warning }: Report, advised: ImportKind<unknown>['advised']) {
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
async function runImport<Row>(
  { program: id, file: path, dryRun, failed, ...names }: ImportOptions,
  { onTable, random, clock, input }: CliContext,
  kind: ImportKind<Row>,
  report: Report,
): Promise<Failure | undefined> {
  const mapping = parseMapping(names, kind);
  const rest = 'Imported rows stay. Run the same command again to import the rest.';
  const remains = dryRun ? 'Nothing was written.' : rest;
  let hasStarted = false;
  // After Ctrl-C, the transaction in progress is completed. A second Ctrl-C ends the process immediately.
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    await using file = await openFile(path, input);
    await using failedLines = failed === undefined ? undefined : await createFailedLines(failed, file, random);
    const work = (show: (read: number, size: number) => void) =>
      onTable(async (table) => {
        const program = await requireProgram(id, table);
        using dryRunStore = dryRun ? new DryRunStore(table) : undefined;
        const store = new BatchStore(dryRunStore ?? kind.storeOf(table, program.id));
        const rows = kind.rowsOf(program, table, store, dryRun === true);
        const storeEach = storingEach(store, rows.store, () => requireProgram(id, table));
        const results = { report, failedLines, interrupted: stop.signal };
        hasStarted = true;
        return await importLines(observed(file, show), mapping, { ...rows, store: storeEach }, results);
      });
    const isComplete = await withProgress(PROGRESS, clock, work);
    return isComplete ? undefined : new Interruption(`The import was interrupted. ${remains}`);
  } catch (error) {
    if (!hasStarted || !(error instanceof Failure)) throw error;
    return new Failure(`${error.message} ${remains}`, { cause: error });
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function* observed({ stats, chunks }: OpenFile, show: (read: number, size: number) => void) {
  let read = 0;
  for await (const chunk of chunks) {
    yield chunk;
    read += chunk.length;
    // The size of a pipe is 0.
    if (stats && stats.size > 0) show(read, stats.size);
  }
}
