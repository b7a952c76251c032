import { findAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidAffiliate } from '../../kernel/errors.ts';
import type { HttpHandler } from '../../kernel/http/context.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { secondOf } from '../../kernel/time.ts';
import { isNothing, statisticsOf } from '../rules/statistics.ts';
import { advocateTotals, largestTotals } from '../table/advocates.ts';
import { readDaily } from '../table/sums.ts';
import {
  parseAdvocateStatisticsQuery,
  parseOwnStatisticsQuery,
  parseStatisticsQuery,
  toAdvocateStatistics,
  toStatistics,
} from './mapping.ts';
import { STATISTICS_ROUTES } from './routes.ts';
import { MAX_ADVOCATES } from './schema.ts';

/** `GET /v2/statistics`: what happened on each day, in the program or for one advocate. */
export function statisticsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: STATISTICS_ROUTES.getStatistics,
    service,
    input: (event) => parseStatisticsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program }, input: { slug, range, grouping }, table }) => {
      const [daily = new Map()] = await readDaily(table, program.id, [slug], range);
      const statistics = statisticsOf(daily, range, grouping);
      // Others show that the advocate exists.
      const isUnknown = slug !== null && isNothing(statistics.total) && !(await findAdvocate(table, program.id, slug));
      if (isUnknown) throw new InvalidAffiliate();
      return json(200, { data: toStatistics(slug ?? program.id, statistics) });
    },
  });
}

/** `GET /v2/affiliate/statistics`: what happened on each day for the token's advocate. */
export function ownStatisticsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: STATISTICS_ROUTES.getOwnStatistics,
    service,
    input: (event) => parseOwnStatisticsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program, advocate }, input: { range, grouping }, table }) => {
      const [daily = new Map()] = await readDaily(table, program.id, [advocate.slug], range);
      return json(200, { data: toStatistics(advocate.slug, statisticsOf(daily, range, grouping)) });
    },
  });
}

/** `GET /v2/statistics/advocates`: the advocates with the most paying customers, or the given ones. */
export function advocateStatisticsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: STATISTICS_ROUTES.listAdvocateStatistics,
    service,
    input: (event) => parseAdvocateStatisticsQuery(event, secondOf(service.clock())),
    handle: async ({ caller: { program }, input: { range, slugs }, table }) => {
      const totals = slugs
        ? await advocateTotals(table, program.id, slugs, range)
        : await largestTotals(table, program.id, range, MAX_ADVOCATES);
      return json(200, { data: totals.map(({ advocate, numbers }) => toAdvocateStatistics(advocate, numbers)) });
    },
  });
}
