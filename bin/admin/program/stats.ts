import { sumOf } from '../../../functions/domain/counts.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import type { SecondsRange } from '../../../functions/domain/time.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { type AdvocateCounts, countEach } from '../../../functions/table/operator/stats.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Progress, renderList, renderObject } from '../output.ts';
import { addRange, rangeOf, TIME_FORMAT } from '../time-range.ts';

interface StatsOptions {
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Adds `program stats`. */
export function addProgramStats(program: AdminCommand, { clock }: CliContext): void {
  const description = 'count the clicks and referrals of a program and of each advocate, by their current state';
  addRange(program.programCommand('stats', description), 'created')
    .examples(
      [
        'program stats --program ID',
        `program stats --program ID --created-after 2026-01-31T00:00:00Z ${NEXT_LINE} --created-before 2026-02-28T00:00:00Z --json`,
      ],
      `Advocates with the most paid referrals come first.
${TIME_FORMAT} Both bounds are exclusive.`,
    )
    .onProgram(({ createdAfter, createdBefore }: StatsOptions) => {
      const createdAt = rangeOf('created', createdAfter, createdBefore);
      return async ({ program: { id }, table }) => {
        const progress = new Progress('{bar} {value} of {total} advocates | {eta_formatted} left', clock);
        const advocates = await countAdvocates(table, id, createdAt, progress);
        const total = sumOf(advocates);
        const rows = advocates.map(({ slug, counts }) => ({ slug, ...counts }));
        const byAdvocate = renderList(rows, ['slug', ...STATES], 'The program has no advocates yet.');
        return {
          json: { program: id, total, advocates: rows },
          text: (width) => `${renderObject(total).text(width)}\n${byAdvocate.text(width)}`,
        };
      };
    });
}

async function countAdvocates(
  table: Table,
  program: string,
  createdAt: SecondsRange | undefined,
  progress: Progress,
): Promise<AdvocateCounts[]> {
  const slugs = (await listAdvocates(table, program)).map(({ slug }) => slug);
  const counted: AdvocateCounts[] = [];
  try {
    for await (const advocate of countEach(table, program, slugs, createdAt)) {
      counted.push(advocate);
      progress.show(counted.length, slugs.length);
    }
  } finally {
    progress.stop();
  }
  return counted.sort((one, other) => other.counts.paid - one.counts.paid || (one.slug < other.slug ? -1 : 1));
}
