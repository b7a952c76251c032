import { sumOf } from '../../../functions/domain/counts.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { type AdvocateCounts, countEach } from '../../../functions/table/operator/stats.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { renderList, renderObject, withProgress } from '../output.ts';
import { addRange, rangeOf, TIME_FORMAT } from '../time-range.ts';

const PROGRESS = '{bar} {value} of {total} advocates | {eta_formatted} left';

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
    .onProgram((options: Partial<Record<'createdAfter' | 'createdBefore', string>>) => {
      const createdAt = rangeOf('created', options.createdAfter, options.createdBefore);
      return async ({ program: { id }, table }) => {
        const slugs = (await listAdvocates(table, id)).map(({ slug }) => slug);
        const advocates = await withProgress(PROGRESS, clock, async (show) => {
          const counted: AdvocateCounts[] = [];
          for await (const advocate of countEach(table, id, slugs, createdAt)) {
            show(counted.push(advocate), slugs.length);
          }
          return counted.sort((one, other) => other.counts.paid - one.counts.paid || (one.slug < other.slug ? -1 : 1));
        });
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
