import type { Table } from '../../../kernel/dynamodb/table.ts';
import type { HttpHandler } from '../../../kernel/http/context.ts';
import { json } from '../../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../../kernel/http/route-handler.ts';
import { payAdvocates } from '../../table/payout-runs.ts';
import { parsePayoutRun, toPayouts } from './mapping.ts';
import { PAYOUT_WRITE_ROUTES } from './routes.ts';

/** `POST /v2/payout-runs`: settles what is payable of some advocates. */
export function payOutHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PAYOUT_WRITE_ROUTES.payOut,
    service,
    input: (_, body) => parsePayoutRun(body),
    handle: async ({ caller: { program }, input: { run, slugs }, table }) =>
      json(200, { data: toPayouts(run, await payAdvocates(table, program, run, slugs)) }),
  });
}
