import type { Context } from 'aws-lambda';
import { newAdvocate } from '../../../../functions/advocates/rules/advocate-changes.ts';
import { EMPTY_ADVOCATE } from '../../../../functions/kernel/accounts/rules/advocate.ts';
import { termsFor } from '../../../../functions/kernel/accounts/rules/advocate-terms.ts';
import type { Caller, ProgramCaller, TokenCaller } from '../../../../functions/kernel/accounts/rules/caller.ts';
import type { Program } from '../../../../functions/kernel/accounts/rules/program.ts';
import { newToken, SCOPES } from '../../../../functions/kernel/accounts/rules/token.ts';
import type { Edge } from '../../../../functions/kernel/edge.ts';
import type { HttpEvent, HttpResult } from '../../../../functions/kernel/http/context.ts';
import type { BearerAccess, Route } from '../../../../functions/kernel/http/route.ts';
import { routeHandler } from '../../../../functions/kernel/http/route-handler.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';
import { ROUTES } from '../../../../functions/routes.ts';
import { REFERRAL_ID as ID, NOW, program } from '../../../support/samples.ts';

const advocate = newAdvocate({ ...EMPTY_ADVOCATE, email: 'jane@example.com', slug: 'jane-doe' }, ID, NOW);

export const PROGRAM_CALLER: ProgramCaller = {
  kind: 'program',
  program,
  token: newToken({ scopes: SCOPES }, ID, NOW),
  tokenHash: '',
  member: null,
};
export const AFFILIATE_CALLER: TokenCaller = {
  kind: 'affiliate',
  program,
  advocate,
  token: newToken({ advocate }, ID, NOW),
  tokenHash: '',
};

const stop = (): never => {
  throw new Error('Lambda no longer calls these functions.');
};

/** The context of a request with ten seconds left. */
export function lambdaContext(): Context {
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'f',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:f',
    memoryLimitInMB: '256',
    awsRequestId: 'r',
    logGroupName: 'g',
    logStreamName: 's',
    getRemainingTimeInMillis: () => 10_000,
    done: stop,
    fail: stop,
    succeed: stop,
  };
}

export interface StackOptions {
  readonly route?: Route & { readonly access: BearerAccess };
  /** Valid tokens and their owners. */
  readonly tokens?: Readonly<Record<string, TokenCaller>>;
  /** Programs by their public keys. */
  readonly programs?: Readonly<Record<string, Program>>;
  readonly input?: (event: HttpEvent, json: unknown) => unknown;
  readonly handle?: (input: unknown, deadline: number, caller: Caller, event: HttpEvent) => HttpResult;
  readonly edge?: Edge;
}

/** Sends an event through the stack. By default, the handler returns 200 with its input as JSON. */
export function callStack(event: HttpEvent, options: StackOptions = {}): Promise<HttpResult> {
  const { route = ROUTES.trackConversionV1, tokens = { good: PROGRAM_CALLER }, programs = {} } = options;
  const { input = (_, json) => ({ json }), handle = (value) => ({ statusCode: 200, body: JSON.stringify(value) }) } =
    options;
  const handler = routeHandler<BearerAccess, unknown, number>({
    route,
    service: {
      clock: () => milliseconds(1_000_000),
      // In place of a table, handlers and callers get the deadline itself.
      until: (deadline) => deadline,
      callers: {
        byToken: async (_, token) => (Object.hasOwn(tokens, token) ? tokens[token] : undefined),
        byPublicKey: async (_, key) => (Object.hasOwn(programs, key) ? programs[key] : undefined),
        byProgramId: async (_, id) => Object.values(programs).find((program) => program.id === id),
      },
      termsOf: async (_, program, advocate) => termsFor(program, undefined, advocate),
      edge: options.edge,
    },
    input,
    handle: async (call) => handle(call.input, call.table, call.caller, call.event),
  });
  return handler(event, lambdaContext());
}
