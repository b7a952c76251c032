import { expect, test } from '@jest/globals';
import { parsePayment } from '../../../../functions/tracking/stripe/stripe-money.ts';

const INVOICE = { id: 'in_1', currency: 'usd', amount_paid: 1190, total: 1190, total_excluding_tax: 1000 };
const CHECKOUT = { payment_status: 'paid', payment_intent: 'pi_1', currency: 'usd', amount_total: 1190 };

test.each([
  ['in full', {}, 1000],
  ['with shipping', { amount_shipping: 200 }, 800],
  ['in part', { amount_paid: 595 }, 500],
  ['in part, with half a cent', { amount_paid: 5, total: 10, total_excluding_tax: 9 }, 5],
  ['without a net total', { total_excluding_tax: undefined }, 1190],
  ['with a total of 0', { total: 0 }, 1190],
])('an invoice that is paid %s is a payment without tax and shipping', (_, fields, amount) => {
  const invoice = { ...INVOICE, ...fields };
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
  expect(parsePayment('invoice.paid', { ...INVOICE, ...fields })).toBeNull();
});

test('a checkout is a payment without tax and shipping', () => {
  const total_details = { amount_tax: 190, amount_shipping: 300 };
  expect(parsePayment('checkout.session.completed', { ...CHECKOUT, total_details })).toEqual({
    ...{ id: 'pi_1', amount: 700, currency: 'usd', gross: 1190 },
  });
});
