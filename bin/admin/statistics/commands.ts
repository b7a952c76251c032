import { Option } from 'commander';
import { parseSlug } from '../../../functions/domain/fields.ts';
import { DAY_GROUPINGS, type DayGrouping, parseDayRange } from '../../../functions/domain/statistics/days.ts';
import { KINDS, statisticsOf } from '../../../functions/domain/statistics/statistics.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { toAdvocateStatistics, toStatistics } from '../../../functions/referrals/statistics/mapping.ts';
import { MAX_ADVOCATES } from '../../../functions/referrals/statistics/schema.ts';
import { largestTotals } from '../../../functions/table/statistics/advocates.ts';
import { readDaily } from '../../../functions/table/statistics/sums.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { renderList } from '../output.ts';
import { addRebuild } from './rebuild.ts';

interface RangeOptions {
  readonly from?: string;
  readonly to?: string;
}
type ShowOptions = RangeOptions & { readonly advocate?: string; readonly groupBy: DayGrouping };

const RANGE = `Days are days in UTC, written as 2026-01-31. Without --from, the range has 30 days; without --to, it ends today. It has
at most 400 days.`;

/** Adds all commands for statistics. */
export function addStatisticsCommands(admin: AdminCommand, context: CliContext): void {
  const statistics = admin.command('statistics').description('what happened on each day in a program');
  addShow(statistics, context);
  addAdvocates(statistics, context);
  addRebuild(statistics, context);
}

const withRange = (command: AdminCommand): AdminCommand =>
  command.option('--from <day>', 'first day of the range').option('--to <day>', 'last day of the range');

function addShow(statistics: AdminCommand, { clock }: CliContext): void {
  withRange(statistics.programCommand('show', 'show clicks, conversions and customers by day or month, newest first'))
    .option('--advocate <slug>', 'only this advocate')
    .addOption(new Option('--group-by <group>', 'size of a group').choices(DAY_GROUPINGS).default('day'))
    .examples(
      [
        'statistics show --program ID',
        `statistics show --program ID --advocate jane-doe ${NEXT_LINE} --from 2026-01-01 --to 2026-12-31 --group-by month --json`,
      ],
      RANGE,
    )
    .onProgram(({ from, to, advocate, groupBy }: ShowOptions) => {
      const range = parseDayRange(from, to, secondOf(clock()));
      const slug = advocate === undefined ? null : parseSlug('advocate', advocate);
      return async ({ program, table }) => {
        if (slug !== null) await requireAdvocate(slug, program, table);
        const [daily = new Map()] = await readDaily(table, program.id, [slug], range);
        const { id, attributes } = toStatistics(slug ?? program.id, statisticsOf(daily, range, groupBy));
        const { text } = renderList(
          [...attributes.groups, { key: 'total', ...attributes.total }],
          ['key', ...KINDS],
          '',
        );
        return { json: { id, ...attributes }, text };
      };
    });
}

function addAdvocates(statistics: AdminCommand, { clock }: CliContext): void {
  const description = `list the ${MAX_ADVOCATES} advocates with the most paying customers of a range`;
  withRange(statistics.programCommand('advocates', description))
    .remarks(RANGE)
    .onProgram(({ from, to }: RangeOptions) => {
      const range = parseDayRange(from, to, secondOf(clock()));
      return async ({ program, table }) => {
        const totals = await largestTotals(table, program.id, range, MAX_ADVOCATES);
        const rows = totals.map(({ advocate, numbers }) => {
          const { id, attributes } = toAdvocateStatistics(advocate, numbers);
          return { id, ...attributes };
        });
        const columns = ['id', 'first_name', 'last_name', 'active', ...KINDS] as const;
        return renderList(rows, columns, 'Nothing happened in this range.');
      };
    });
}
