import { isCommissionRulesId } from '../../kernel/accounts/rules/commission-rules-id.ts';
import { findRules, rulesOf } from '../../kernel/accounts/table/commission-rules.ts';
import { readGroups } from '../../kernel/accounts/table/groups.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { RulesNotFound } from '../../kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../kernel/http/context.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { assertNoQuery } from '../../kernel/http/validation.ts';
import { putGroup } from '../table/put-group.ts';
import { parseGroup, toGroup, toRulesData } from './mapping.ts';
import { TERMS_ROUTES } from './routes.ts';

/** The operations on groups, and on rules. */
export const termsHandlers = (service: Service<Table>) => ({
  putGroup: putGroupHandler(service),
  listGroups: listGroupsHandler(service),
  getCommissionRules: rulesHandler(service),
  getOwnCommissionRules: ownRulesHandler(service),
});

/** `PUT /v2/groups/{name}`: creates or replaces a group. */
function putGroupHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TERMS_ROUTES.putGroup,
    service,
    input: parseGroup,
    handle: async ({ caller: { program }, input, table }) =>
      json(200, { data: toGroup(await putGroup(table, program.id, input), input.commissionRules) }),
  });
}

/** `GET /v2/groups`: all groups, by name. */
function listGroupsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TERMS_ROUTES.listGroups,
    service,
    input: assertNoQuery,
    handle: async ({ caller: { program }, table }) => {
      const { groups } = await readGroups(table, program.id);
      const data = groups.map(async (group) => toGroup(group, await rulesOf(table, program.id, group)));
      return json(200, { data: await Promise.all(data) });
    },
  });
}

/** `GET /v2/commission-rules/{id}`: rules that the program or a group has or had. */
function rulesHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TERMS_ROUTES.getCommissionRules,
    service,
    input: idInPath,
    handle: ({ caller: { program }, input: id, table }) => rulesResponse(table, program.id, id),
  });
}

/** `GET /v2/affiliate/commission-rules/{id}`: the same for an affiliate, who knows the ids of its referrals and entries. */
function ownRulesHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: TERMS_ROUTES.getOwnCommissionRules,
    service,
    input: idInPath,
    handle: ({ caller: { program }, input: id, table }) => rulesResponse(table, program.id, id),
  });
}

function idInPath(event: HttpEvent): string {
  assertNoQuery(event);
  return event.pathParameters?.['rules_id'] ?? '';
}

async function rulesResponse(table: Table, program: string, id: string): Promise<HttpResult> {
  const rules = isCommissionRulesId(id) ? await findRules(table, program, id) : undefined;
  if (!rules) throw new RulesNotFound();
  return json(200, toRulesData(id, rules));
}
