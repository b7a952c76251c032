import { describe, expect, test } from '@jest/globals';
import { InvalidField } from '../../../functions/domain/errors.ts';
import type { HttpEvent, HttpHandler } from '../../../functions/http/context.ts';
import { byRoute } from '../../../functions/http/route-handler.ts';
import { type OperationId, ROUTES, routeKey } from '../../../functions/routes.ts';
import { httpEvent } from '../samples.ts';
import { AFFILIATE_CALLER, callStack, lambdaContext, PROGRAM_CALLER } from './stack.ts';

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

  test('the stack ignores the body on a route without one', async () => {
    const event = httpEvent({
      headers: { authorization: 'Bearer good', 'content-type': 'text/plain' },
      body: TOO_LARGE,
    });
    const input = (_: unknown, json: unknown) => ({ json: json === undefined ? 'none' : 'some' });
    const response = await callStack(event, { route: ROUTES.listAdvocates, input });
    expect({ status: response.statusCode, body: response.body }).toEqual({
      status: 200,
      body: '{"json":"none"}',
    });
  });

  test('the stack reserves a quarter of a second for the response', async () => {
    const handle = (_: unknown, deadline: number) => ({ statusCode: 200, body: String(deadline) });
    const { body } = await callStack(httpEvent({ body: '{}' }), { handle });
    expect(body).toBe(String(1_000_000 + 10_000 - 250));
  });

  test('the stack sends the request id with every response, success or error', async () => {
    for (const [, event] of [...CHECK_ORDER, ['good', { body: '{}' }] as const]) {
      const { headers } = await callStack(httpEvent(event), { tokens });
      expect(headers?.['x-request-id']).toBe('request-1');
    }
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

  test.each(['a>; rel="x", <http://evil', 'a/>; rel="x", <b', 'a>', 'a b', 'user@evil', 'a\r\nb', ''])(
    'the stack writes exactly one link, whatever domain name the event has: %j',
    async (domainName) => {
      const event = httpEvent({ body: '{}' });
      const { headers } = await callStack({
        ...event,
        requestContext: { ...event.requestContext, domainName },
      });
      expect(headers?.['link']).toMatch(/^<https:\/\/[\w.]+\/v2\/tracking\/conversion>; rel="successor-version"$/);
    },
  );
});

const handlerNamed =
  (name: string): HttpHandler =>
  async () => ({ statusCode: 200, body: name });
const handler = byRoute<'referrals'>({
  listReferrals: handlerNamed('own'),
  listReferralsV2: handlerNamed('list'),
  lookUpReferral: handlerNamed('lookup'),
  countReferrals: handlerNamed('counts'),
  countOwnReferrals: handlerNamed('own counts'),
  getStatistics: handlerNamed('statistics'),
  getOwnStatistics: handlerNamed('own statistics'),
  listAdvocateStatistics: handlerNamed('statistics of advocates'),
  listEntries: handlerNamed('ledger'),
  listOwnEntries: handlerNamed('own ledger'),
  getStatements: handlerNamed('statements'),
  getOwnStatements: handlerNamed('own statements'),
});
const sendTo = async (key: string) => handler(httpEvent({ routeKey: key }), lambdaContext());

test.each<[OperationId, string]>([
  ['listReferrals', 'own'],
  ['lookUpReferral', 'lookup'],
  ['countOwnReferrals', 'own counts'],
])('the request %s goes to its handler, whatever the path is', async (operation, body) => {
  expect(await sendTo(routeKey(ROUTES[operation]))).toEqual({ statusCode: 200, body });
});

test.each([
  'GET /v1/advocates',
  'POST /v2/tracking/conversion',
  'GET /v2/referrals/lookup',
  'POST /v2/referrals/lookup/',
  '$default',
  '__proto__',
  'toString',
  '',
])('the request %j has no handler here and throws: the infrastructure sent it to the wrong function', async (key) => {
  await expect(sendTo(key)).rejects.toThrow('The route belongs to another function.');
});
