import { createHmac, randomInt } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const SECRET = 'a secret of the provider';
const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex');
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
const now = () => Math.floor(Date.now() / 1000);

type Headers = Readonly<Record<string, string>>;
type Handler = (headers: Headers, body: string) => Promise<void>;
interface Customer {
  readonly uid?: string | number;
  readonly gr_id?: string;
}

/** The webhooks of a provider, as its documentation shows them. */
interface Provider {
  readonly handler: 'onPaddle' | 'onLemonSqueezy' | 'onChargebee';
  readonly genuine: (body: string) => Headers;
  readonly forged: readonly ((body: string) => Headers)[];
  readonly payment: (customer: Customer, amount: number) => unknown;
  readonly end: (customer: Customer) => unknown;
  /** Events that change nothing. */
  readonly others: readonly ((customer: Customer) => unknown)[];
}

const paddleHeaders = (body: string, time = now(), secret = SECRET): Headers => ({
  'paddle-signature': `ts=${time};h1=${hmac(`${time}:${body}`, secret)}`,
});
const paddle = (event_type: string, custom_data: Customer | null, total = '0') => ({
  event_id: 'evt_1',
  event_type,
  data: { id: 'x_1', custom_data, details: { totals: { total, currency_code: 'USD' } } },
});
const lemon = (event_name: string, custom_data: Customer | undefined, total = 0, status = 'paid') => ({
  meta: { event_name, ...(custom_data && { custom_data }) },
  data: { type: 'subscription-invoices', id: '1', attributes: { status, total, user_email: 'a@b.test' } },
});
const chargebee = (event_type: string, { uid, gr_id }: Customer, amount = 0) => ({
  id: 'ev_1',
  event_type,
  content: { customer: { id: 'cb_1', cf_uid: uid, cf_gr_id: gr_id }, transaction: { amount } },
});

const PROVIDERS: readonly Provider[] = [
  {
    handler: 'onPaddle',
    genuine: (body) => ({
      'paddle-signature': `${paddleHeaders(body)['paddle-signature']};h1=${hmac('another secret')}`,
    }),
    forged: [
      () => ({}),
      (body) => paddleHeaders(body, now(), 'another secret'),
      (body) => paddleHeaders(body, now() - 60),
      (body) => paddleHeaders(`${body} `),
    ],
    payment: (customer, amount) => paddle('transaction.completed', customer, String(amount)),
    end: (customer) => paddle('subscription.canceled', customer),
    others: [(customer) => paddle('subscription.updated', customer), () => paddle('transaction.completed', null, '9')],
  },
  {
    handler: 'onLemonSqueezy',
    genuine: (body) => ({ 'x-signature': hmac(body) }),
    forged: [
      () => ({}),
      (body) => ({ 'x-signature': hmac(body, 'another secret') }),
      (body) => ({ 'x-signature': hmac(`${body} `) }),
    ],
    payment: (customer, amount) => lemon('subscription_payment_success', customer, amount),
    end: (customer) => lemon('subscription_expired', customer),
    others: [
      (customer) => lemon('subscription_cancelled', customer),
      (customer) => lemon('order_created', customer, 900, 'pending'),
      () => lemon('order_created', undefined, 900),
    ],
  },
  {
    handler: 'onChargebee',
    genuine: () => ({ authorization: basic(`user:${SECRET}`) }),
    forged: [() => ({}), () => ({ authorization: basic('user:guess') })],
    payment: (customer, amount) => chargebee('payment_succeeded', customer, amount),
    end: (customer) => chargebee('subscription_cancelled', customer),
    others: [
      (customer) => chargebee('customer_changed', customer),
      () => ({ event_type: 'payment_succeeded', content: { transaction: { amount: 9 } } }),
    ],
  },
];

const table = useTable();
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
const folder = mkdtempSync(join(tmpdir(), 'providers-'));
let program: Program;
let advocate: Advocate;
let token: string;

beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Loads a copy of docs/samples/payment-providers.js that calls the service with a token. */
async function load(programToken = token): Promise<Record<string, Handler>> {
  Object.assign(process.env, {
    BASE_URL: gateway.url(),
    PROGRAM_TOKEN: programToken,
    PADDLE_SECRET: SECRET,
    LEMON_SQUEEZY_SECRET: SECRET,
    CHARGEBEE_USER: 'user',
    CHARGEBEE_PASSWORD: SECRET,
  });
  const file = join(folder, `${newId()}.mjs`);
  copyFileSync('docs/samples/payment-providers.js', file);
  return import(file);
}

