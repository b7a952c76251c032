import { describe, expect, test } from '@jest/globals';
import type { Stripe } from 'stripe';
import type { REFUND_RULES, RefundRule } from '../../../functions/kernel/accounts/rules/program-fields.ts';
import { LAST_SECOND } from '../../../functions/kernel/time.ts';
import { parsePayment } from '../../../functions/stripe/rules/parse-money.ts';
import { CLICK_ID, NOW } from '../../support/samples.ts';
import { customerEvent } from '../../support/stripe/stripe.ts';

// Objects of Stripe with the fields that the service reads and some that it does not, of Stripe's own types.

const DETAILS = {
  ...{ address: null, business_name: null, individual_name: null, name: 'Ben', phone: null },
  ...{ tax_exempt: 'none', tax_ids: [], email: 'Ben@Shop.example' },
} as const satisfies Stripe.Checkout.Session.CustomerDetails;
/** A checkout that was paid. */
const SESSION = {
  ...{ id: 'cs_test_1', object: 'checkout.session', livemode: false, mode: 'subscription', status: 'complete' },
  ...{ amount_total: 2400, currency: 'usd', payment_status: 'paid', customer: 'cus_1', customer_email: null },
  ...{ customer_details: DETAILS, client_reference_id: `Jane-Doe_${CLICK_ID}`, metadata: { uid: '1001' } },
} as const satisfies Partial<Stripe.Checkout.Session>;
/** The parent of an invoice of a subscription. */
const LINES = {
  ...{ type: 'subscription_details', quote_details: null },
  subscription_details: { metadata: { uid: '1001', gr_id: `jane.${CLICK_ID}` }, subscription: 'sub_1' },
} as const satisfies Stripe.Invoice.Parent;
/** An invoice that was paid. */
const BILL = {
  ...{ id: 'in_1', object: 'invoice', amount_paid: 2400, amount_due: 2400, currency: 'usd', status: 'paid' },
  ...{ customer: 'cus_1', customer_email: 'ben@shop.example', metadata: {}, parent: LINES },
} as const satisfies Partial<Stripe.Invoice>;
/** A subscription that ended. */
const SUBSCRIPTION = {
  ...{ id: 'sub_1', object: 'subscription', status: 'canceled', customer: 'cus_1', metadata: {}, ended_at: NOW },
} as const satisfies Partial<Stripe.Subscription>;
const BILLING = {
  ...{ address: null, name: null, phone: null, tax_id: null, email: 'ben@shop.example' },
} as const satisfies Stripe.Charge.BillingDetails;
/** A charge of a guest that was refunded in full. */
const CHARGE = {
  ...{ id: 'ch_1', object: 'charge', amount: 2400, amount_refunded: 2400, refunded: true, customer: null },
  ...{ billing_details: BILLING, receipt_email: null, metadata: {} },
} as const satisfies Partial<Stripe.Charge>;
/** A customer that was deleted at Stripe. */
const DELETED_CUSTOMER = {
  id: 'cus_1',
  object: 'customer',
  deleted: true,
} as const satisfies Stripe.DeletedCustomer;
/** A customer that is expanded in an object. */
const CUSTOMER = {
  ...{ id: 'cus_2', object: 'customer', email: 'other@shop.example', metadata: { uid: 'of the customer' } },
} as const satisfies Partial<Stripe.Customer>;
/** The customer of an object in an account that uses Stripe's Accounts v2. */
const ACCOUNT = { customer: null, customer_account: 'acct_1' } as const satisfies Partial<Stripe.Invoice>;

/** The envelope of an event. */
const ENVELOPE = {
  ...{ id: 'evt_1', object: 'event', api_version: '2026-10-29.dahlia', created: NOW, livemode: true },
  ...{ pending_webhooks: 1, request: { id: null, idempotency_key: null } },
} as const;

/** Parses an event of a type with an object. */
const parse = (type: string, object: unknown, onRefund: RefundRule = 'ignore') =>
  customerEvent({ ...ENVELOPE, type, data: { object } }, { mode: 'live', onRefund });

type Session = Partial<Stripe.Checkout.Session>;
type Invoice = Partial<Stripe.Invoice>;

const COMPLETED = 'checkout.session.completed';
const SUCCEEDED = 'checkout.session.async_payment_succeeded';
const INVOICE = 'invoice.paid';
const DELETED = 'customer.subscription.deleted';
const REFUNDED = 'charge.refunded';

const stateOf = (type: string, object: unknown, onRefund: (typeof REFUND_RULES)[number] = 'ignore') => {
  const parsed = parse(type, object, onRefund);
  return typeof parsed === 'string' ? parsed : parsed.state;
};

