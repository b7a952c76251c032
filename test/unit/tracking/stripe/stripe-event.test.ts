import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Stripe } from 'stripe';
import { REFUND_RULES } from '../../../../functions/domain/program-fields.ts';
import { IGNORED } from '../../../../functions/domain/referral/payment.ts';
import { LAST_SECOND } from '../../../../functions/domain/time.ts';
import { STRIPE_EVENTS } from '../../../../functions/tracking/stripe/event-types.ts';
import { parsePayment } from '../../../../functions/tracking/stripe/stripe-money.ts';
import { customerEvent } from '../../../support/stripe/stripe.ts';
import { CLICK_ID, NOW } from '../../samples.ts';
import { BILL, CHARGE, ENVELOPE, parse, SESSION, SUBSCRIPTION } from './stripe-objects.ts';

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
      [{ livemode: true }, 'paid'],
      [{ amount_total: 1 }, 'paid'],
      [{ amount_total: 0 }, 'converted'],
      [{ amount_total: null }, 'converted'],
      [{ payment_status: 'unpaid' }, 'converted'],
      [{ payment_status: 'no_payment_required' }, 'converted'],
      [{ payment_status: 'no_payment_required', amount_total: 0 }, 'converted'],
      [{ mode: 'setup' }, 'nothing_to_do'],
      [{ mode: 'setup', payment_status: 'no_payment_required', amount_total: null }, 'nothing_to_do'],
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
    ['invoice.payment_succeeded', BILL, 'nothing_to_do', 'nothing_to_do'],
    ['checkout.session.expired', SESSION, 'nothing_to_do', 'nothing_to_do'],
    ['customer.subscription.updated', SUBSCRIPTION, 'nothing_to_do', 'nothing_to_do'],
    ['constructor', SESSION, 'nothing_to_do', 'nothing_to_do'],
  ])('the effect of %s with %j is %s, or %s if refunds reject', (type, object, ignore, reject) => {
    expect([stateOf(type, object, 'ignore'), stateOf(type, object, 'reject')]).toEqual([ignore, reject]);
  });

  test.each([undefined, null, '', 1])('a checkout with the id %p identifies no checkout', (id) => {
    expect(parse(COMPLETED, { ...SESSION, id })).toMatchObject({ isCheckout: true, checkoutId: null });
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

  test.each<[unknown, string]>([
    [{ type: INVOICE, amount_paid: '2400' }, 'nothing_to_do'],
    [{ type: INVOICE, amount_paid: [1] }, 'nothing_to_do'],
    [{ type: INVOICE, amount_paid: -1 }, 'nothing_to_do'],
    [{ type: COMPLETED, payment_status: 'paid', amount_total: '2400', customer: 'cus_1' }, 'converted'],
    [{ type: REFUNDED, refunded: 'true', customer: 'cus_1' }, 'nothing_to_do'],
  ])('values of another type, %j, have the effect %s', (fields, expected) => {
    const { type, ...object } = fields as { type: string };
    expect(stateOf(type, object, 'reject')).toBe(expected);
  });
});

describe('events that cannot be read', () => {
  const whole = { ...ENVELOPE, type: INVOICE, data: { object: BILL } };
  test.each<[string, unknown]>([
    ...[undefined, null, 0, '', 'text', true, [], {}].map((body): [string, unknown] => [`is ${typeof body}`, body]),
    ['has no type', { ...whole, type: null }],
    ['inherits its type', Object.create(whole)],
    ['has no id', { ...whole, id: null }],
    ['has no time', { ...whole, created: null }],
    ['has its time as a text', { ...whole, created: String(NOW) }],
    ['has a fraction of a second', { ...whole, created: 1.5 }],
    ['has a time after the year 9999', { ...whole, created: LAST_SECOND + 1 }],
    ['has no data', { ...whole, data: null }],
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
    ['test', null, 'paid'],
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

  test('an event of API v2 has nothing to do', () => {
    const thin = {
      ...{ id: 'evt_test_1', object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered' },
      ...{
        created: '2026-11-21T22:38:13.000Z',
        livemode: true,
        related_object: { id: 'mtr_1', type: 'billing.meter' },
      },
    };
    expect(customerEvent(thin, { mode: 'live', onRefund: 'reject' })).toBe('nothing_to_do');
  });
});

test('any JSON at any place of an event is read without an error', () => {
  const any = fc.oneof(fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>, fc.string(), fc.double());
  const or = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.oneof({ weight: 4, arbitrary }, any);
  const metadata = or(
    fc.record({ uid: or(fc.string()), gr_id: or(fc.constant(`a_${CLICK_ID}`)) }, { requiredKeys: [] }),
  );
  const email = or(fc.record({ email: or(fc.emailAddress()) }));
  const object = fc.record(
    {
      ...{ mode: any, payment_status: or(fc.constant('paid')), amount_total: any, amount_paid: any, refunded: any },
      ...{ customer: or(fc.record({ id: any })), metadata, client_reference_id: any, customer_email: any },
      ...{ customer_details: email, billing_details: email, receipt_email: any },
      subscription_details: or(fc.record({ metadata })),
      parent: or(fc.record({ subscription_details: or(fc.record({ metadata })) })),
    },
    { requiredKeys: [] },
  );
  const event = fc.record(
    {
      ...{ id: or(fc.string({ minLength: 1 })), created: or(fc.nat()), type: or(fc.constantFrom(...STRIPE_EVENTS)) },
      data: or(fc.record({ object: or(object) })),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof({ weight: 9, arbitrary: event }, any, fc.array(event));
  fc.assert(
    fc.property(body, fc.constantFrom(...REFUND_RULES), (json, onRefund) => {
      const parsed = customerEvent(json, { mode: 'live', onRefund });
      if (typeof parsed === 'string') expect(IGNORED).toContain(parsed);
      else expect(Object.values(parsed.customer).some((reference) => reference !== null)).toBe(true);
    }),
    { numRuns: 10_000 },
  );
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
