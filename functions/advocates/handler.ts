import { referralLinks } from '../domain/advocate.ts';
import type { HttpHandler } from '../http/call.ts';
import { endpoint } from '../http/endpoint.ts';
import { listAnswer, parsePaging, parseRange, startOf } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { valid } from '../http/validation.ts';
import { ROUTES } from '../routes.ts';
import { advocateOf } from '../table/advocates.ts';
import { readPage } from '../table/page.ts';
import { planAdvocates } from '../table/plan.ts';
import type { Table } from '../table/table.ts';
import { authenticator } from '../table/tokens.ts';
import { advocateResource } from './resource.ts';
import { ADVOCATES_QUERY } from './schema.ts';
import { advocatesQuery } from './validators.js';

/** `GET /v1/advocates`: the advocates of the token's program, newest first. */
export function advocatesHandler(table: Table): HttpHandler {
  return endpoint({
    route: ROUTES.listAdvocates,
    authenticate: authenticator(table),
    clock: table.clock,
    input: (event) => {
      const query = valid(readQuery(event, ADVOCATES_QUERY), advocatesQuery);
      return { paging: parsePaging(query), createdAt: parseRange(query, 'created_at') };
    },
    handle: async ({ caller: { program }, input: { paging, createdAt }, deadline, event }) => {
      const plan = planAdvocates(program.id, createdAt);
      const { page, start } = startOf(paging, plan);
      const { items, next } = await readPage(table, plan, start, paging.perPage, deadline);
      const link = referralLinks(program);
      const data = items.map((item) => advocateResource(program, link, advocateOf(item)));
      return listAnswer(event, paging, plan, { page, next, data });
    },
  });
}