describe('effects of events', () => {
  test.each([COMPLETED, SUCCEEDED])('the checkout event %s has the effect of its mode and payment', (type) => {
    const cases: [Session, string][] = [
      [{}, 'paid'],
      [{ mode: 'payment' }, 'paid'],
      [{ amount_total: 1 }, 'paid'],
      [{ amount_total: 0 }, 'converted'],
      [{ payment_status: 'unpaid' }, 'converted'],
      [{ payment_status: 'no_payment_required' }, 'converted'],
      [{ mode: 'setup' }, 'nothing_to_do'],
    ];
    for (const [change, state] of cases) {
      expect([change, stateOf(type, { ...SESSION, ...change })]).toEqual([change, state]);
      expect(parse(type, { ...SESSION, ...change })).toEqual(
        state === 'nothing_to_do' ? state : expect.objectContaining({ isCheckout: true, checkoutId: SESSION.id }),
      );
    }
  });

  test.each<[string, object, string, string]>([
    [INVOICE, BILL, 'paid', 'paid'],
    [INVOICE, { ...BILL, amount_paid: 0 } satisfies Invoice, 'nothing_to_do', 'nothing_to_do'],
    [DELETED, SUBSCRIPTION, 'churned', 'churned'],
    [REFUNDED, CHARGE, 'nothing_to_do', 'rejected'],
    [REFUNDED, { ...CHARGE, amount_refunded: 100, refunded: false }, 'nothing_to_do', 'nothing_to_do'],
    ['charge.dispute.created', { id: 'dp_1', object: 'dispute', charge: 'ch_1' }, 'nothing_to_do', 'nothing_to_do'],
    ['checkout.session.expired', SESSION, 'nothing_to_do', 'nothing_to_do'],
    ['constructor', SESSION, 'nothing_to_do', 'nothing_to_do'],
  ])('the effect of %s with %j is %s, or %s if refunds reject', (type, object, ignore, reject) => {
    expect([stateOf(type, object, 'ignore'), stateOf(type, object, 'reject')]).toEqual([ignore, reject]);
  });

  test('an event of another type is not a checkout', () => {
    const objects = { [INVOICE]: BILL, [DELETED]: SUBSCRIPTION, [REFUNDED]: CHARGE };
    for (const [type, object] of Object.entries(objects)) {
      expect(parse(type, object, 'reject')).toMatchObject({
        id: 'evt_1',
        createdAt: NOW,
        isCheckout: false,
        checkoutId: null,
      });
    }
  });
});

describe('events that cannot be read', () => {
  const whole = { ...ENVELOPE, type: INVOICE, data: { object: BILL } };
  test.each<[string, unknown]>([
    ...[undefined, null, 0, '', 'text', true, [], {}].map((body): [string, unknown] => [`is ${typeof body}`, body]),
    ['has no type', { ...whole, type: null }],
    ['inherits its type', Object.create(whole)],
    ['has no id', { ...whole, id: null }],
    ['has a time after the year 9999', { ...whole, created: LAST_SECOND + 1 }],
    ['has a text as its object', { ...whole, data: { object: 'in_1' } }],
  ])('an event that %s cannot be read', (_, body) => {
    expect(customerEvent(body, { mode: 'live', onRefund: 'reject' })).toBe('unreadable');
  });

  test.each([
    ['live', true, 'paid'],
    ['live', false, 'wrong_mode'],
    ['test', true, 'wrong_mode'],
    ['test', false, 'paid'],
    ['live', undefined, 'paid'],
    ['test', undefined, 'paid'],
  ] as const)('an event for a %s program with the livemode %s is %s', (mode, livemode, effect) => {
    const program = { mode, onRefund: 'ignore' } as const;
    const object = { amount_paid: 100, customer_email: 'jane@shop.example' };
    const event = { id: 'evt_1', created: NOW, livemode, type: 'invoice.paid', data: { object } };
    const parsed = customerEvent(event, program);
    expect(typeof parsed === 'string' ? parsed : parsed.state).toBe(effect);
    // Nothing else is checked before the mode but whether the event can be read.
    const isWrong = effect === 'wrong_mode';
    expect(customerEvent({ ...event, data: { object: {} } }, program)).toBe(isWrong ? effect : 'nothing_to_do');
    expect(customerEvent({ livemode, type: 'invoice.created' }, program)).toBe(isWrong ? effect : 'nothing_to_do');
    expect(customerEvent({ ...event, id: undefined }, program)).toBe('unreadable');
    expect(customerEvent({ ...event, type: undefined }, program)).toBe('unreadable');
  });
});

const PAID_INVOICE = { id: 'in_1', currency: 'usd', amount_paid: 1190, total: 1190, total_excluding_tax: 1000 };
const CHECKOUT = { payment_status: 'paid', payment_intent: 'pi_1', currency: 'usd', amount_total: 1190 };

test.each([
  ['in full', {}, 1000],
  ['with shipping', { amount_shipping: 200 }, 800],
  ['in part', { amount_paid: 595 }, 500],
  ['in part, with half a cent', { amount_paid: 5, total: 10, total_excluding_tax: 9 }, 5],
  ['without a net total', { total_excluding_tax: undefined }, 1190],
  ['with a total of 0', { total: 0 }, 1190],
])('an invoice that is paid %s is a payment without tax and shipping', (_, fields, amount) => {
  const invoice = { ...PAID_INVOICE, ...fields };
  expect(parsePayment('invoice.paid', invoice)).toEqual({
    ...{ id: 'in_1', amount, currency: 'usd', gross: invoice.amount_paid },
  });
});

