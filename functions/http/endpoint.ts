import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Callers } from '../domain/caller.ts';
import { type Clock, type Milliseconds, milliseconds } from '../domain/time.ts';
import { type Access, isOperationId, type OperationId, ROUTES, type Route, routeKey } from '../routes.ts';
import { authenticate, type CallerFor } from './authentication.ts';
import { parseBody } from './body.ts';
import type { HttpEvent, HttpHandler, HttpResult } from './context.ts';
import { errorsToHttp } from './errors.ts';
import { commonHeaders } from './response.ts';

/** Milliseconds reserved for the response. */
const RESERVED_FOR_RESPONSE = 250;

/** What the endpoints of a function share. `Table` is what their handlers work on. */
export interface Service<Table> {
  readonly clock: Clock;
  /** The table for one request, which must end at the deadline. */
  readonly until: (deadline: Milliseconds) => Table;
  readonly callers: Callers<Table>;
}

/** What a handler receives. */
export interface RequestState<Allowed extends Access, Input, Table> {
  readonly caller: CallerFor<Allowed>;
  readonly input: Input;
  readonly table: Table;
  readonly event: HttpEvent;
}

export interface EndpointOptions<Allowed extends Access, Input, Table> {
  readonly route: Route & { readonly access: Allowed };
  readonly service: Service<Table>;
  /** Parses query, headers or the JSON of the body. Throws `InvalidField`. */
  readonly input: (event: HttpEvent, json: unknown, caller: CallerFor<Allowed>) => Input;
  readonly handle: (state: RequestState<Allowed, Input, Table>) => Promise<HttpResult>;
}

/**
 * Creates the handler of a route from the one middy stack: common headers and errors around the request, which is read
 * step by step (deadline, caller, body, input) and then handled.
 */
export function endpoint<Allowed extends Access, Input, Table>({
  route,
  service: { clock, until, callers },
  input,
  handle,
}: EndpointOptions<Allowed, Input, Table>): HttpHandler {
  return middy<HttpEvent, HttpResult>(
    async (event: HttpEvent, context: Context) => {
      const table = until(milliseconds(clock() + context.getRemainingTimeInMillis() - RESERVED_FOR_RESPONSE));
      const readBody = () => parseBody(event, context, route.plainText);
      const caller = await authenticate(route.access, event, callers, table, readBody);
      // Parsed a second time if its public key identified the caller: a few microseconds.
      const json = route.method === 'POST' ? await readBody() : undefined;
      return handle({ caller, input: input(event, json, caller), table, event });
    },
    // The table's deadline limits every wait: middy's own timer would only cost time.
    { timeoutEarlyInMillis: 0 },
  )
    .use(commonHeaders(route))
    .use(errorsToHttp());
}

/** The handler of a function with several routes: each event names the route that API Gateway matched. */
export function byRoute(handlers: Readonly<Partial<Record<OperationId, HttpHandler>>>): HttpHandler {
  const byKey = new Map(
    Object.entries(ROUTES).map(([id, route]) => [routeKey(route), isOperationId(id) ? handlers[id] : undefined]),
  );
  return (event, context) => {
    const handler = byKey.get(event.routeKey);
    if (!handler) throw new Error('The route belongs to another function.');
    return handler(event, context);
  };
}
