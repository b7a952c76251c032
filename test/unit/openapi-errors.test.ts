import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { errorsOf, responsesOf } from '../../bin/generate/answers.ts';
import { ERROR_CODES, ERRORS, sentencesOf } from '../../bin/generate/errors.ts';
import { headersOf } from '../../bin/generate/headers.ts';
import { OPERATIONS } from '../../bin/generate/operations.ts';
import { contextOf } from '../../bin/local/event.ts';
import { ADVOCATES_QUERY } from '../../functions/advocates/schema.ts';
import { advocatesQuery } from '../../functions/advocates/validators.js';
import type { Caller } from '../../functions/domain/caller.ts';
import { ServiceError } from '../../functions/domain/errors.ts';
import { MAX_SUB_ID, parseText } from '../../functions/domain/text.ts';
import { systemClock } from '../../functions/domain/time.ts';
import type { HttpEvent } from '../../functions/http/call.ts';
import { parsePaging, parseRange, startOf } from '../../functions/http/list.ts';
import { readQuery } from '../../functions/http/query.ts';
import { STATUS } from '../../functions/http/status.ts';
import { valid } from '../../functions/http/validation.ts';
import { REFERRALS_QUERY } from '../../functions/referrals/schema.ts';
import { referralsQuery } from '../../functions/referrals/validators.js';
import { ROUTES, type Route } from '../../functions/routes.ts';
import { conversionV1 } from '../../functions/tracking/conversion-v1.ts';
import { httpEvent, program, refusal } from './samples.ts';

// Failures are logged as they should be: silently here. Read when the logger is made, so before the stack is imported.
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT';
const { endpoint } = await import('../../functions/http/endpoint.ts');

const CALLERS: Readonly<Record<Caller['kind'], Caller>> = {
  program: { kind: 'program', program },
  affiliate: { kind: 'affiliate', program, slug: 'jane-doe' },
};

/** What the stack answers on a route where the caller is this one and the handler fails with this error. */
function answerOf(
  route: Route,
  caller: Caller | undefined,
  failure: Error,
  sent: Partial<HttpEvent> = { body: '{}' },
) {
  const handler = endpoint({
    route,
    authenticate: async () => caller,
    clock: systemClock,
    input: () => ({}),
    handle: async () => {
      throw failure;
    },
  });
  return handler(httpEvent(sent), contextOf(route.function));
}

const { trackConversionV1, listAdvocates, listReferrals } = OPERATIONS;
const operations = [
  { route: ROUTES.trackConversionV1, operation: trackConversionV1 },
  { route: ROUTES.listAdvocates, operation: listAdvocates },
  { route: ROUTES.listReferrals, operation: listReferrals },
];
const errors = operations.flatMap(({ route, operation }) =>
  errorsOf(operation).map((code) => ({ path: route.path, code, route, operation })),
);

test('every error of the service is documented for some operation', () => {
  expect([...new Set(errors.map(({ code }) => code))].toSorted()).toEqual(ERROR_CODES.toSorted());
});

test.each(errors)(
  '$path answers $code with the documented status and headers',
  async ({ route, operation, code }) => {
    const { statusCode, headers = {} } = await answerOf(
      route,
      CALLERS[route.token],
      new ServiceError(code, 'No.'),
    );
    expect(statusCode).toBe(STATUS[code]);
    const keys = ['RequestId', 'CacheControl', 'ErrorCode', ...(ERRORS[code].headers ?? [])] as const;
    const names = [
      ...Object.keys(headersOf(keys)),
      ...('deprecated' in route ? ['Deprecation', 'Link'] : []),
    ];
    expect(Object.keys(headers).toSorted()).toEqual(
      ['content-type', ...names.map((name) => name.toLowerCase())].toSorted(),
    );
    expect(responsesOf(route, operation)[statusCode ?? 0]).toMatchObject({
      headers: Object.fromEntries(names.map((name) => [name, expect.anything()])),
    });
  },
);

