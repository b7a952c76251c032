import type { HttpHandler } from '../http/context.ts';
import { byRoute } from '../http/routing.ts';
import type { OperationOf } from '../routes.ts';
import { callersOf } from '../table/callers.ts';
import type { Table } from '../table/table.ts';
import { clickEndpoint } from './click.ts';
import { conversionV1Endpoint, conversionV2Endpoint } from './conversions.ts';
import { scriptEndpoint } from './script-endpoint.ts';
import { stateEndpoint } from './state.ts';

/** Every write of the interface, and the script that makes the clicks. */
export function trackingHandler(table: Table): HttpHandler {
  const callers = callersOf(table);
  return byRoute({
    trackConversionV1: conversionV1Endpoint(table, callers),
    trackConversionV2: conversionV2Endpoint(table, callers),
    setState: stateEndpoint(table, callers),
    trackClick: clickEndpoint(table, callers),
    getScript: scriptEndpoint(table, callers),
  } satisfies Record<OperationOf<'tracking'>, HttpHandler>);
}
