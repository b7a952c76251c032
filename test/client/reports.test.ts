import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { reportPayment, reportSignUp } from '../../client/src/client.ts';
import { GR_ID, json, lost, type Outcome, silence, someOptions, TOKEN } from '../support/client/client-calls.ts';

const CUSTOMER = { id: 4711, email: 'ana@shop.example' };
const PAYMENT = { payment_id: 'in_1042', amount: 4900, currency: 'usd' };
const signUp = { report: reportSignUp.bind(undefined, CUSTOMER, GR_ID), what: 'The referral of customer 4711' };
const payment = {
  report: reportPayment.bind(undefined, CUSTOMER, PAYMENT),
  what: 'The payment in_1042 of customer 4711',
};
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
  await signUp.report(options);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(2).fill('POST https://api.example.com/v2/tracking/conversion'),
  );
  for (const request of requests) {
    expect(request.headers.get('idempotency-key')).toBe('sign-up-4711');
    expect(await request.json()).toEqual({ email: 'ana@shop.example', uid: '4711', gr_id: GR_ID });
  }
  expect(logged).toEqual([]);
});

test('a payment sends the id of the customer as uid, and nothing else of the customer', async () => {
  const { options, requests } = someOptions([lost()]);
  await payment.report(options);
  await reportPayment(CUSTOMER, { ...PAYMENT, paid_at: 1_767_225_600 }, options);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(3).fill('POST https://api.example.com/v2/payments'),
  );
  const body = { uid: '4711', ...PAYMENT, paid_at: null };
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([
    body,
    body,
    { ...body, paid_at: 1_767_225_600 },
  ]);
  expect(logged).toEqual([]);
});

test.each([null, undefined, '', [GR_ID]])('a sign-up with the gr_id %j sends nothing', async (grId) => {
  const { options, requests } = someOptions([]);
  await reportSignUp(CUSTOMER, grId as string, options);
  expect([requests, logged]).toEqual([[], []]);
});

test('a payment of 0 sends nothing', async () => {
  const { options, requests } = someOptions([]);
  await reportPayment(CUSTOMER, { ...PAYMENT, amount: 0 }, options);
  expect([requests, logged]).toEqual([[], []]);
});

test.each([
  ['sign-up', 'referral_exists', signUp],
  ['sign-up', 'invalid_affiliate_slug', signUp],
  ['payment', 'referral_not_found', payment],
])('a %s does not log %s', async (_, code, { report }) => {
  const { options } = someOptions([json(400, { error: 'No' }, { 'x-error-code': code })]);
  await report(options);
  expect(logged).toEqual([]);
});

test.each(
  [signUp, payment].flatMap((call): [string, Outcome[], object, typeof call][] => [
    ['400', [json(400, { error: 'A field is not valid' }, { 'x-error-code': 'invalid_field' })], {}, call],
    ['a lost connection', [lost(), lost(), lost(), lost()], {}, call],
    ['a missing setting', [], { baseUrl: undefined }, call],
  ]),
)('a report logs %s, without the email and the token', async (_, outcomes, changes, { report, what }) => {
  const { options } = someOptions(outcomes, changes);
  await report(options);
  expect(logged).toEqual([[`${what} was not reported:`, expect.anything()]]);
  expect(inspect(logged, { depth: null })).not.toMatch(new RegExp(`${TOKEN}|${CUSTOMER.email}`));
});

test.each([
  ['sign-up', 2000, {}, signUp],
  ['sign-up', 500, { timeout: 500 }, signUp],
  ['payment', 2000, {}, payment],
])('a %s gives up after %d ms with the options %j', async (_, limit, changes, { report }) => {
  jest.useFakeTimers();
  const { options } = someOptions([silence], changes);
  const call = report(options);
  await jest.advanceTimersByTimeAsync(limit - 1);
  expect(logged).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  await call;
  expect(logged).toHaveLength(1);
});
