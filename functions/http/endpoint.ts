import middy from '@middy/core';
import { type Caller, type CallerOf, isCallerOf } from '../domain/caller.ts';
import { type Clock, type Milliseconds, milliseconds } from '../domain/time.ts';
import type { Route } from '../routes.ts';
import { commonHeaders } from './answer.ts';
import { authentication } from './authentication.ts';
import { jsonBody } from './body.ts';
import {
  type CallContext,
  type HttpEvent,
  type HttpHandler,
  type HttpResult,
  learned,
  type Middleware,
} from './call.ts';
import { errorsToHttp } from './errors.ts';

/** Time kept for the answer itself, in milliseconds. */
const KEPT_FOR_ANSWER = 250;

/** What a handler is given: who calls, what was said, and until when there is time. */
export interface Call<Kind extends Caller['kind'], Input> {
  readonly caller: CallerOf<Kind>;
  readonly input: Input;
  readonly deadline: Milliseconds;
  readonly event: HttpEvent;
}

export interface EndpointOptions<Kind extends Caller['kind'], Input> {
  readonly route: Route & { readonly token: Kind };
  readonly authenticate: (token: string, deadline: Milliseconds) => Promise<Caller | undefined>;
  readonly clock: Clock;
  /** Makes the input of query, headers or parsed body; throws `InvalidField`. */
  readonly input: (event: HttpEvent, json: unknown) => Input;
  readonly handle: (call: Call<Kind, Input>) => Promise<HttpResult>;
}

/**
 * Makes the handler of a route. The one middy stack: request id, errors, deadline, token, body, schema, and then
 * `handle`, in this order.
 */
export function endpoint<Kind extends Caller['kind'], Input>({
  route,
  authenticate,
  clock,
  input,
  handle,
}: EndpointOptions<Kind, Input>): HttpHandler {
  const stack = middy<HttpEvent, HttpResult, Error, CallContext<Input>>(
    async (event: HttpEvent, context: CallContext<Input>) => {
      const caller = learned(context.caller);
      if (!isCallerOf(caller, route.token)) throw new Error('The caller is of another kind than the route.');
      return handle({
        caller,
        input: learned(context.input),
        deadline: learned(context.deadline),
        event,
      });
    },
    // The deadline below bounds every wait, those of the middlewares too: middy's own timer would only cost time.
    { timeoutEarlyInMillis: 0 },
  )
    .use(commonHeaders(route))
    .use(errorsToHttp())
    .use(deadlineOf(clock))
    .use(authentication(route.token, authenticate));
  if (route.method === 'POST') stack.use(jsonBody());
  return stack.use(parsing(input));
}

function deadlineOf(clock: Clock): Middleware {
  return {
    before: ({ context }) => {
      context.deadline = milliseconds(clock() + context.getRemainingTimeInMillis() - KEPT_FOR_ANSWER);
    },
  };
}

function parsing<Input>(parse: (event: HttpEvent, json: unknown) => Input): Middleware<Input> {
  return {
    before: ({ event, context }) => {
      context.input = parse(event, context.json);
    },
  };
}
