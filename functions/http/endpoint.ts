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

/** What a handler is given: who calls, what was said, and until when there is time. */
export interface Call<Allowed extends Access, Input> {
  readonly caller: CallerOf<KindOf<Allowed>>;
  readonly input: Input;
  readonly deadline: Milliseconds;
  readonly event: HttpEvent;
}

export interface EndpointOptions<Allowed extends Access, Input> {
  readonly route: Route & { readonly access: Allowed };
  readonly callers: Callers;
  readonly clock: Clock;
  /** Makes the input of query, headers or parsed body; throws `InvalidField`. */
  readonly input: (event: HttpEvent, json: unknown, caller: Caller) => Input;
  readonly handle: (call: Call<Allowed, Input>) => Promise<HttpResult>;
}

/**
 * Makes the handler of a route. The one middy stack: request id, errors, deadline, token, body (and the public key in it), schema,
 * and then `handle`, in this order.
 */
export function endpoint<Allowed extends Access, Input>({
  route,
  callers,
  clock,
  input,
  handle,
}: EndpointOptions<Allowed, Input>): HttpHandler {
  const kinds: readonly KindOf<Allowed>[] = KINDS[route.access];
  const stack = middy<HttpEvent, HttpResult, Error, CallContext<Input>>(
    async (event: HttpEvent, context: CallContext<Input>) => {
      const caller = learned(context.caller);
      if (!isCallerOf(caller, kinds)) throw new Error('The caller is of another kind than the route.');
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
    .use(authentication(route.access, callers));
  if (route.method === 'POST') stack.use(jsonBody(route.plainText));
  if (route.access === 'program or page') stack.use(pageAuthentication(callers));
  return stack.use(parsing(input));
}

function deadlineOf(clock: Clock): Middleware {
  return {
    before: ({ context }) => {
      context.deadline = milliseconds(clock() + context.getRemainingTimeInMillis() - KEPT_FOR_ANSWER);
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
