import { NO_MONEY, NO_NUMBERS } from '../../kernel/accounts/rules/totals.ts';
import type { QueryEvent } from '../../kernel/http/validation.ts';
import { seconds } from '../../kernel/time.ts';
import { asReceived, example, firstRow, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE, PROGRAM } from '../../openapi/records.ts';
import {
  parseAdvocateStatisticsQuery,
  parseOwnStatisticsQuery,
  parseStatisticsQuery,
  toAdvocateStatistics,
  toStatistics,
} from '../http/mapping.ts';
import type { STATISTICS_ROUTES } from '../http/routes.ts';
import {
  ADVOCATE_STATISTICS_LIST,
  ADVOCATE_STATISTICS_QUERY,
  MAX_ADVOCATES,
  OWN_STATISTICS_QUERY,
  STATISTICS_DATA,
  STATISTICS_QUERY,
} from '../http/schema.ts';
import { statisticsOf } from '../rules/statistics.ts';

const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const at =
  <Result>(parse: (event: QueryEvent, now: typeof NOW) => Result) =>
  (event: QueryEvent): Result =>
    parse(event, NOW);

const RANGE = { from: '2026-10-31', to: '2026-11-01' };
const DAILY = {
  numbers: new Map([
    ['2026-10-31', { ...NO_NUMBERS, clicks: 27, conversions: 2, paying: 1 }],
    ['2026-11-01', { ...NO_NUMBERS, clicks: 18, conversions: 1, rejected: 1 }],
  ]),
  money: new Map([
    [
      'usd',
      new Map([
        ['2026-10-31', { ...NO_MONEY, revenue: 9800n, commissions: 1960n }],
        ['2026-11-01', { ...NO_MONEY, revenue: -1200n, commissions: -240n, settled: 1000n }],
      ]),
    ],
  ]),
};
const QUERY = `from=${RANGE.from}&to=${RANGE.to}`;
const BY_DAY = statisticsOf(DAILY, RANGE, 'day');

const MEANING = [
  'what happened on each day (UTC), newest first, and what the entries of the ledger recorded on that day add up to (`created_at`). Numbers of days that are over change only if rows are imported: they outlive clicks, moves and erasures. `conversions` and `paying` count a customer once, for the advocate at that moment. A change is usually counted within two minutes.',
  '',
  '`from` alone ends today, `to` alone starts 29 days earlier, and without both the range is the last 30 days. It has at most 400 days.',
].join('\n');

/** Documents the statistics. */
export const STATISTICS_OPERATIONS: Operations<typeof STATISTICS_ROUTES> = {
  getStatistics: {
    summary: 'Get statistics',
    description: `Returns, for the program or with \`affiliate_slug\` for one advocate, ${MEANING}\n\nThe advocate may be deactivated.`,
    query: { schema: STATISTICS_QUERY, parse: at(parseStatisticsQuery) },
    successes: {
      200: {
        description: 'The statistics.',
        schema: STATISTICS_DATA,
        examples: {
          two_days: example(`With \`${QUERY}\``, asReceived({ data: toStatistics(PROGRAM.id, BY_DAY) })),
          by_month: example(
            `With \`${QUERY}&group_by=month\``,
            asReceived({ data: toStatistics(PROGRAM.id, statisticsOf(DAILY, RANGE, 'month')) }),
          ),
        },
      },
    },
    errors: ['invalid_affiliate_slug'],
  },
  getOwnStatistics: {
    summary: "Get the affiliate's own statistics",
    description: `Returns, for the advocate of the token, ${MEANING}`,
    query: { schema: OWN_STATISTICS_QUERY, parse: at(parseOwnStatisticsQuery) },
    successes: {
      200: {
        description: 'The statistics.',
        schema: STATISTICS_DATA,
        examples: { two_days: example(`With \`${QUERY}\``, asReceived({ data: toStatistics(ADVOCATE.slug, BY_DAY) })) },
      },
    },
  },
  listAdvocateStatistics: {
    summary: 'List statistics of advocates',
    description: `Lists advocates in the order of \`sort\`, ${MAX_ADVOCATES} on a page (\`per_page\`). Advocates without a number are left out, with a sort by money without money in its currency; only then do rows of a range of days have \`money\`, in that currency. Rows that change while a client pages may repeat or be missing. With \`slugs\`, lists exactly these advocates. The range is the same as in the other statistics. If it has more than 100,000 months of advocates, the request is rejected.`,
    query: { schema: ADVOCATE_STATISTICS_QUERY, parse: at(parseAdvocateStatisticsQuery) },
    successes: {
      200: {
        description: 'A page of advocates.',
        headers: ['NextPage'],
        schema: ADVOCATE_STATISTICS_LIST,
        examples: {
          one: firstRow(`${QUERY}&sort=revenue&currency=usd`, asReceived(toAdvocateStatistics(ADVOCATE, BY_DAY.total))),
        },
      },
    },
    errors: ['invalid_affiliate_slug', 'range_too_large'],
  },
};
