import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/endpoint.ts';
import type { OperationOf } from '../routes.ts';
import type { Connection } from '../table/connection.ts';
import { serviceOn } from '../table/service.ts';
import { clickEndpoint, conversionV1Endpoint, conversionV2Endpoint, stateEndpoint } from './endpoints.ts';
import { scriptEndpoint } from './script-endpoint.ts';

/** The operations that write, and the script that reports clicks. */
export function trackingHandler(connection: Connection): HttpHandler {
  const service = serviceOn(connection);
  return byRoute({
    trackConversionV2: conversionV2Endpoint(service),
    setState: stateEndpoint(service),
    trackClick: clickEndpoint(service),
    getScript: scriptEndpoint(service),
    trackConversionV1: conversionV1Endpoint(service),
  } satisfies Record<OperationOf<'tracking'>, HttpHandler>);
}
