import { referralLinks } from '../domain/advocate.ts';
import type { HttpHandler } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';
import { listResponse, startOf } from '../http/list.ts';
import { ROUTES } from '../routes.ts';
import { listedAdvocateOf } from '../table/advocates.ts';
import { callersOf } from '../table/callers.ts';
import { readPage } from '../table/page.ts';
import { planAdvocates } from '../table/plan.ts';
import type { Table } from '../table/table.ts';
import { advocatesInput } from './query.ts';
import { advocateResource } from './resource.ts';

/** `GET /v1/advocates`: the advocates of the token's program, newest first. */
export function advocatesHandler(table: Table): HttpHandler {
  return endpoint({
    route: ROUTES.listAdvocates,
    callers: callersOf(table),
    clock: table.clock,
    input: advocatesInput,
    handle: async ({ caller: { program }, input: { paging, createdAt }, deadline, event }) => {
      const plan = planAdvocates(program.id, createdAt);
      const list = ['advocates', program.id, createdAt];
      const { page, start } = startOf(paging, list);
      const { items, next } = await readPage(table, plan, start, paging.perPage, deadline);
      const link = referralLinks(program);
      const data = items.map((item) => advocateResource(program, link, listedAdvocateOf(item)));
      return listResponse(event, paging, list, { page, next, data });
    },
  });
}
