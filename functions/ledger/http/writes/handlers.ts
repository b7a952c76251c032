import type { Scope } from '../../../kernel/accounts/rules/token.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import type { HttpHandler } from '../../../kernel/http/context.ts';
import { json } from '../../../kernel/http/response.ts';
import type { Route } from '../../../kernel/http/route.ts';
import { routeHandler, type Service } from '../../../kernel/http/route-handler.ts';
import { secondOf } from '../../../kernel/time.ts';
import { warningOf } from '../../rules/entry.ts';
import type { Ledger, Recorded } from '../../table/entries.ts';
import { recordAdjustment } from '../../table/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../table/payments.ts';
import { recordSettlement } from '../../table/settlements.ts';
import { toEntry } from '../entry.ts';
import { parseAdjustment, parsePayment, parseRefund, parseSettlement, parseVoid } from './mapping.ts';
import { LEDGER_WRITE_ROUTES } from './routes.ts';

/**
 * The operations that write entries of the ledger: 201 for a new entry, 200 with the first one if it is repeated. The
 * header `x-warning` tells a merchant that a payment earns nothing because there is no rate.
 */
export function ledgerHandlers(service: Service<Table>) {
  const now = () => secondOf(service.clock());
  const { recordPayment: payment, recordRefund: refund, voidPayment } = LEDGER_WRITE_ROUTES;
  const { recordAdjustment: adjustment, recordSettlement: settlement } = LEDGER_WRITE_ROUTES;
  return {
    recordPayment: recording(service, payment, (body) => parsePayment(body, now()), recordPayment),
    recordRefund: recording(service, refund, (body) => parseRefund(body, now()), recordRefund),
    voidPayment: recording(service, voidPayment, parseVoid, recordVoid),
    recordAdjustment: recording(service, adjustment, parseAdjustment, recordAdjustment),
    recordSettlement: recording(service, settlement, (body) => parseSettlement(body, now()), recordSettlement),
  };
}

function recording<Input>(
  service: Service<Table>,
  route: Route & { readonly access: { readonly token: 'program'; readonly scope: Scope } },
  parse: (body: unknown) => Input,
  record: (table: Table, ledger: Ledger, input: Input) => Promise<Recorded>,
): HttpHandler {
  return routeHandler({
    route,
    service,
    input: (_, body) => parse(body),
    handle: async ({ caller: { program }, input, table }) => {
      const { entry, isNew } = await record(table, { program: program.id, by: 'merchant' }, input);
      const warning = warningOf(entry);
      return json(isNew ? 201 : 200, { data: toEntry(entry) }, warning && { 'x-warning': warning });
    },
  });
}
