import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import { termsFor } from '../../../functions/kernel/accounts/rules/advocate-terms.ts';
import type { TokenCaller } from '../../../functions/kernel/accounts/rules/caller.ts';
import { type ErrorCode, ServiceError } from '../../../functions/kernel/errors.ts';
import { limitOf } from '../../../functions/kernel/http/body.ts';
import type { HttpEvent } from '../../../functions/kernel/http/context.ts';
import { STATUS } from '../../../functions/kernel/http/errors.ts';
import type { Route } from '../../../functions/kernel/http/route.ts';
import { routeHandler, type Service, signedRouteHandler } from '../../../functions/kernel/http/route-handler.ts';
import { systemClock } from '../../../functions/kernel/time.ts';
import { FOREIGN_ORIGIN } from '../../../functions/mcp/rules/protocol.ts';
import { isOperationId, ROUTES } from '../../../functions/routes.ts';
import { AFFILIATE_CALLER, PROGRAM_CALLER } from '../../kernel/unit/http/stack.ts';
import { operationOf } from '../../support/openapi.ts';
import { httpEvent, program } from '../../support/samples.ts';

// The failures of these tests are logged. The log has its own tests.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const CALLERS: Readonly<Record<TokenCaller['kind'] | 'session', TokenCaller>> = {
  session: { ...AFFILIATE_CALLER, token: { ...AFFILIATE_CALLER.token, isSession: true } },
  program: PROGRAM_CALLER,
  affiliate: AFFILIATE_CALLER,
};
/** A kind of token that a route admits. */
const kindOf = ({ access }: Route) => (typeof access === 'object' && access.token !== 'any' ? access.token : 'program');

/** The stack's response to `caller` on a route whose handler throws `failure`. */
async function responseOf(
  route: Route,
  caller: TokenCaller | undefined,
  event: Partial<HttpEvent> = { body: '{}' },
  failure = new Error('any'),
) {
  const service: Service<unknown> = {
    clock: systemClock,
    until: (deadline) => deadline,
    callers: { byToken: async () => caller, byPublicKey: async () => program, byProgramId: async () => program },
    termsOf: async (_, of, advocate) => termsFor(of, undefined, advocate),
  };
  const fail = async () => {
    throw failure;
  };
  const { access } = route;
  const handler =
    access === 'stripe'
      ? signedRouteHandler({ ...route, access }, service, fail)
      : routeHandler({ route: { ...route, access }, service, input: () => ({}), handle: fail });
  return handler(httpEvent(event), contextOf(route.function));
}

/** Every error of every operation, with its documented response. */
const errors = Object.keys(ROUTES)
  .filter(isOperationId)
  .flatMap((id) => {
    const { responses } = operationOf(id);
    const route: Route = ROUTES[id];
    return Object.entries(STATUS).flatMap(([code, status]) =>
      String(responses[status]?.description).includes(`\`${code}\``)
        ? [{ id, route, code: code as ErrorCode, response: responses[status] }]
        : [],
    );
  });
const OPERATIONS = [...new Set(errors.map(({ id }) => id))];
const errorsOf = (operation: string) => errors.filter(({ id }) => id === operation);
const sentenceOf = ({ code, response }: (typeof errors)[number]): string =>
  response.content['application/json'].examples[code].value.error;

test('every error that callers of the base URL can get is documented for at least one operation', () => {
  const { not_through_edge: _, ...statuses } = STATUS;
  expect([...new Set(errors.map(({ code }) => code))].toSorted()).toEqual(Object.keys(statuses).toSorted());
});

test.each(OPERATIONS)('%s documents each of its errors with one example', (operation) => {
  for (const { id, code, response } of errorsOf(operation)) {
    const others = errors.filter((other) => other.id === id && STATUS[other.code] === STATUS[code]);
    expect(Object.keys(response.content['application/json'].examples)).toEqual(others.map((other) => other.code));
  }
});

test.each(OPERATIONS)('%s returns each of its errors with the documented headers', async (operation) => {
  for (const { route, code, response } of errorsOf(operation)) {
    const failure = new ServiceError(code, 'No.');
    const { statusCode = 0, headers = {} } = await responseOf(route, CALLERS[kindOf(route)], undefined, failure);
    const documented = Object.keys(response.headers).map((name) => name.toLowerCase());
    const expected = [code, STATUS[code], ...['content-type', ...documented].toSorted()];
    expect([code, statusCode, ...Object.keys(headers).toSorted()]).toEqual(expected);
  }
});

const send = (route: Route, event?: Partial<HttpEvent>) => responseOf(route, CALLERS[kindOf(route)], event);
/** Requests that get an error of the stack. */
const REQUESTS: Partial<Record<ErrorCode, (route: Route) => ReturnType<typeof responseOf>>> = {
  unauthorized: (route) => responseOf(route, undefined),
  forbidden: (route) => responseOf(route, CALLERS[kindOf(route) === 'program' ? 'affiliate' : 'program']),
  body_too_large: (route) => send(route, { body: 'x'.repeat(limitOf(route) * 1024 + 1) }),
  unsupported_media_type: (route) =>
    send(route, { headers: { authorization: 'Bearer token', 'content-type': 'text/csv' }, body: 'a' }),
  invalid_json: (route) => send(route, { body: '{' }),
  internal: (route) => send(route),
};

/** True for the 403 of a route that admits every token, which its handler returns. */
const ownForbidden = ({ access }: Route, code: ErrorCode) =>
  code === 'forbidden' && typeof access === 'object' && access.token === 'any';

test('an operation that admits every token documents the 403 for pages of other sites', () => {
  const sentences = errors.filter(({ route, code }) => ownForbidden(route, code)).map(sentenceOf);
  expect(sentences).toEqual([FOREIGN_ORIGIN]);
});

test.each(OPERATIONS)('%s documents the sentences that the stack returns', async (operation) => {
  for (const error of errorsOf(operation).filter(({ code, route }) => REQUESTS[code] && !ownForbidden(route, code))) {
    const { body = '' } = (await REQUESTS[error.code]?.(error.route)) ?? {};
    expect([error.code, JSON.parse(body).error]).toEqual([error.code, sentenceOf(error)]);
  }
});
