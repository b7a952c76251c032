import { explainHandler } from '../explain/http/handlers.ts';
import { EXPLAIN_ROUTES } from '../explain/http/routes.ts';
import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import {
  ledgerHandler,
  ownLedgerHandler,
  ownStatementsHandler,
  statementsHandler,
} from '../ledger/http/reads/handlers.ts';
import { LEDGER_READ_ROUTES } from '../ledger/http/reads/routes.ts';
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

/** Only the lists with a route of this function: a bundle contains no others. */
const ROUTES_HERE = {
  ...REFERRAL_ROUTES,
  ...EXPLAIN_ROUTES,
  ...STATISTICS_ROUTES,
  ...LEDGER_READ_ROUTES,
};

/** The operations that read referrals. */
export function referralsHandler(connection: Connection, edge?: Edge): HttpHandler {
  const service = serviceOn(connection, edge);
  return byRoute<OperationOf<'referrals'>>(ROUTES_HERE, {
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
  });
}
