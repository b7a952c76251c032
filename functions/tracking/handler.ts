import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/route-handler.ts';
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
import { scriptHandler } from './script-handler.ts';
import { stripeHandler } from './stripe/handler.ts';

/** The operations that write, and the script that reports clicks. */
export function trackingHandler(connection: Connection, secrets: SecretReader): HttpHandler {
  const service = serviceOn(connection);
  return byRoute<'tracking'>({
    trackConversionV2: conversionV2Handler(service),
    setState: stateHandler(service),
    reassignReferral: reassignHandler(service),
    eraseCustomer: eraseHandler(service),
    trackClick: clickHandler(service),
    receiveStripeEvent: stripeHandler(service, secrets),
    getScript: scriptHandler(service),
    trackConversionV1: conversionV1Handler(service),
  });
}
