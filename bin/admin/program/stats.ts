import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { sumOf } from '../../../functions/domain/counts.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import type { SecondsRange } from '../../../functions/domain/time.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { type AdvocateCounts, countEach } from '../../../functions/table/operator/stats.ts';
import { type CliContext, examples, NEXT_LINE, PROGRAM, type ProgramOptions } from '../cli.ts';
import { requireProgram } from '../lookup.ts';
import { type Rendered, renderList, renderObject, withOutput } from '../output.ts';
import { addRange, rangeOf, TIME_FORMAT } from '../time-range.ts';

interface StatsOptions extends ProgramOptions {
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Milliseconds after which progress is shown. */
const PROGRESS_DELAY = 1000;

/** Adds `program stats`. */
export function addProgramStats(program: Command, { clock, onTable, output }: CliContext): void {
  const command = program
    .command('stats')
    .description('count the clicks and referrals of a program and of each advocate, by their current state')
    .requiredOption(...PROGRAM);
  addRange(command, 'created')
    .addHelpText(
      'after',
      examples(
        [
          'program stats --program ID',
          `program stats --program ID --created-after 2026-01-31T00:00:00Z ${NEXT_LINE} --created-before 2026-02-28T00:00:00Z --json`,
        ],
        `Advocates with the most paid referrals come first.
${TIME_FORMAT}`,
      ),
    )
    .action(
      withOutput(output, ({ program: id, createdAfter, createdBefore }: StatsOptions) => {
        const createdAt = rangeOf('created', createdAfter, createdBefore);
        return onTable(async (table) => {
          const found = await requireProgram(id, table);
          const showProgress = progressBar(clock() + PROGRESS_DELAY, clock);
          return renderStats(found.id, await countAdvocates(table, found.id, createdAt, showProgress));
        });
      }),
    );
}

/** Shows that some of all advocates are counted. */
type ShowProgress = (counted: number, all: number) => void;

async function countAdvocates(
  table: Table,
  program: string,
  createdAt: SecondsRange | undefined,
  showProgress: ShowProgress,
): Promise<AdvocateCounts[]> {
  const slugs = (await listAdvocates(table, program)).map(({ slug }) => slug);
  const counted: AdvocateCounts[] = [];
  for await (const advocate of countEach(table, program, slugs, createdAt)) {
    counted.push(advocate);
    showProgress(counted.length, slugs.length);
  }
  return counted.sort((one, other) => other.counts.paid - one.counts.paid || (one.slug < other.slug ? -1 : 1));
}

/** Shows the progress on standard error from a moment on, if that is a terminal. */
function progressBar(from: number, clock: CliContext['clock']): ShowProgress {
  const format = '{bar} {value} of {total} advocates | {eta_formatted} left';
  const bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic);
  return (counted, all) => {
    if (counted === all) bar.stop();
    else if (bar.isActive) bar.update(counted);
    else if (clock() >= from) bar.start(all, counted);
  };
}

function renderStats(program: string, advocates: readonly AdvocateCounts[]): Rendered {
  const total = sumOf(advocates);
  const rows = advocates.map(({ slug, counts }) => ({ slug, ...counts }));
  const byAdvocate = renderList(rows, ['slug', ...STATES], 'The program has no advocates yet.');
  return {
    json: { program, total, advocates: rows },
    text: (width) => `${renderObject(total).text(width)}\n${byAdvocate.text(width)}`,
  };
}
