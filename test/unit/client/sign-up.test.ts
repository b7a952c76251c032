import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { reportSignUp } from '../../../client/src/client.ts';
import { GR_ID, json, lost, type Outcome, silence, someOptions, TOKEN } from '../../support/client/client-calls.ts';

const CUSTOMER = { id: 4711, email: 'ana@shop.example' };
let logged: unknown[][];
beforeEach(() => {
  logged = [];
  jest.spyOn(console, 'error').mockImplementation((...values) => void logged.push(values));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a sign-up sends the id as uid, the email and the gr_id, with a key of its own', async () => {
  const { options, requests } = someOptions([lost()]);
  await reportSignUp(CUSTOMER, GR_ID, options);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(2).fill('POST https://api.example.com/v2/tracking/conversion'),
  );
  for (const request of requests) {
    expect(request.headers.get('idempotency-key')).toBe('sign-up-4711');
    expect(await request.json()).toEqual({ email: 'ana@shop.example', uid: '4711', gr_id: GR_ID });
  }
  expect(logged).toEqual([]);
});

test.each([null, undefined, '', [GR_ID]])('a sign-up with the gr_id %j sends nothing', async (grId) => {
  const { options, requests } = someOptions([]);
  await reportSignUp(CUSTOMER, grId as string, options);
  expect([requests, logged]).toEqual([[], []]);
});

test.each(['referral_exists', 'invalid_affiliate_slug'])('a sign-up does not log %s', async (code) => {
  const { options } = someOptions([json(400, { error: 'No' }, { 'x-error-code': code })]);
  await reportSignUp(CUSTOMER, GR_ID, options);
  expect(logged).toEqual([]);
});

test.each<[string, Outcome[], object]>([
  ['400', [json(400, { error: 'gr_id is not valid' }, { 'x-error-code': 'invalid_field' })], {}],
  ['a lost connection', [lost(), lost(), lost(), lost()], {}],
  ['a missing setting', [], { baseUrl: undefined }],
])('a sign-up logs %s, without the email and the token', async (_, outcomes, changes) => {
  const { options } = someOptions(outcomes, changes);
  await reportSignUp(CUSTOMER, GR_ID, options);
  expect(logged).toEqual([['The referral of customer 4711 was not reported:', expect.anything()]]);
  expect(inspect(logged, { depth: null })).not.toMatch(new RegExp(`${TOKEN}|${CUSTOMER.email}`));
});

test.each([
  [2000, {}],
  [500, { timeout: 500 }],
])('a sign-up gives up after %d ms with the options %j', async (limit, changes) => {
  jest.useFakeTimers();
  const { options } = someOptions([silence], changes);
  const call = reportSignUp(CUSTOMER, GR_ID, options);
  await jest.advanceTimersByTimeAsync(limit - 1);
  expect(logged).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  await call;
  expect(logged).toHaveLength(1);
});
