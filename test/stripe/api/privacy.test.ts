import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { type ApiRequest, sendToHandlers } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import {
  aCancellation,
  aCheckout,
  anInvoice,
  aRefund,
  SECRET,
  signatureOf,
  signedRequest,
  withSecrets,
} from '../../support/stripe/stripe.ts';
import { anEmail } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
let logged: unknown[];
beforeEach(() => {
  logged = [];
  for (const method of METHODS) {
    jest.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      logged.push(values);
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

const shown = (value: unknown) => inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('payments leave no secret anywhere and no personal data in keys or logs, and an erasure removes the rest', async () => {
  const program = await aProgram(table);
  const jane = await anAdvocate(table, program);
  const token = await aToken(table, program);
  const { id } = await aClick(table, program, jane);
  const [email, other, uid, customer] = [anEmail(), anEmail(), newId(), newId()];
  const grId = `${jane.slug}.${id}`;
  const send = sendToHandlers(table, withSecrets([SECRET]));
  const failing = sendToHandlers(table, { read: () => Promise.reject(new Unavailable(new Error(SECRET))) });
  const responses: unknown[] = [];
  const deliver = async (event: unknown, to = send) => {
    const response = await to(signedRequest(program.id, event));
    responses.push(response);
    return response.json;
  };
  const call = async (request: ApiRequest) => responses.push(await send({ token, ...request }));

  expect(await deliver(aCheckout({ email, uid, customer, grId }))).toEqual({ applied: 'paid' });
  expect(await deliver(anInvoice({ email: other, customer, created: now() + 1 }))).toEqual({ applied: 'paid' });
  expect(await deliver(aCancellation({ customer, created: now() + 2 }))).toEqual({ applied: 'churned' });
  await deliver(aRefund({ email, customer }));
  await deliver(anInvoice({ email: other }));
  await deliver(`${email} is not JSON`);
  // 503, 500 and 400 are logged or describe an error.
  await deliver(anInvoice({ email, uid, customer }), failing);
  const broken = sendToHandlers(table, { read: () => Promise.reject(new Error(`${SECRET} ${email}`)) });
  await deliver(anInvoice({ email, uid, customer }), broken);
  const wrong = { 'stripe-signature': signatureOf(email, { secret: 'whsec_wrong' }) };
  await call({ operation: 'receiveStripeEvent', program: program.id, body: email, headers: wrong });
  await call({ operation: 'lookUpReferral', body: { email } });
  const lookup = responses.pop();

  const items = await allItems(table);
  const keys = items.map(({ pk, sk, ...attributes }) => [pk, sk, Object.keys(attributes)]);
  const people = [email, other, uid, customer];
  for (const text of [SECRET, 'whsec_']) {
    expect(shown([items, responses, lookup, logged, process.env])).not.toContain(text);
  }
  expect(logged.length).toBeGreaterThanOrEqual(2);
  for (const text of people) expect(shown([keys, responses, logged])).not.toContain(text);
  // The customer at Stripe, and an email that only Stripe knows, are nowhere in clear text.
  for (const text of [other, customer]) expect(shown(items)).not.toContain(text);

  await call({ operation: 'eraseCustomer', body: { email } });
  const left = shown(await allItems(table));
  for (const text of people) {
    expect(left).not.toContain(text);
    expect(left).not.toContain(sha256(text));
  }
  await expectUnchanged(table, async () =>
    expect(await deliver(aCheckout({ email, uid, customer, grId }))).toEqual({ ignored: 'erased' }),
  );
});
