import { MAX_SUB_ID, parseText } from '../domain/text.ts';
import type { HttpHandler } from '../http/call.ts';
import { endpoint } from '../http/endpoint.ts';
import { listAnswer, parsePaging, parseRange, startOf } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { valid } from '../http/validation.ts';
import { ROUTES } from '../routes.ts';
import { readPage } from '../table/page.ts';
import { planReferrals } from '../table/plan.ts';
import { listedReferralOf } from '../table/referrals.ts';
import type { Table } from '../table/table.ts';
import { authenticator } from '../table/tokens.ts';
import { listedReferral } from './resource.ts';
import { REFERRALS_QUERY } from './schema.ts';
import { referralsQuery } from './validators.js';

/** `GET /v1/affiliate/referrals`: the referrals of the token's advocate, newest first. */
export function referralsHandler(table: Table): HttpHandler {
  return endpoint({
    route: ROUTES.listReferrals,
    authenticate: authenticator(table),
    clock: table.clock,
    input: (event) => {
      const query = valid(readQuery(event, REFERRALS_QUERY), referralsQuery);
      const { state_eq: state, sub_id_eq: subId } = query;
      return {
        paging: parsePaging(query),
        filters: {
          state,
          subId: subId === undefined ? undefined : parseText('sub_id_eq', subId, MAX_SUB_ID),
          createdAt: parseRange(query, 'created_at'),
          stateSetAt: parseRange(query, 'state_set_at'),
        },
      };
    },
    handle: async ({ caller: { program, slug }, input: { paging, filters }, deadline, event }) => {
      const plan = planReferrals(program.id, slug, filters);
      const { page, start } = startOf(paging, plan);
      const { items, next } = await readPage(table, plan, start, paging.perPage, deadline);
      return listAnswer(event, paging, plan, {
        page,
        next,
        data: items.map((item) => listedReferral(listedReferralOf(item))),
      });
    },
  });
}
