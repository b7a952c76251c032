import { describe, expect, test } from '@jest/globals';
import { ReferralTrackingError } from '../../client/src/client.ts';
import { routeKey } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import {
  aClient,
  CONVERSIONS,
  failureOf,
  GR_ID,
  json,
  lost,
  NOT_REPEATED,
  type Outcome,
  REPEATED,
  unavailable,
} from '../support/client/client-calls.ts';

/** API Gateway's 429. */
const throttled = () => json(429, { message: 'Too Many Requests' });
/** Sends half of a body, then the connection breaks. */
const brokenOff = async () =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"data"')),
      pull: (stream) => stream.error(new TypeError('terminated')),
    }),
  );

const keysOf = (requests: Request[]) => requests.map(({ headers }) => headers.get('idempotency-key'));

test('each route except the files, the logo and the Stripe route is in one of the lists', () => {
  const routes = Object.values(ROUTES).map(routeKey);
  const listed = [...REPEATED, ...NOT_REPEATED].map(([route]) => route);
  const { getScript, getPortal, getPortalScript, getAccount, getDashboard, getLlmsText } = ROUTES;
  const { showUnsubscribe, unsubscribe, receiveStripeEvent, getLogo } = ROUTES;
  const pages = [
    getScript,
    getPortal,
    getPortalScript,
    getAccount,
    getDashboard,
    getLlmsText,
    showUnsubscribe,
    unsubscribe,
  ];
  const others = [...pages, getLogo, receiveStripeEvent].map(routeKey);
  expect([...listed, ...others].toSorted()).toEqual(routes.toSorted());
});

describe.each(REPEATED)('%s', (_, call) => {
  test('the request is repeated after a lost or broken response, 503 and 429', async () => {
    for (const outcome of [lost, (): Outcome => brokenOff, unavailable, throttled]) {
      const { client, requests, pauses } = aClient([outcome(), outcome()]);
      expect(await call(client)).toMatchObject({ data: { data: [] } });
      const [first, ...others] = await Promise.all(
        requests.map(async (each) => ({ url: each.url, headers: [...each.headers], body: await each.text() })),
      );
      expect(others).toEqual([first, first]);
      expect(pauses).toHaveLength(2);
    }
  });

  test('the request is not repeated after another error', async () => {
    for (const status of [400, 401, 404, 409, 422, 500]) {
      const { client, requests } = aClient([json(status, { error: 'No' })]);
      expect(await failureOf(call(client))).toMatchObject({ status, message: 'No' });
      expect(requests).toHaveLength(1);
    }
  });
});

describe.each(NOT_REPEATED)('%s', (_, call) => {
  test.each<[string, () => Outcome, number]>([
    ['a lost response', lost, 0],
    ['a response that breaks off', () => brokenOff, 0],
    ['503', unavailable, 503],
  ])('the request is not repeated after %s', async (_reason, outcome, status) => {
    const { client, requests, pauses } = aClient([outcome()]);
    expect(await failureOf(call(client))).toMatchObject({ name: 'ReferralTrackingError', status });
    expect([requests, pauses]).toMatchObject([[{}], []]);
  });

  test('the request is repeated after 429', async () => {
    const { client, requests } = aClient([throttled()]);
    await call(client);
    expect(requests).toHaveLength(2);
  });
});

describe.each(CONVERSIONS)('%s', (_, call) => {
  test('a conversion and its retries have one idempotency key', async () => {
    const { client, requests } = aClient([lost(), unavailable(), json(201, {}), json(201, {})]);
    await call(client);
    await call(client);
    const [first, second, third, next] = keysOf(requests);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(next).not.toBe(first);
  });
});

test('the idempotency key of the caller is kept', async () => {
  const { client, requests } = aClient([unavailable()]);
  const body = { uid: '1', gr_id: GR_ID };
  await client.POST('/v2/tracking/conversion', { params: { header: { 'Idempotency-Key': 'sign-up-1' } }, body });
  await client.POST('/v2/tracking/conversion', { headers: { 'idempotency-key': 'sign-up-2' }, body });
  expect(keysOf(requests)).toEqual(['sign-up-1', 'sign-up-1', 'sign-up-2']);
});

test('other routes get no idempotency key', async () => {
  const { client, requests } = aClient([]);
  for (const [, call] of REPEATED.slice(CONVERSIONS.length)) await call(client);
  expect(new Set(keysOf(requests))).toEqual(new Set([null]));
});

test('a request ends after three retries, with the last error', async () => {
  const { client, requests, pauses } = aClient([lost(), lost(), lost(), unavailable({ 'retry-after': '2' })]);
  const error = await failureOf(client.GET('/v1/advocates'));
  expect(error).toBeInstanceOf(ReferralTrackingError);
  expect(error).toMatchObject({
    message: 'The service is busy',
    status: 503,
    code: 'unavailable',
    requestId: 'r-1',
    retryAfter: 2,
  });
  expect(requests).toHaveLength(4);
  expect(pauses).toHaveLength(3);
});

test('pauses are random, with a bound that doubles', async () => {
  for (let round = 0; round < 50; round += 1) {
    const { client, pauses } = aClient([lost(), lost(), lost()]);
    await client.GET('/v1/advocates');
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(0);
      expect(pause).toBeLessThan(250 * 2 ** index);
    }
  }
});

test.each([429, 503])('a pause after %d is at least Retry-After', async (status) => {
  const { client, pauses } = aClient([json(status, {}, { 'retry-after': '7' })]);
  await client.GET('/v1/advocates');
  expect(pauses[0]).toBeGreaterThanOrEqual(7000);
  expect(pauses[0]).toBeLessThan(7250);
});

test('a request does not wait beyond its timeout', async () => {
  const { client, requests, pauses } = aClient([unavailable({ 'retry-after': '31' })]);
  expect(await failureOf(client.GET('/v1/advocates'))).toMatchObject({ status: 503, retryAfter: 31 });
  expect([requests, pauses]).toMatchObject([[{}], []]);
});
