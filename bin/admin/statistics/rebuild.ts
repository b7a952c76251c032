import { wasImportedToday } from '../../../functions/table/operator/import-note.ts';
import {
  correct,
  type Difference,
  settledDifferences,
  statisticsDifferences,
} from '../../../functions/table/operator/statistics.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { Failure } from '../errors.ts';
import { type Rendered, renderList, withProgress } from '../output.ts';

const COLUMNS = ['month', 'day', 'slug', 'kind', 'stored', 'computed'] as const;
const PROGRESS = '{bar} {value} of {total} corrections | {eta_formatted} left';
const IMPORTED =
  'An import wrote referrals of the program within the last 24 hours, and the stream may not have counted them yet. Run the command 24 hours after the import, or use --dry-run.';
const CHANGED = 'Some numbers changed meanwhile and were not corrected. Run the command again.';

/** Adds `statistics rebuild`. */
export function addRebuild(statistics: AdminCommand, { clock }: CliContext): void {
  const description = 'compute the statistics of days that are over from the rows, and correct what differs';
  statistics
    .programCommand('rebuild', description)
    .option('--dry-run', 'change nothing, and print the differences of all days')
    .examples(
      ['statistics rebuild --program ID --dry-run', 'statistics rebuild --program ID'],
      `Run it after a backup was restored, or if statistics were not counted for more than 24 hours. It reads all rows of the
program. It changes only days that ended more than 24 hours ago, and never lowers clicks, because their rows expire.
Differences of the last minutes are usually changes that are still to be counted.`,
    )
    .onProgram(({ dryRun }: { readonly dryRun?: true }) => async ({ program, table }) => {
      if (dryRun) return rendered(await statisticsDifferences(table, program));
      const requireNoImport = async () => {
        if (await wasImportedToday(table, program.id)) throw new Failure(IMPORTED);
      };
      await requireNoImport();
      const differences = await settledDifferences(table, program);
      // An import that has started meanwhile may have written some of the rows.
      await requireNoImport();
      const corrected = await withProgress(PROGRESS, clock, async (show) => {
        const done: typeof differences = [];
        for (const [index, difference] of differences.entries()) {
          if (await correct(table, program.id, difference)) done.push(difference);
          show(index + 1, differences.length);
        }
        return done;
      });
      const failure = corrected.length < differences.length ? new Failure(CHANGED) : undefined;
      return { ...rendered(corrected), failure };
    });
}

const rendered = (differences: readonly Difference[]): Rendered =>
  renderList(
    differences.map((difference) => ({ ...difference })),
    COLUMNS,
    'There are no differences.',
  );