/** The stored referral of a customer. */
const referralOf = async ({ uid }: Customer) =>
  (await allItems(table)).find((item) => item['sk'] === 'REFERRAL' && item['uid'] === String(uid));
const aCustomer = () => ({ uid: newId(), gr_id: `${advocate.slug}.${newId()}` });

describe.each(PROVIDERS)('the sample $handler', ({ handler, genuine, forged, payment, end, others }) => {
  let receive: (event: unknown, headersOf?: (body: string) => Headers) => Promise<void>;
  beforeEach(async () => {
    const handlers = await load();
    receive = async (event, headersOf = genuine) => {
      const body = JSON.stringify(event);
      await handlers[handler]?.(headersOf(body), body);
    };
  });

  // Providers return the type of the id that they were given.
  test.each(['text', 'number'])('the handler records the events of a customer whose id is a %s once', async (type) => {
    const uid = type === 'text' ? newId() : randomInt(1e9);
    const customer = { ...aCustomer(), uid };
    await receive(payment(customer, 2400));
    await receive(payment(customer, 2400));
    expect(await referralOf(customer)).toMatchObject({ state: 'paid' });
    await receive(end({ uid }));
    expect(await referralOf(customer)).toMatchObject({ state: 'churned' });
  });

  test.each(['jane', `producthunt.${newId()}`])('the handler treats the gr_id %s as "not referred"', async (gr_id) => {
    const customer = { uid: newId(), gr_id };
    await receive(payment(customer, 2400));
    expect(await referralOf(customer)).toBeUndefined();
  });

  test('the handler ignores trials, other events and customers who were not referred', async () => {
    const customer = aCustomer();
    await receive(payment(customer, 0));
    for (const other of others) await receive(other(customer));
    expect(await referralOf(customer)).toBeUndefined();
    await receive(end({ uid: newId() }));
  });

  test('the handler rejects what the provider has not sent', async () => {
    const customer = aCustomer();
    for (const headersOf of forged) {
      await expect(receive(payment(customer, 2400), headersOf)).rejects.toThrow(/^Not from /);
    }
    expect(await referralOf(customer)).toBeUndefined();
  });

  test('the handler fails if the service rejects the request, so that the provider tries again', async () => {
    const body = JSON.stringify(payment(aCustomer(), 2400));
    const handlers = await load('rtp_unknown');
    await expect(handlers[handler]?.(genuine(body), body)).rejects.toThrow('401 (unauthorized)');
  });
});

describe('the samples of amounts', () => {
  const lemonPayment = (type: string, billing_reason?: string) => (uid: string) => ({
    meta: { custom_data: { uid } },
    data: { type, id: '7', attributes: { billing_reason, total: 1190, tax: 190, currency: 'USD' } },
  });
  test.each<[string, string, (uid: string) => unknown, object[]]>([
    [
      'Paddle',
      'recordPaddle',
      (uid) => {
        const totals = { total: '1190', tax: '190', currency_code: 'USD' };
        return { data: { id: 'txn_1', custom_data: { uid }, details: { totals } } };
      },
      [{ id: 'txn_1', amount: 1000, currency: 'usd' }],
    ],
    ['an order', 'recordLemonSqueezy', lemonPayment('orders'), [{ id: 'orders-7', amount: 1000, currency: 'usd' }]],
    ['the first invoice of an order', 'recordLemonSqueezy', lemonPayment('subscription-invoices', 'initial'), []],
    [
      'Chargebee',
      'recordChargebee',
      (uid) => {
        const transaction = { id: 'txn_2', amount: 595, currency_code: 'USD' };
        return { content: { customer: { cf_uid: uid }, transaction, invoice: { total: 1190, tax: 190 } } };
      },
      [{ id: 'txn_2', amount: 500, currency: 'usd' }],
    ],
  ])('a payment of %s is recorded by %s once, without tax', async (_, name, bodyOf, expected) => {
    const uid = newId();
    const { id: referral } = await aReferral(table, program, advocate, { customerUid: uid });
    const record = (await load())[name] as unknown as (body: unknown) => Promise<void>;
    for (let time = 0; time < 2; time += 1) await record(bodyOf(uid));
    await record(bodyOf('nobody'));
    const payments = (await allItems(table)).filter(
      (item) => item['referral'] === referral && item['commission'] !== undefined && item['refunded'] !== undefined,
    );
    expect(payments).toEqual(expected.map((payment) => expect.objectContaining(payment)));
  });
});
