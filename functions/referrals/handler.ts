import type { HttpHandler } from '../http/context.ts';
import { byRoute, endpoint, type Service } from '../http/endpoint.ts';
import { listResponse, startOf } from '../http/list.ts';
import { type OperationOf, ROUTES } from '../routes.ts';
import type { Connection } from '../table/connection.ts';
import { readPage } from '../table/page.ts';
import { planReferrals } from '../table/plan.ts';
import { listedReferralOf } from '../table/referral-item.ts';
import { serviceOn } from '../table/service.ts';
import type { Table } from '../table/table.ts';
import { listedReferral, referralsInput } from './mapping.ts';

/** The operations on referrals. */
export function referralsHandler(connection: Connection): HttpHandler {
  const handlers = { listReferrals: listReferralsEndpoint(serviceOn(connection)) };
  return byRoute(handlers satisfies Record<OperationOf<'referrals'>, HttpHandler>);
}

/** `GET /v1/affiliate/referrals`: the referrals of the token's advocate, newest first. */
function listReferralsEndpoint(service: Service<Table>): HttpHandler {
  return endpoint({
    route: ROUTES.listReferrals,
    service,
    input: referralsInput,
    handle: async ({ caller: { program, slug }, input: { paging, filters }, table, event }) => {
      const plan = planReferrals(program.id, slug, filters);
      const list = ['referrals', program.id, slug, filters];
      const { page, start } = startOf(paging, list);
      const { items, next } = await readPage(table, plan, start, paging.perPage);
      const data = items.map((item) => listedReferral(listedReferralOf(item)));
      return listResponse(event, paging, list, { page, next, data });
    },
  });
}
