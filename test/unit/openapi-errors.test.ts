import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ERROR_CODES, ERRORS, sentencesOf } from '../../bin/generate/errors.ts';
import { headersOf } from '../../bin/generate/headers.ts';
import { OPERATIONS } from '../../bin/generate/operations.ts';
import { errorsOf, responsesOf } from '../../bin/generate/responses.ts';
import { contextOf } from '../../bin/local/event.ts';
import type { TokenCaller } from '../../functions/domain/caller.ts';
import { ServiceError } from '../../functions/domain/errors.ts';
import { systemClock } from '../../functions/domain/time.ts';
import type { HttpEvent } from '../../functions/http/context.ts';
import { endpoint } from '../../functions/http/endpoint.ts';
import { STATUS } from '../../functions/http/status.ts';
import { type OperationId, ROUTES, type Route } from '../../functions/routes.ts';
import { httpEvent, program } from './samples.ts';

// The failures of these tests are logged, which says nothing here.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const CALLERS: Readonly<Record<TokenCaller['kind'], TokenCaller>> = {
  program: { kind: 'program', program },
  affiliate: { kind: 'affiliate', program, slug: 'jane-doe' },
};
const callerFor = ({ access }: Route) => CALLERS[access === 'affiliate' ? access : 'program'];

/** What the stack answers on a route where the caller is this one and the handler fails with this error. */
function answerOf(
  route: Route,
  caller: TokenCaller | undefined,
  failure: Error,
  sent: Partial<HttpEvent> = { body: '{}' },
) {
  const handler = endpoint({
    route,
    service: {
      clock: systemClock,
      until: (deadline) => deadline,
      callers: { byToken: async () => caller, byPublicKey: async () => program },
    },
    input: () => ({}),
    handle: async () => {
      throw failure;
    },
  });
  return handler(httpEvent(sent), contextOf(route.function));
}

const operations = Object.entries<Route>(ROUTES).map(([id, route]) => ({
  route,
  operation: OPERATIONS[id as OperationId],
}));
const errors = operations.flatMap(({ route, operation }) =>
  errorsOf(route, operation).map((code) => ({ path: route.path, code, route, operation })),
);

test('every error of the service is documented for some operation', () => {
  expect([...new Set(errors.map(({ code }) => code))].toSorted()).toEqual(ERROR_CODES.toSorted());
});

test.each(errors)('$path answers $code with the documented status and headers', async ({ route, operation, code }) => {
  const failure = new ServiceError(code, 'No.');
  const { statusCode, headers = {} } = await answerOf(route, callerFor(route), failure);
  expect(statusCode).toBe(STATUS[code]);
  const keys = ['RequestId', 'CacheControl', 'ErrorCode', ...(ERRORS[code].headers ?? [])] as const;
  const names = [...Object.keys(headersOf(keys)), ...('deprecated' in route ? ['Deprecation', 'Link'] : [])];
  expect(Object.keys(headers).toSorted()).toEqual(
    ['content-type', ...names.map((name) => name.toLowerCase())].toSorted(),
  );
  expect(responsesOf(route, operation)[statusCode ?? 0]).toMatchObject({
    headers: Object.fromEntries(names.map((name) => [name, expect.anything()])),
  });
});

describe('the documented sentences are those that are answered', () => {
  const failure = new Error('any');
  const base64 = (bytes: number[]) => ({
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  });
  const posts = operations.map(({ route }) => route).filter(({ method }) => method === 'POST');
  const taken = operations.map(({ route }) => route).filter(({ access }) => access !== 'anyone');
  const page = { headers: {}, body: JSON.stringify({ pk: program.publicKey }) };

  async function expectSentences(
    code: Parameters<typeof sentencesOf>[0],
    route: Route,
    answers: readonly ReturnType<typeof answerOf>[],
  ): Promise<void> {
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    const documented = sentencesOf(code, route).map((error) => JSON.stringify({ error }));
    expect(bodies.toSorted()).toEqual(documented.toSorted());
  }

  test.each(posts)('of $path: its body', async (route) => {
    const caller = callerFor(route);
    const send = (sent: Partial<HttpEvent>) => answerOf(route, caller, failure, sent);
    const otherType = { headers: { authorization: 'Bearer token', 'content-type': 'text/csv' } };
    await expectSentences('body_too_large', route, [send({ body: 'x'.repeat(16385) })]);
    await expectSentences('unsupported_media_type', route, [send(otherType)]);
    await expectSentences('invalid_json', route, [
      send({ body: '' }),
      send({ body: '{' }),
      send({ body: '{"__proto__":1}' }),
      send(base64([0xff])),
      send({ body: '\ufeff{}' }),
    ]);
  });

  test.each(taken)('of $path: its token', async (route) => {
    const isPageToo = route.access === 'program or page';
    const other = CALLERS[route.access === 'affiliate' ? 'program' : 'affiliate'];
    const none = { headers: {}, body: '{}' };
    await expectSentences('unauthorized', route, [
      answerOf(route, undefined, failure),
      ...(isPageToo ? [answerOf(route, undefined, failure, none)] : []),
    ]);
    await expectSentences('forbidden', route, [
      answerOf(route, other, failure),
      ...(isPageToo ? [answerOf(route, undefined, failure, page)] : []),
    ]);
  });

  test.each(operations)('of $route.path: a failure', async ({ route }) => {
    await expectSentences('internal', route, [answerOf(route, callerFor(route), failure)]);
  });

  // Only the table knows what was kept: here the sentences are looked up where they are written.
  test.each([
    ['conversions.ts', sentencesOf('idempotency_key_reused', ROUTES.trackConversionV1)[0]],
    ['referrals.ts', "email and uid', 'must be those of one referral"],
  ])('of the table: %s', async (file, sentence) => {
    const source = await readFile(new URL(`../../functions/table/${file}`, import.meta.url), 'utf8');
    expect(source).toContain(`'${sentence}'`);
  });
});
