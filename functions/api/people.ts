import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import type { RecordMetrics } from '../kernel/log/metrics.ts';
import { peopleHandlers } from '../people/http/handlers.ts';
import { PEOPLE_ROUTES } from '../people/http/routes.ts';
import type { OperationOf } from '../routes.ts';

/** The operations of sign-in, members, and the emails of a program. */
export function peopleHandler(connection: Connection, recordMetrics: RecordMetrics, edge?: Edge): HttpHandler {
  return byRoute<OperationOf<'people'>>(PEOPLE_ROUTES, peopleHandlers(serviceOn(connection, edge), recordMetrics));
}