test.each([
  { total_excluding_tax: 0 },
  { total_excluding_tax: 200, amount_shipping: 200 },
  { total_excluding_tax: 100, amount_shipping: 200 },
  { amount_paid: 0 },
  { currency: 'xyz' },
])('an invoice with %j is no payment', (fields) => {
  expect(parsePayment('invoice.paid', { ...PAID_INVOICE, ...fields })).toBeNull();
});

test('a checkout is a payment without tax and shipping', () => {
  const total_details = { amount_tax: 190, amount_shipping: 300 };
  expect(parsePayment('checkout.session.completed', { ...CHECKOUT, total_details })).toEqual({
    ...{ id: 'pi_1', amount: 700, currency: 'usd', gross: 1190 },
  });
});

const customerOf = (type: string, object: unknown) => {
  const parsed = parse(type, object, 'reject');
  return typeof parsed === 'string' ? parsed : parsed.customer;
};

describe('customers of an event', () => {
  test('a checkout has a uid, an id at Stripe, an email and a gr_id', () => {
    expect(customerOf(COMPLETED, SESSION)).toEqual({
      uid: '1001',
      providerId: 'cus_1',
      email: 'ben@shop.example',
      grId: { slug: 'jane-doe', clickId: CLICK_ID },
    });
  });

  test.each<[string, object, object]>([
    ['an invoice of API versions since 2025', {}, { uid: '1001', grId: { slug: 'jane', clickId: CLICK_ID } }],
    [
      'an invoice of API versions before 2025',
      { parent: null, subscription_details: { metadata: { uid: '2' } } },
      { uid: '2', grId: null },
    ],
    ['its own metadata first', { metadata: { uid: '3' } }, { uid: '3', grId: { slug: 'jane', clickId: CLICK_ID } }],
    ['its own metadata only if they are valid', { metadata: { uid: '' } }, { uid: '1001' }],
    ['its own metadata only without U+FFFD', { metadata: { uid: '3\ufffd' } }, { uid: '1001' }],
    ['the new place before the old one', { subscription_details: { metadata: { uid: '2' } } }, { uid: '1001' }],
    ['an expanded customer', { customer: CUSTOMER }, { providerId: 'cus_2', uid: '1001', email: 'ben@shop.example' }],
    ['a deleted customer', { customer: DELETED_CUSTOMER }, { providerId: 'cus_1' }],
    ['an account as the customer', ACCOUNT, { providerId: 'acct_1' }],
    ['a customer that is also an account', { ...ACCOUNT, customer: 'cus_1' }, { providerId: 'cus_1' }],
  ])('an invoice has its customer: %s', (_, change, expected) => {
    expect(customerOf(INVOICE, { ...BILL, ...change })).toMatchObject(expected);
  });

  test.each<[object, string | null]>([
    [{ customer_details: { email: 'a@b.example' }, customer_email: 'c@d.example' }, 'a@b.example'],
    [{ customer_details: null, customer_email: 'c@d.example', receipt_email: 'g@h.example' }, 'c@d.example'],
    [{ billing_details: { email: 'e@f.example' }, receipt_email: 'g@h.example' }, 'e@f.example'],
    [{ customer_details: { email: 'no email' }, customer_email: ' C@D.Example ' }, 'c@d.example'],
    [{ email: 'a@b.example' }, null],
  ])('the customer has the first valid email of %j', (fields, email) => {
    expect(customerOf(DELETED, { customer: 'cus_1', ...fields })).toMatchObject({ email });
  });

  test.each<[object, string | null]>([
    [{ client_reference_id: `jane_${CLICK_ID}` }, 'jane'],
    [{ client_reference_id: `mary_ann_${CLICK_ID}` }, 'mary_ann'],
    [{ client_reference_id: 'order-17', metadata: { gr_id: `john.${CLICK_ID}` } }, 'john'],
    [{ client_reference_id: `jane_${CLICK_ID}`, metadata: { gr_id: `john.${CLICK_ID}` } }, 'jane'],
    [{ client_reference_id: 'order-17' }, null],
    [{ metadata: { gr_id: 'jane' } }, null],
  ])('the customer has the gr_id of %j', (fields, slug) => {
    const expected = slug === null ? null : { slug, clickId: CLICK_ID };
    expect(customerOf(COMPLETED, { customer: 'cus_1', ...fields })).toMatchObject({ grId: expected });
  });

  test.each<[string, unknown]>([
    [COMPLETED, { mode: 'payment', customer: null, customer_details: null, client_reference_id: 'order-17' }],
    [INVOICE, { amount_paid: 1, metadata: { uid: 'x'.repeat(129) } }],
    [DELETED, {}],
    [DELETED, { customer: 17, metadata: 'uid' }],
  ])('the customer of %s with %j does not exist', (type, object) => {
    expect(parse(type, object)).toBe('no_identity');
  });
});