describe('the documented sentence is the one that is answered', () => {
  const post = ROUTES.trackConversionV1;
  const failure = new Error('any');
  const base64 = (bytes: number[]) => ({
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  });

  test.each([
    { code: 'unauthorized', answer: () => answerOf(post, undefined, failure) },
    {
      code: 'body_too_large',
      answer: () => answerOf(post, CALLERS.program, failure, { body: 'x'.repeat(16385) }),
    },
    {
      code: 'unsupported_media_type',
      answer: () =>
        answerOf(post, CALLERS.program, failure, {
          headers: { authorization: 'Bearer token', 'content-type': 'text/csv' },
        }),
    },
    { code: 'invalid_json', answer: () => answerOf(post, CALLERS.program, failure, { body: '{' }) },
    { code: 'invalid_json', answer: () => answerOf(post, CALLERS.program, failure, base64([0xff])) },
    { code: 'invalid_json', answer: () => answerOf(post, CALLERS.program, failure, { body: '\ufeff{}' }) },
    { code: 'forbidden', answer: () => answerOf(post, CALLERS.affiliate, failure) },
    { code: 'internal', answer: () => answerOf(post, CALLERS.program, failure) },
  ] as const)('$code', async ({ code, answer }) => {
    const { body } = await answer();
    const bodies = sentencesOf(code, 'program').map((error) => JSON.stringify({ error }));
    expect(bodies).toContain(body);
  });

  test('forbidden for an affiliate', async () => {
    const { body } = await answerOf(ROUTES.listReferrals, CALLERS.program, failure);
    expect(body).toBe(JSON.stringify({ error: sentencesOf('forbidden', 'affiliate')[0] }));
  });

  test('idempotency_key_reused', async () => {
    // Only the table knows what was kept: here the sentence is looked up where it is written.
    const source = await readFile(new URL('../../functions/table/conversions.ts', import.meta.url), 'utf8');
    expect(source).toContain(`'${sentencesOf('idempotency_key_reused', 'program')[0]}'`);
  });
});

test('the examples of a conversion are what its fields are refused with', () => {
  const email = 'visitor@example.com';
  const byUid = { email, pk: 'pk_1' };
  const refusals = [
    refusal(() => conversionV1({ gr_id: 'a' }, undefined)),
    refusal(() => conversionV1({ email: 1, gr_id: 'a' }, undefined)),
    refusal(() => conversionV1({ email: 'a@b', gr_id: 'a' }, undefined)),
    refusal(() => conversionV1({ email }, undefined)),
    refusal(() => conversionV1({ email, gr_id: 'jane-doe' }, undefined)),
    refusal(() => conversionV1({ ...byUid, uid: 'x'.repeat(129) }, undefined)),
    refusal(() => conversionV1({ ...byUid, uid: 'a\n' }, undefined)),
    refusal(() => conversionV1({ ...byUid, uid: '1' }, '')),
    refusal(() => conversionV1([], undefined)),
  ];
  expect(trackConversionV1.invalidFields.toSorted()).toEqual(refusals.toSorted());
});

test.each([
  {
    operation: listAdvocates,
    route: ROUTES.listAdvocates,
    schema: ADVOCATES_QUERY,
    validate: advocatesQuery,
  },
  {
    operation: listReferrals,
    route: ROUTES.listReferrals,
    schema: REFERRALS_QUERY,
    validate: referralsQuery,
  },
])(
  'the examples of $route.path are what its parameters are refused with',
  ({ operation, schema, validate }) => {
    const refuse = (rawQueryString: string) =>
      refusal(() => {
        const query = valid(readQuery(httpEvent({ rawQueryString }), schema), validate);
        parseRange('created_at', query.created_at_gt, query.created_at_lt);
        if ('sub_id_eq' in query) parseText('sub_id_eq', String(query['sub_id_eq']), MAX_SUB_ID);
        return startOf(parsePaging(query), 'the list');
      });
    const refusals = [
      'page=0',
      'page=1.0',
      'per_page=51',
      'per_page=1&per_page=1',
      'created_at_gt=2026-02-30',
      'created_at_lt=%zz',
      'page=1&cursor=a',
      'cursor=a',
      ...(operation === listReferrals ? ['state_eq=new', 'sub_id_eq=', 'sub_id_eq=%0a'] : []),
    ].map(refuse);
    expect(operation.invalidFields.toSorted()).toEqual(refusals.toSorted());
  },
);
