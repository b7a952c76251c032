import type { Table } from '../../kernel/dynamodb/table.ts';
import type { HttpHandler } from '../../kernel/http/context.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { explain } from '../rules/explanation.ts';
import { readFacts } from '../table/facts.ts';
import { parseQuestion, toExplanation } from './mapping.ts';
import { EXPLAIN_ROUTES } from './routes.ts';

/** `POST /v2/referrals/explain`: why a customer is credited, or not. */
export function explainHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: EXPLAIN_ROUTES.explainCustomer,
    service,
    input: (_, body) => parseQuestion(body),
    handle: async ({ caller: { program }, input, table }) =>
      json(200, { data: toExplanation(program, explain(await readFacts(table, program, input))) }),
  });
}
