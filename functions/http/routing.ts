import { type OperationId, ROUTES, routeKey } from '../routes.ts';
import type { HttpHandler } from './context.ts';

/** The handler of a function with several routes: API Gateway says with each event which route it matched. */
export function byRoute(handlers: Readonly<Partial<Record<OperationId, HttpHandler>>>): HttpHandler {
  const byKey = new Map(
    Object.entries(ROUTES).map(([id, route]) => [routeKey(route), isOperation(id) ? handlers[id] : undefined]),
  );
  return (event, context) => {
    const handler = byKey.get(event.routeKey);
    if (!handler) throw new Error('The route belongs to another function.');
    return handler(event, context);
  };
}

function isOperation(id: string): id is OperationId {
  return Object.hasOwn(ROUTES, id);
}
