import middy from '@middy/core';
import { type Caller, type CallerOf, type Callers, isCallerOf } from '../domain/caller.ts';
import { type Clock, type Milliseconds, milliseconds } from '../domain/time.ts';
import type { Access, Route } from '../routes.ts';
import { authentication, pageAuthentication } from './authentication.ts';
import { jsonBody } from './body.ts';
import {
  type CallContext,
  type HttpEvent,
  type HttpHandler,
  type HttpResult,
  learned,
  type Middleware,
} from './context.ts';
import { errorsToHttp } from './errors.ts';
import { commonHeaders } from './response.ts';

/** Time kept for the answer itself, in milliseconds. */
const KEPT_FOR_ANSWER = 250;

/** The kinds of caller that a route lets in. */
const KINDS = {
  program: ['program'],
  affiliate: ['affiliate'],
  'program or page': ['program', 'page'],
  anyone: ['anyone'],
} as const;

type KindOf<Allowed extends Access> = (typeof KINDS)[Allowed][number];

/** What the endpoints of one function share. `Table` is whatever the handlers work on. */
export interface Service<Table> {
  readonly clock: Clock;
  /** The table for one request, which must end at the deadline. */
  readonly until: (deadline: Milliseconds) => Table;
  readonly callers: Callers<Table>;
}

/** What a handler receives. */
export interface Call<Allowed extends Access, Input, Table> {
  readonly caller: CallerOf<KindOf<Allowed>>;
  readonly input: Input;
  readonly table: Table;
  readonly event: HttpEvent;
}

export interface EndpointOptions<Allowed extends Access, Input, Table> {
  readonly route: Route & { readonly access: Allowed };
  readonly service: Service<Table>;
  /** Makes the input of query, headers or parsed body; throws `InvalidField`. */
  readonly input: (event: HttpEvent, json: unknown, caller: Caller) => Input;
  readonly handle: (call: Call<Allowed, Input, Table>) => Promise<HttpResult>;
}

/**
 * Makes the handler of a route. The one middy stack: request id, errors, deadline, token, body (and the public key in it), schema,
 * and then `handle`, in this order.
 */
export function endpoint<Allowed extends Access, Input, Table>({
  route,
  service,
  input,
  handle,
}: EndpointOptions<Allowed, Input, Table>): HttpHandler {
  const kinds: readonly KindOf<Allowed>[] = KINDS[route.access];
  const stack = middy<HttpEvent, HttpResult, Error, CallContext<Input, Table>>(
    async (event: HttpEvent, context: CallContext<Input, Table>) => {
      const caller = learned(context.caller);
      if (!isCallerOf(caller, kinds)) throw new Error('The caller is of another kind than the route.');
      return handle({
        caller,
        input: learned(context.input),
        table: learned(context.table),
        event,
      });
    },
    // The table's deadline limits every wait, those of the middlewares too: middy's own timer would only cost time.
    { timeoutEarlyInMillis: 0 },
  )
    .use(commonHeaders(route))
    .use(errorsToHttp())
    .use(boundTable(service))
    .use(authentication(route.access, service.callers));
  if (route.method === 'POST') stack.use(jsonBody(route.plainText));
  if (route.access === 'program or page') stack.use(pageAuthentication(service.callers));
  return stack.use(parsing(input));
}

function boundTable<Table>({ clock, until }: Service<Table>): Middleware<unknown, Table> {
  return {
    before: ({ context }) => {
      context.table = until(milliseconds(clock() + context.getRemainingTimeInMillis() - KEPT_FOR_ANSWER));
    },
  };
}

function parsing<Input>(parse: (event: HttpEvent, json: unknown, caller: Caller) => Input): Middleware<Input> {
  return {
    before: ({ event, context }) => {
      context.input = parse(event, context.json, learned(context.caller));
    },
  };
}
