import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { ReadTerms } from '../accounts/rules/advocate-terms.ts';
import type { Callers } from '../accounts/rules/caller.ts';
import type { Edge } from '../edge.ts';
import { ServiceError } from '../errors.ts';
import { type Clock, type Milliseconds, milliseconds } from '../time.ts';
import { authenticate, type CallerFor } from './authentication.ts';
import { bodyBytes, parseBody } from './body.ts';
import type { HttpEvent, HttpHandler, HttpResult } from './context.ts';
import { throughEdge } from './edge.ts';
import { errorsToHttp, STATUS } from './errors.ts';
import { commonHeaders } from './response.ts';
import { type BearerAccess, type Route, routeKeys } from './route.ts';

/** Time reserved for the response before Lambda's own time limit, in milliseconds. */
const RESERVED_FOR_RESPONSE = 250;

/** The methods whose requests have no body. If there is one, it is ignored. */
const BODYLESS: ReadonlySet<Route['method']> = new Set(['GET', 'DELETE']);

/** The dependencies of a function's handlers. `Table` is a type parameter: this folder does not import the table. */
export interface Service<Table> {
  readonly clock: Clock;
  /** Returns the table for one request. Its methods throw `Unavailable` after the deadline. */
  readonly until: (deadline: Milliseconds) => Table;
  readonly callers: Callers<Table>;
  readonly termsOf: ReadTerms<Table>;
  /** If it exists, only requests that came through it are accepted. */
  readonly edge?: Edge | undefined;
}

/** The input of a handler: an authenticated caller and valid fields. */
export interface RequestState<Allowed extends BearerAccess, Input, Table> {
  readonly caller: CallerFor<Allowed>;
  readonly input: Input;
  readonly table: Table;
  readonly event: HttpEvent;
  readonly context: Context;
}

export interface RouteHandlerOptions<Allowed extends BearerAccess, Input, Table> {
  readonly route: Route & { readonly access: Allowed };
  readonly service: Service<Table>;
  /** Parses query, headers or the JSON of the body. Throws `InvalidField`. */
  readonly input: (event: HttpEvent, json: unknown, caller: CallerFor<Allowed>) => Input;
  readonly handle: (state: RequestState<Allowed, Input, Table>) => Promise<HttpResult>;
  /** Called before a request of an authenticated caller returns 4xx. */
  readonly onRefused?: (refused: Refused<CallerFor<Allowed>, Table>) => Promise<void>;
}

/** A request that is refused. */
export interface Refused<Caller, Table> {
  readonly caller: Caller;
  readonly error: ServiceError;
  /** The JSON of the body; `undefined` without a body. */
  readonly json: unknown;
  readonly table: Table;
}

/**
 * Creates the handler of a route. Caller, body and input are read in one typed function inside middy's handler rather
 * than in separate middlewares, whose results would be optional in the types of middy's context or need casts
 * (docs/design.md, "The path of a request").
 */
export function routeHandler<Allowed extends BearerAccess, Input, Table>({
  route,
  service,
  input,
  handle,
  onRefused,
}: RouteHandlerOptions<Allowed, Input, Table>): HttpHandler {
  return stack(route, service, async (event, context) => {
    const table = tableFor(service, context);
    const readBody = () => parseBody(event, context, route);
    const caller = await authenticate(route.access, { event, callers: service.callers, table, readBody });
    let json: unknown;
    try {
      // A body whose public key identified the caller is parsed twice, which takes microseconds.
      json = BODYLESS.has(route.method) || route.ignoresBody ? undefined : await readBody();
      return await handle({ caller, input: input(event, json, caller), table, event, context });
    } catch (error) {
      const isRefused = error instanceof ServiceError && STATUS[error.code] < 500;
      if (isRefused) await onRefused?.({ caller, error, json, table });
      throw error;
    }
  });
}

/** Creates the handler of a route whose callers sign the body. `handle` gets its bytes as they were sent. */
export function signedRouteHandler<Table>(
  route: Route & { readonly access: 'stripe' },
  service: Service<Table>,
  handle: (event: HttpEvent, body: Buffer, table: Table) => Promise<HttpResult>,
): HttpHandler {
  return stack(route, service, async (event, context) => handle(event, bodyBytes(event), tableFor(service, context)));
}

/** The one middy stack: its middlewares check the way of the request, add the common headers and map errors. */
function stack(route: Route, { edge }: { readonly edge?: Edge | undefined }, handle: HttpHandler): HttpHandler {
  // The table's deadline limits every wait, so middy's own timer is switched off.
  return middy<HttpEvent, HttpResult>(handle, { timeoutEarlyInMillis: 0 })
    .use(edge ? [throughEdge(edge)] : [])
    .use(commonHeaders(route))
    .use(errorsToHttp());
}

/** Returns the table for one invocation of a function, whose remaining time is the deadline. */
export function tableFor<Table>({ clock, until }: Pick<Service<Table>, 'clock' | 'until'>, context: Context): Table {
  return until(milliseconds(clock() + context.getRemainingTimeInMillis() - RESERVED_FOR_RESPONSE));
}

/**
 * Creates the handler of a function from its routes and the handlers of its operations. It throws for a route of another
 * function.
 */
export function byRoute<Id extends string>(
  routes: Readonly<Record<Id, Route>>,
  handlers: Readonly<Record<Id, HttpHandler>>,
): HttpHandler {
  const operations = new Map<string, HttpHandler>(Object.entries(handlers));
  const byKey = new Map(
    Object.entries<Route>(routes).flatMap(([id, route]) => {
      const handler = operations.get(id);
      return handler ? routeKeys(route).map((key) => [key, handler] as const) : [];
    }),
  );
  return (event, context) => {
    const handler = byKey.get(event.routeKey);
    if (!handler) throw new Error('The route belongs to another function.');
    return handler(event, context);
  };
}
