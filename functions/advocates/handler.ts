import { referralLinks } from '../domain/advocate.ts';
import type { HttpHandler } from '../http/context.ts';
import { byRoute, endpoint, type Service } from '../http/endpoint.ts';
import { listResponse, startOf } from '../http/list.ts';
import { type OperationOf, ROUTES } from '../routes.ts';
import { listedAdvocateOf } from '../table/advocates.ts';
import type { Connection } from '../table/connection.ts';
import { readPage } from '../table/page.ts';
import { planAdvocates } from '../table/plan.ts';
import { serviceOn } from '../table/service.ts';
import type { Table } from '../table/table.ts';
import { advocateResource, advocatesInput } from './mapping.ts';

/** The operations on advocates. */
export function advocatesHandler(connection: Connection): HttpHandler {
  const handlers = { listAdvocates: listAdvocatesEndpoint(serviceOn(connection)) };
  return byRoute(handlers satisfies Record<OperationOf<'advocates'>, HttpHandler>);
}

/** `GET /v1/advocates`: the advocates of the token's program, newest first. */
function listAdvocatesEndpoint(service: Service<Table>): HttpHandler {
  return endpoint({
    route: ROUTES.listAdvocates,
    service,
    input: advocatesInput,
    handle: async ({ caller: { program }, input: { paging, createdAt }, table, event }) => {
      const plan = planAdvocates(program.id, createdAt);
      const list = ['advocates', program.id, createdAt];
      const { page, start } = startOf(paging, list);
      const { items, next } = await readPage(table, plan, start, paging.perPage);
      const link = referralLinks(program);
      const data = items.map((item) => advocateResource(program, link, listedAdvocateOf(item)));
      return listResponse(event, paging, list, { page, next, data });
    },
  });
}
