import type { HttpHandler } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';
import { listResponse, startOf } from '../http/list.ts';
import { ROUTES } from '../routes.ts';
import { serviceOn } from '../table/callers.ts';
import type { Connection } from '../table/connection.ts';
import { readPage } from '../table/page.ts';
import { planReferrals } from '../table/plan.ts';
import { listedReferralOf } from '../table/referral-item.ts';
import { listedReferral, referralsInput } from './mapping.ts';

/** `GET /v1/affiliate/referrals`: the referrals of the token's advocate, newest first. */
export function referralsHandler(connection: Connection): HttpHandler {
  return endpoint({
    route: ROUTES.listReferrals,
    service: serviceOn(connection),
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
