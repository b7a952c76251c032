import { isCommissionRulesId } from '../../kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
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
  ...rulesHandlers(service),
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

/**
 * `GET /v2/commission-rules/{id}`: rules that the program or a group has or had. `GET /v2/affiliate/commission-rules/{id}`:
 * the same for an affiliate, who knows the ids of its referrals and entries.
 */
function rulesHandlers(service: Service<Table>) {
  const reading = { service, input: idInPath, handle: readRules };
  return {
    getCommissionRules: routeHandler({ route: TERMS_ROUTES.getCommissionRules, ...reading }),
    getOwnCommissionRules: routeHandler({ route: TERMS_ROUTES.getOwnCommissionRules, ...reading }),
  };
}

function idInPath(event: HttpEvent): string {
  assertNoQuery(event);
  return event.pathParameters?.['rules_id'] ?? '';
}

async function readRules({ caller: { program }, input: id, table }: RulesRead): Promise<HttpResult> {
  const rules = isCommissionRulesId(id) ? await findRules(table, program.id, id) : undefined;
  if (!rules) throw new RulesNotFound();
  return json(200, toRulesData(id, rules));
}

interface RulesRead {
  readonly caller: { readonly program: Pick<Program, 'id'> };
  readonly input: string;
  readonly table: Table;
}
