import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/endpoint.ts';
import type { SecretReader } from '../secrets/secrets.ts';
import type { Connection } from '../table/dynamodb/connection.ts';
import { serviceOn } from '../table/service.ts';
import {
  clickEndpoint,
  conversionV1Endpoint,
  conversionV2Endpoint,
  eraseEndpoint,
  reassignEndpoint,
  stateEndpoint,
} from './endpoints.ts';
import { scriptEndpoint } from './script-endpoint.ts';
import { stripeEndpoint } from './stripe/endpoint.ts';

/** The operations that write, and the script that reports clicks. */
export function trackingHandler(connection: Connection, secrets: SecretReader): HttpHandler {
  const service = serviceOn(connection);
  return byRoute<'tracking'>({
    trackConversionV2: conversionV2Endpoint(service),
    setState: stateEndpoint(service),
    reassignReferral: reassignEndpoint(service),
    eraseCustomer: eraseEndpoint(service),
    trackClick: clickEndpoint(service),
    receiveStripeEvent: stripeEndpoint(service, secrets),
    getScript: scriptEndpoint(service),
    trackConversionV1: conversionV1Endpoint(service),
  });
}
