import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type ErrorCode, InvalidField, ServiceError, Unavailable } from '../../../../functions/kernel/errors.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../../../../functions/kernel/http/context.ts';
import { byRoute } from '../../../../functions/kernel/http/route-handler.ts';
import { metricLog } from '../../../../functions/kernel/log/metrics.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';
import { type OperationOf, ROUTES } from '../../../../functions/routes.ts';
import { httpEvent } from '../../../support/samples.ts';
import { AFFILIATE_CALLER, callStack, lambdaContext, PROGRAM_CALLER } from './stack.ts';

const SECRET = 'marker-4711';

/** The response of the stack if the handler throws this error. */
function responseTo(error: unknown): Promise<HttpResult> {
  const fail = () => {
    throw error;
  };
  const headers = { authorization: 'Bearer good', 'user-agent': SECRET };
  return callStack(httpEvent({ headers, body: `{"email":"${SECRET}"}` }), { handle: fail });
}

/** The arguments of each call of a console method. Lambda writes them as JSON. */
let log: unknown[][] = [];

beforeEach(() => {
  log = [];
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    jest.spyOn(console, method).mockImplementation((...logged) => {
      log.push([method, ...logged]);
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

const STATUSES: Record<ErrorCode, number> = {
  unauthorized: 401,
  forbidden: 403,
  missing_scope: 403,
  not_through_edge: 403,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_json: 400,
  invalid_field: 400,
  invalid_signature: 400,
  invalid_affiliate_slug: 400,
  invalid_code: 400,
  range_too_large: 400,
  referral_not_found: 404,
  advocate_not_found: 404,
  logo_not_found: 404,
  method_not_allowed: 405,
  token_not_found: 404,
  sign_in_required: 403,
  sign_in_too_old: 403,
  invalid_link: 400,
  member_not_found: 404,
  member_exists: 409,
  too_many_members: 409,
  last_admin: 409,
  applications_closed: 403,
  application_not_found: 404,
  application_decided: 409,
  too_many_applications: 429,
  webhook_not_found: 404,
  event_not_found: 404,
  not_converted: 409,
  uid_taken: 409,
  slug_taken: 409,
  advocate_erased: 409,
  too_many_tokens: 409,
  too_many_webhooks: 409,
  webhook_disabled: 409,
  referral_exists: 409,
  state_refused: 409,
  payment_not_found: 404,
  payout_run_not_found: 404,
  rules_not_found: 404,
  too_many_groups: 409,
  code_taken: 409,
  promotion_code_taken: 409,
  too_many_codes: 409,
  payment_exists: 409,
  refund_exists: 409,
  adjustment_exists: 409,
  settlement_exists: 409,
  balance_changed: 409,
  void_exists: 409,
  payment_at_stripe: 409,
  idempotency_key_reused: 422,
  unavailable: 503,
  internal: 500,
};
const CODES = Object.keys(STATUSES) as ErrorCode[];

describe('errors', () => {
  test.each(CODES)(
    'the error %s has its status, its sentence as the only field and its code in a header',
    async (code) => {
      const { statusCode, headers, body } = await responseTo(new ServiceError(code, 'The sentence'));
      expect(statusCode).toBe(STATUSES[code]);
      expect(JSON.parse(body ?? '')).toEqual({ error: 'The sentence' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-error-code': code,
        'x-request-id': 'request-1',
      });
      // Whole seconds, only if the same request succeeds later.
      const isRepeatable = code === 'unavailable' || code === 'too_many_applications';
      expect(/^[1-9]\d*$/.test(String(headers?.['retry-after']))).toBe(isRepeatable);
    },
  );

  test.each([
    ['an error', new Error(SECRET)],
    ['an error with a cause', new Error('x', { cause: new Error(SECRET) })],
    ['an error that claims a status', Object.assign(new Error(SECRET), { statusCode: 418, expose: true })],
    ['a text', SECRET],
    ['nothing', undefined],
  ])('an error that is unexpected becomes a 500 without its cause: %s', async (_, error) => {
    const { statusCode, headers, body } = await responseTo(error);
    expect(statusCode).toBe(500);
    expect(headers?.['x-error-code']).toBe('internal');
    expect(JSON.stringify({ headers, body })).not.toContain(SECRET);
  });
});

describe('the log', () => {
  test('the log has request id, route and cause of each failure, and nothing that the caller sent', async () => {
    await responseTo(new Unavailable(new TypeError(SECRET)));
    await responseTo(new RangeError(SECRET));
    const failure = { requestId: 'request-1', route: 'GET /v1/advocates' };
    const thrownAt = expect.arrayContaining([expect.stringMatching(/^\s+at .*errors\.test\.ts/)]);
    expect(log).toEqual([
      ['error', { error: 'unavailable', ...failure, cause: 'TypeError', thrownAt }],
      ['error', { error: 'internal', ...failure, cause: 'RangeError', thrownAt }],
    ]);
    const lines = JSON.stringify(log);
    expect(lines).not.toContain(SECRET);
    expect(lines).not.toContain('Bearer');
    expect(lines).not.toContain('192.0.2.1');
  });

  test('the log does not contain the errors of callers', async () => {
    for (const code of CODES.filter((name) => STATUSES[name] < 500)) {
      await responseTo(new ServiceError(code, 'The sentence'));
    }
    expect(log).toEqual([]);
  });
});

const tokens = { good: PROGRAM_CALLER, affiliate: AFFILIATE_CALLER };
const rejectInput = () => {
  throw new InvalidField('email', 'is required');
};
const TOO_LARGE = 'x'.repeat(16_385);

/** Each request corrects the error of the previous request. */
const CHECK_ORDER: [string, Partial<HttpEvent>, number][] = [
  ['unknown token', { headers: { authorization: 'Bearer bad', 'content-type': 'text/plain' }, body: TOO_LARGE }, 401],
  [
    'token of another kind',
    { headers: { authorization: 'Bearer affiliate', 'content-type': 'text/plain' }, body: TOO_LARGE },
    403,
  ],
  ['large body', { headers: { authorization: 'Bearer good', 'content-type': 'text/plain' }, body: TOO_LARGE }, 413],
  ['another type', { headers: { authorization: 'Bearer good', 'content-type': 'text/plain' }, body: '{' }, 415],
  ['broken JSON', { headers: { authorization: 'Bearer good' }, body: '{' }, 400],
  ['bad fields', { headers: { authorization: 'Bearer good' }, body: '{}' }, 400],
];

describe('the stack', () => {
  test.each(CHECK_ORDER)('the stack checks in the order of the contract: %s', async (_, event, status) => {
    const { statusCode, headers } = await callStack(httpEvent(event), { tokens, input: rejectInput });
    expect(statusCode).toBe(status);
    const code = event.body === '{' ? 'invalid_json' : 'invalid_field';
    if (status === 400) expect(headers?.['x-error-code']).toBe(code);
  });

  test('the stack reserves a quarter of a second for the response', async () => {
    const handle = (_: unknown, deadline: number) => ({ statusCode: 200, body: String(deadline) });
    const { body } = await callStack(httpEvent({ body: '{}' }), { handle });
    expect(body).toBe(String(1_000_000 + 10_000 - 250));
  });

  test('the stack sends the deprecation date and the successor with every response of a deprecated route', async () => {
    for (const [, event] of [...CHECK_ORDER, ['good', { body: '{}' }] as const]) {
      const { headers } = await callStack(httpEvent(event), { tokens });
      expect(headers?.['deprecation']).toMatch(/^@\d+$/);
      expect(headers?.['link']).toBe('<https://api.example.com/v2/tracking/conversion>; rel="successor-version"');
    }
  });

  test('the stack links to the address that the caller used, also to localhost without TLS', async () => {
    const headers = { authorization: 'Bearer good', 'x-forwarded-proto': 'http' };
    const response = await callStack(httpEvent({ headers, body: '{}' }));
    expect(response.headers?.['link']).toBe('<http://api.example.com/v2/tracking/conversion>; rel="successor-version"');
    const forged = { ...headers, 'x-forwarded-proto': 'javascript' };
    const other = await callStack(httpEvent({ headers: forged, body: '{}' }));
    expect(other.headers?.['link']).toMatch(/^<https:/);
  });
});

const handlerNamed =
  (name: string): HttpHandler =>
  async () => ({ statusCode: 200, body: name });
const handler = byRoute<OperationOf<'referrals'>>(ROUTES, {
  listReferrals: handlerNamed('own'),
  listOwnReferrals: handlerNamed('own with money'),
  listReferralsV2: handlerNamed('list'),
  lookUpReferral: handlerNamed('lookup'),
  searchReferrals: handlerNamed('search'),
  explainCustomer: handlerNamed('explain'),
  countReferrals: handlerNamed('counts'),
  countOwnReferrals: handlerNamed('own counts'),
  getStatistics: handlerNamed('statistics'),
  getOwnStatistics: handlerNamed('own statistics'),
  listAdvocateStatistics: handlerNamed('statistics of advocates'),
  listEntries: handlerNamed('ledger'),
  listOwnEntries: handlerNamed('own ledger'),
  getStatements: handlerNamed('statements'),
  getOwnStatements: handlerNamed('own statements'),
  callMcp: handlerNamed('message of an assistant'),
  openMcpStream: handlerNamed('stream'),
});
const sendTo = async (key: string) => handler(httpEvent({ routeKey: key }), lambdaContext());

test.each(['GET /v1/advocates', '$default', '__proto__'])(
  'the request %j has no handler here and throws: the infrastructure sent it to the wrong function',
  async (key) => {
    await expect(sendTo(key)).rejects.toThrow('The route belongs to another function.');
  },
);

test('metrics of a program are one line in the embedded metric format, in which program and reason are no dimensions', () => {
  const lines: string[] = [];
  const record = metricLog(
    'prod',
    () => milliseconds(1_769_903_999_123),
    (line) => lines.push(line),
  );
  record('a-program', { Clicks: 3, Conversions: 0 }, { reason: 'none' });
  expect(lines).toEqual([expect.stringMatching(/^\{[^\n]*\}\n$/)]);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    _aws: {
      Timestamp: 1_769_903_999_123,
      CloudWatchMetrics: [
        {
          Namespace: 'ReferralTracking',
          Dimensions: [['stage']],
          Metrics: [
            { Name: 'Clicks', Unit: 'Count' },
            { Name: 'Conversions', Unit: 'Count' },
          ],
        },
      ],
    },
    stage: 'prod',
    program: 'a-program',
    reason: 'none',
    Clicks: 3,
    Conversions: 0,
  });
});
