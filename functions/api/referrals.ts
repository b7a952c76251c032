import { listV2Handler as listAdvocatesHandler } from '../advocates/http/handlers.ts';
import { ADVOCATE_ROUTES } from '../advocates/http/routes.ts';
import { explainHandler } from '../explain/http/handlers.ts';
import { EXPLAIN_ROUTES } from '../explain/http/routes.ts';
import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import { balancesHandler } from '../ledger/http/payouts/handlers.ts';
import { PAYOUT_ROUTES } from '../ledger/http/payouts/routes.ts';
import {
  ledgerHandler,
  ownLedgerHandler,
  ownStatementsHandler,
  statementsHandler,
} from '../ledger/http/reads/handlers.ts';
import { LEDGER_READ_ROUTES } from '../ledger/http/reads/routes.ts';
import { mcpHandlers } from '../mcp/http/handlers.ts';
import { MCP_ROUTES } from '../mcp/http/routes.ts';
import { getProgramHandler } from '../program/http/handlers.ts';
import { PROGRAM_ROUTES } from '../program/http/routes.ts';
import {
  countHandler,
  countOwnHandler,
  listOwnHandler,
  listOwnV2Handler,
  listV2Handler,
  lookupHandler,
  searchHandler,
} from '../referrals/http/handlers.ts';
import { REFERRAL_ROUTES } from '../referrals/http/routes.ts';
import type { OperationOf } from '../routes.ts';
import { advocateStatisticsHandler, ownStatisticsHandler, statisticsHandler } from '../statistics/http/handlers.ts';
import { STATISTICS_ROUTES } from '../statistics/http/routes.ts';
import { deliveriesHandler } from '../webhooks/http/event-handlers.ts';
import { listHandler as listWebhooksHandler } from '../webhooks/http/handlers.ts';
import { WEBHOOK_ROUTES } from '../webhooks/http/routes.ts';

/** Only the lists with a route of this function: a bundle contains no others. */
const ROUTES_HERE = {
  ...REFERRAL_ROUTES,
  ...EXPLAIN_ROUTES,
  ...STATISTICS_ROUTES,
  ...LEDGER_READ_ROUTES,
};

/** The operations that read referrals, and the assistants' access to these and other reads. */
export function referralsHandler(
  connection: Connection,
  { edge, hasEvents = false }: { readonly edge?: Edge | undefined; readonly hasEvents?: boolean } = {},
): HttpHandler {
  const service = serviceOn(connection, edge);
  const reads = {
    listReferralsV2: listV2Handler(service),
    lookUpReferral: lookupHandler(service),
    searchReferrals: searchHandler(service),
    explainCustomer: explainHandler(service),
    countReferrals: countHandler(service),
    countOwnReferrals: countOwnHandler(service),
    getStatistics: statisticsHandler(service),
    getOwnStatistics: ownStatisticsHandler(service),
    listAdvocateStatistics: advocateStatisticsHandler(service),
    listEntries: ledgerHandler(service),
    listOwnEntries: ownLedgerHandler(service),
    getStatements: statementsHandler(service),
    getOwnStatements: ownStatementsHandler(service),
    listOwnReferrals: listOwnV2Handler(service),
    listReferrals: listOwnHandler(service),
  };
  // Other functions have their own routes.
  const elsewhere = {
    listAdvocatesV2: listAdvocatesHandler(service),
    listBalances: balancesHandler(service),
    getProgram: getProgramHandler(service),
    listWebhooks: listWebhooksHandler(service),
    listDeliveries: deliveriesHandler(service),
  };
  const operations = byRoute<keyof typeof reads | keyof typeof elsewhere>(
    { ...ROUTES_HERE, ...ADVOCATE_ROUTES, ...PAYOUT_ROUTES, ...PROGRAM_ROUTES, ...WEBHOOK_ROUTES },
    { ...reads, ...elsewhere },
  );
  return byRoute<OperationOf<'referrals'>>(
    { ...ROUTES_HERE, ...MCP_ROUTES },
    { ...reads, ...mcpHandlers(service, { operations, hasEvents }) },
  );
}
