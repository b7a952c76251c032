import { isNothing, NO_TOTALS } from '../../kernel/accounts/rules/totals.ts';
import { findAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { readTotals } from '../../kernel/accounts/table/totals.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate } from '../../kernel/errors.ts';
import type { HttpHandler } from '../../kernel/http/context.ts';
import { cursorOf, listResponse } from '../../kernel/http/list.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { exactNumbers } from '../../kernel/json.ts';
import { secondOf } from '../../kernel/time.ts';
import { NO_DAYS, type Statistics, statisticsOf } from '../rules/statistics.ts';
import { sortedAdvocates, sumsOfAdvocates } from '../table/advocates.ts';
import { dailyReader } from '../table/sums.ts';
import {
  parseAdvocateStatisticsQuery,
  parseOwnStatisticsQuery,
  parseStatisticsQuery,
  type StatisticsInput,
  toAdvocateStatistics,
  toStatistics,
} from './mapping.ts';
import { STATISTICS_ROUTES } from './routes.ts';

/** `GET /v2/statistics`: what happened on each day, in the program or for one advocate. */
export function statisticsHandler(service: Service<Table>): HttpHandler {
  const read = statisticsReader(service);
  return routeHandler({
    route: STATISTICS_ROUTES.getStatistics,
    service,
    input: (event) => parseStatisticsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program }, input: { slug, ...input }, table }) => {
      const statistics = await read(table, program.id, slug, input);
      const { numbers, money } = statistics.total;
      // Others show that the advocate exists.
      const isKnown = slug === null || !isNothing(numbers) || money.size > 0;
      if (!isKnown && !(await findAdvocate(table, program.id, slug))) throw new InvalidAffiliate();
      return json(200, exactNumbers({ data: toStatistics(slug ?? program.id, statistics) }));
    },
  });
}

/** Returns the function that reads the statistics of an advocate or of the program (`null`). */
function statisticsReader({ clock }: Service<Table>) {
  const readDays = dailyReader(clock);
  return async (table: Table, program: string, slug: string | null, input: StatisticsInput): Promise<Statistics> => {
    const { range, grouping } = input;
    if (range !== 'lifetime')
      return statisticsOf((await readDays(table, program, slug, range)) ?? NO_DAYS, range, grouping);
    const [total = NO_TOTALS] = await readTotals(table, program, [slug]);
    return { total, groups: [] };
  };
}

/** `GET /v2/affiliate/statistics`: what happened on each day for the token's advocate. */
export function ownStatisticsHandler(service: Service<Table>): HttpHandler {
  const read = statisticsReader(service);
  return routeHandler({
    route: STATISTICS_ROUTES.getOwnStatistics,
    service,
    input: (event) => parseOwnStatisticsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program, advocate }, input, table }) => {
      const statistics = await read(table, program.id, advocate.slug, input);
      return json(200, exactNumbers({ data: toStatistics(advocate.slug, statistics) }));
    },
  });
}

/** `GET /v2/statistics/advocates`: a page of the advocates in the order of a sort, or the given ones. */
export function advocateStatisticsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: STATISTICS_ROUTES.listAdvocateStatistics,
    service,
    input: (event) => parseAdvocateStatisticsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program }, input, table, event }) => {
      const { range, given, slugs, paging, sorting } = input;
      const list = ['advocate statistics', program.id, given, sorting];
      const { page, after } = cursorOf(paging, list);
      const { rows, next } = slugs
        ? { rows: await sumsOfAdvocates(table, program.id, slugs, range), next: undefined }
        : await sortedAdvocates(table, program.id, { range, ...sorting }, { after, size: paging.perPage });
      const data = rows.map(({ advocate, sums }) => exactNumbers(toAdvocateStatistics(advocate, sums)));
      return listResponse(event, paging, list, { page, next, data });
    },
  });
}
