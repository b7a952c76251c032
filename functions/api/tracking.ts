import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import type { RecordMetrics } from '../kernel/log/metrics.ts';
import type { SecretReader } from '../kernel/secrets/secrets.ts';
import { ledgerHandlers } from '../ledger/http/writes/handlers.ts';
import { LEDGER_WRITE_ROUTES } from '../ledger/http/writes/routes.ts';
import { fileHandlers } from '../pages/http/handlers.ts';
import { PAGE_ROUTES } from '../pages/http/routes.ts';
import type { ReadPage } from '../pages/http/static-file.ts';
import { refusalRecorder } from '../referrals/table/refusals.ts';
import type { OperationOf } from '../routes.ts';
import { stripeHandler } from '../stripe/http/event-handler.ts';
import { STRIPE_EVENT_ROUTES } from '../stripe/http/event-routes.ts';
import * as handlers from '../tracking/http/handlers.ts';
import { refusalsTo } from '../tracking/http/refusals.ts';
import { TRACKING_ROUTES } from '../tracking/http/routes.ts';

/** Only the lists with a route of this function: a bundle contains no others. */
const ROUTES_HERE = {
  ...TRACKING_ROUTES,
  ...LEDGER_WRITE_ROUTES,
  ...STRIPE_EVENT_ROUTES,
  ...PAGE_ROUTES,
};

/** The operations that write, the script that reports clicks, and the pages. The local service records no metrics. */
export function trackingHandler(
  connection: Connection,
  secrets: SecretReader,
  readPage: ReadPage,
  { recordMetrics = () => undefined, edge }: { recordMetrics?: RecordMetrics; edge?: Edge | undefined } = {},
): HttpHandler {
  const service = serviceOn(connection, edge);
  const refusal = refusalRecorder(connection.clock);
  const refusals = refusalsTo({ metrics: recordMetrics, refusal });
  return byRoute<OperationOf<'tracking'>>(ROUTES_HERE, {
    trackConversionV2: handlers.conversionV2Handler(service, refusals),
    setState: handlers.stateHandler(service),
    reassignReferral: handlers.reassignHandler(service),
    eraseCustomer: handlers.eraseHandler(service),
    trackClick: handlers.clickHandler(service, refusals),
    ...ledgerHandlers(service),
    receiveStripeEvent: stripeHandler(service, { secrets, recordRefusal: refusal }),
    ...fileHandlers(service, readPage),
    trackConversionV1: handlers.conversionV1Handler(service, refusals),
  });
}
