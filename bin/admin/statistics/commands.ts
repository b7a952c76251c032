import { Option } from 'commander';
import { KINDS, type moneyList } from '../../../functions/kernel/accounts/rules/totals.ts';
import { DAY_GROUPINGS, type DayGrouping, parseDayRange } from '../../../functions/kernel/days.ts';
import { secondOf } from '../../../functions/kernel/time.ts';
import { wasImportedToday } from '../../../functions/referrals/operator/import-note.ts';
import { toAdvocateStatistics, toStatistics } from '../../../functions/statistics/http/mapping.ts';
import { MAX_ADVOCATES } from '../../../functions/statistics/http/schema.ts';
import {
  correct,
  type Difference,
  settledDifferences,
  statisticsDifferences,
} from '../../../functions/statistics/operator/statistics.ts';
import { NO_DAYS, statisticsOf } from '../../../functions/statistics/rules/statistics.ts';
import { sortedAdvocates } from '../../../functions/statistics/table/advocates.ts';
import { dailyReader } from '../../../functions/statistics/table/sums.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Failure } from '../errors.ts';
import { Amounts } from '../export.ts';
import * as option from '../options.ts';
import { flat, type Rendered, renderList, withProgress } from '../output.ts';

interface RangeOptions {
  readonly from?: string;
  readonly to?: string;
}
type ShowOptions = RangeOptions & { readonly advocate?: string | null; readonly groupBy: DayGrouping };

const RANGE = `Days are days in UTC, written as 2026-01-31. Without --from, the range has 30 days; without --to, it ends today. It has
at most 400 days.`;
const DIFFERENCE = ['month', 'day', 'slug', 'kind', 'stored', 'computed'] as const;
const PROGRESS = '{bar} {value} of {total} corrections | {eta_formatted} left';
const IMPORTED =
  'An import wrote referrals of the program within the last 24 hours, and the stream may not have counted them yet. Run the command 24 hours after the import, or use --dry-run.';
const CHANGED = 'Some numbers changed meanwhile and were not corrected. Run the command again.';

export function addStatisticsCommands(admin: AdminCommand, { clock }: CliContext): void {
  const statistics = admin.command('statistics').description('what happened on each day in a program');

  withRange(statistics.programCommand('show', 'show clicks, conversions and customers by day or month, newest first'))
    .option('--advocate <slug>', 'only this advocate', option.slug)
    .addOption(new Option('--group-by <group>', 'size of a group').choices(DAY_GROUPINGS).default('day'))
    .examples(
      [
        'statistics show --program ID',
        `statistics show --program ID --advocate jane-doe ${NEXT_LINE} --from 2026-01-01 --to 2026-12-31 --group-by month --json`,
      ],
      RANGE,
    )
    .onProgram(({ from, to, advocate: slug = null, groupBy }: ShowOptions) => {
      const range = parseDayRange(from, to, secondOf(clock()));
      return async ({ program, table }) => {
        if (slug !== null) await requireAdvocate(slug, program, table);
        const daily = await dailyReader(clock)(table, program.id, slug, range);
        const { id, attributes } = toStatistics(slug ?? program.id, statisticsOf(daily ?? NO_DAYS, range, groupBy));
        const rows = [...attributes.groups, { key: 'total', ...attributes.total }].map(withAmounts);
        return { json: { id, ...attributes }, text: renderList(rows, ['key', ...KINDS, ...AMOUNTS], '').text };
      };
    });

  const listing = `list the ${MAX_ADVOCATES} advocates with the most paying customers of a range`;
  withRange(statistics.programCommand('advocates', listing))
    .remarks(RANGE)
    .onProgram(({ from, to }: RangeOptions) => {
      const range = parseDayRange(from, to, secondOf(clock()));
      return async ({ program, table }) => {
        const page = { after: undefined, size: MAX_ADVOCATES };
        const sorting = { sort: 'paying', currency: undefined } as const;
        const { rows: found } = await sortedAdvocates(table, program.id, { range, ...sorting }, page);
        const rows = found.map(({ advocate, sums }) => {
          const { money: _, ...fields } = flat(toAdvocateStatistics(advocate, sums));
          return fields;
        });
        const columns = ['id', 'first_name', 'last_name', 'active', ...KINDS] as const;
        return renderList(rows, columns, 'Nothing happened in this range.');
      };
    });

  const rebuilding = 'compute the statistics of days that are over from the rows, and correct what differs';
  statistics
    .programCommand('rebuild', rebuilding)
    .option('--dry-run', 'change nothing, and print the differences of all days')
    .examples(
      ['statistics rebuild --program ID --dry-run', 'statistics rebuild --program ID'],
      `Run it after a backup was restored, or if statistics were not counted for more than 24 hours. It reads all rows of the
program. It changes only days that ended more than 24 hours ago, and never lowers clicks, because their rows expire.
Differences of the last minutes are usually changes that are still to be counted.`,
    )
    .onProgram(({ dryRun }: { readonly dryRun?: true }) => async ({ program, table }) => {
      if (dryRun) return renderDifferences(await statisticsDifferences(table, program));
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
      return { ...renderDifferences(corrected), failure };
    });
}

const AMOUNTS = ['revenue', 'commissions'] as const;

/** Replaces money by texts for people, such as `49.00 usd`. */
function withAmounts<Row extends { readonly money: ReturnType<typeof moneyList> }>({ money, ...row }: Row) {
  const of = (kind: (typeof AMOUNTS)[number]) => String(new Amounts(money.map((each) => [each.currency, each[kind]])));
  return { ...row, revenue: of('revenue') || null, commissions: of('commissions') || null };
}

function withRange(command: AdminCommand): AdminCommand {
  return command.option('--from <day>', 'first day of the range').option('--to <day>', 'last day of the range');
}

function renderDifferences(differences: readonly Difference[]): Rendered {
  const rows = differences.map(({ place: _, changedAt: _at, ...difference }) => difference);
  return renderList(rows, DIFFERENCE, 'There are no differences.');
}
