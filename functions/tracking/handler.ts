import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/route-handler.ts';
import type { RecordMetrics } from '../log/metrics.ts';
import type { SecretReader } from '../secrets/secrets.ts';
import type { Connection } from '../table/dynamodb/connection.ts';
import { serviceOn } from '../table/service.ts';
import {
  clickHandler,
  conversionV1Handler,
  conversionV2Handler,
  eraseHandler,
  reassignHandler,
  stateHandler,
} from './handlers.ts';
import { ledgerHandlers } from './ledger/handlers.ts';
import { refusalsTo } from './refusals.ts';
import { scriptHandler } from './script-handler.ts';
import { stripeHandler } from './stripe/handler.ts';

/** The operations that write, and the script that reports clicks. The local service records no metrics. */
export function trackingHandler(
  connection: Connection,
  secrets: SecretReader,
  recordMetrics: RecordMetrics = () => undefined,
): HttpHandler {
  const service = serviceOn(connection);
  const refusals = refusalsTo(recordMetrics);
  return byRoute<'tracking'>({
    trackConversionV2: conversionV2Handler(service, refusals),
    setState: stateHandler(service),
    reassignReferral: reassignHandler(service),
    eraseCustomer: eraseHandler(service),
    trackClick: clickHandler(service, refusals),
    ...ledgerHandlers(service),
    receiveStripeEvent: stripeHandler(service, secrets),
    getScript: scriptHandler(service),
    trackConversionV1: conversionV1Handler(service, refusals),
  });
}
