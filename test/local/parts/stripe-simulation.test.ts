import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { portOf } from '../../../bin/local/engine.ts';
import { secondOf, seconds, systemClock } from '../../../functions/kernel/time.ts';
import {
  type SimulatedPayment,
  sendStripeEvent,
  simulatedEvent,
} from '../../../functions/stripe/operator/simulation.ts';
import type { StripeEventType } from '../../../functions/stripe/rules/event-types.ts';
import { parseStripeEvent } from '../../../functions/stripe/rules/parse-event.ts';
import { customerEvent } from '../../support/stripe/stripe.ts';

const NOW = seconds(1_800_000_000);
const CLICK = '01900000-0000-7000-8000-000000000000';
const PAYMENT: Omit<SimulatedPayment, 'type'> = {
  email: 'Jane@Example.com',
  uid: '4711',
  grId: `jane.${CLICK}`,
  customer: 'cus_1',
  amount: 2400,
  tax: 0,
  refunded: 2400,
  currency: 'usd',
  payment: null,
  promotionCode: 'promo_1',
  code: 'JANE20',
  affiliateSlug: 'jane',
  mode: 'test',
};
const eventOf = (type: StripeEventType, payment: Partial<SimulatedPayment> = {}) =>
  JSON.parse(simulatedEvent({ ...PAYMENT, type, ...payment }, NOW, randomBytes));

describe('simulated events', () => {
  test.each<[StripeEventType, string, boolean]>([
    ['checkout.session.completed', 'paid', true],
    ['checkout.session.async_payment_succeeded', 'paid', true],
    ['invoice.paid', 'paid', true],
    ['customer.subscription.deleted', 'churned', false],
    ['charge.refunded', 'rejected', true],
  ])('a simulated event of the type %s leads to %s, with all references to the customer', (type, state, hasEmail) => {
    expect(customerEvent(eventOf(type), { mode: 'test', onRefund: 'reject' })).toEqual({
      id: expect.stringMatching(/^evt_\w{24}$/),
      createdAt: NOW,
      state,
      isCheckout: type.startsWith('checkout.'),
      checkoutId: type.startsWith('checkout.') ? expect.stringMatching(/^cs_test_\w{24}$/) : null,
      // The state of a checkout or an invoice follows from the payment.
      promotions: type.startsWith('checkout.') ? ['promo_1'] : [],
      apiVersion: null,
      payment: state === 'paid' ? expect.objectContaining({ amount: 2400, currency: 'usd', gross: 2400 }) : null,
      customer: {
        uid: '4711',
        providerId: 'cus_1',
        // A subscription contains no email.
        email: hasEmail ? 'jane@example.com' : null,
        grId: { slug: 'jane', clickId: CLICK },
      },
    });
  });

  test('simulated events of one payment belong together', () => {
    const payment = { payment: '1001', amount: 2400, refunded: 600 };
    const parsed = (type: StripeEventType, fields: Partial<SimulatedPayment> = payment) => {
      const result = parseStripeEvent(eventOf(type, fields), { mode: 'test', onRefund: 'ignore' });
      return typeof result === 'string' ? undefined : result;
    };
    const source = 'pi_1001';
    expect(parsed('invoice.paid')?.customer).toMatchObject({ payment: { id: 'in_1001' } });
    expect(parsed('invoice_payment.paid')?.report).toMatchObject({ source, invoice: 'in_1001', fact: null });
    const charge = { kind: 'charge', id: 'ch_1001', charged: 2400, returned: 600 };
    expect(parsed('charge.refunded')?.report).toMatchObject({ source, fact: charge });
    const dispute = { kind: 'dispute', id: 'du_1001', charged: 0, returned: 2400 };
    expect(parsed('charge.dispute.funds_withdrawn')?.report).toMatchObject({ source, fact: dispute });
    expect(parsed('charge.dispute.funds_reinstated')?.report).toMatchObject({ fact: { ...dispute, returned: 0 } });
    expect(parsed('invoice_payment.paid', {})?.report?.source).not.toBe(parsed('charge.refunded', {})?.report?.source);
  });
});

test("a sent event has Stripe's signature, which its own library accepts", async () => {
  await using server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { type } = Stripe.webhooks.constructEvent(body, String(request.headers['stripe-signature']), 'whsec_one');
    response.writeHead(202).end(type);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const now = secondOf(systemClock());
  const event = simulatedEvent({ ...PAYMENT, type: 'invoice.paid' }, now, randomBytes);
  const sent = await sendStripeEvent(
    `http://127.0.0.1:${portOf(server)}/`,
    { payload: event, secret: 'whsec_one', timestamp: now },
    60_000,
  );
  expect(sent).toMatchObject({ status: 202, text: 'invoice.paid' });
});
