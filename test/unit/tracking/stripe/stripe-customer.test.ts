import { describe, expect, test } from '@jest/globals';
import { CLICK_ID } from '../../samples.ts';
import { ACCOUNT, BILL, CUSTOMER, DELETED_CUSTOMER, LINES, parse, SESSION, SUBSCRIPTION } from './stripe-objects.ts';

const COMPLETED = 'checkout.session.completed';
const INVOICE = 'invoice.paid';
const DELETED = 'customer.subscription.deleted';
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
    ['an invoice without metadata', { metadata: null, parent: null }, { uid: null, grId: null }],
    ['a quote', { parent: { ...LINES, subscription_details: null } }, { uid: null, grId: null }],
    ['an expanded customer', { customer: CUSTOMER }, { providerId: 'cus_2', uid: '1001', email: 'ben@shop.example' }],
    ['a deleted customer', { customer: DELETED_CUSTOMER }, { providerId: 'cus_1' }],
    ['no customer', { customer: null }, { providerId: null }],
    ['an account as the customer', ACCOUNT, { providerId: 'acct_1' }],
    ['a customer that is also an account', { ...ACCOUNT, customer: 'cus_1' }, { providerId: 'cus_1' }],
    ['an empty customer', { customer: '' }, { providerId: null }],
    ['an overlong customer', { customer: 'c'.repeat(256) }, { providerId: null }],
  ])('an invoice has its customer: %s', (_, change, expected) => {
    expect(customerOf(INVOICE, { ...BILL, ...change })).toMatchObject(expected);
  });

  test.each<[string, object]>([
    [COMPLETED, { ...SESSION, ...ACCOUNT }],
    [DELETED, { ...SUBSCRIPTION, ...ACCOUNT }],
  ])('the customer of %s can be an account', (type, object) => {
    expect(customerOf(type, object)).toMatchObject({ providerId: 'acct_1' });
  });

  test.each<[object, string | null]>([
    [{ customer_details: { email: 'a@b.example' }, customer_email: 'c@d.example' }, 'a@b.example'],
    [{ customer_details: null, customer_email: 'c@d.example', receipt_email: 'g@h.example' }, 'c@d.example'],
    [{ billing_details: { email: 'e@f.example' }, receipt_email: 'g@h.example' }, 'e@f.example'],
    [{ billing_details: { email: null }, receipt_email: 'g@h.example' }, 'g@h.example'],
    [{ customer_details: { email: 'no email' }, customer_email: ' C@D.Example ' }, 'c@d.example'],
    [{ customer_details: { email: 'ben@bücher.example' } }, 'ben@xn--bcher-kva.example'],
    [{ customer_email: ['c@d.example'] }, null],
    [{ email: 'a@b.example' }, null],
  ])('the customer has the first valid email of %j', (fields, email) => {
    expect(customerOf(DELETED, { customer: 'cus_1', ...fields })).toMatchObject({ email });
  });

  test.each<[object, string | null]>([
    [{ client_reference_id: `jane_${CLICK_ID}` }, 'jane'],
    [{ client_reference_id: `jane.${CLICK_ID}` }, 'jane'],
    [{ client_reference_id: `mary_ann_${CLICK_ID}` }, 'mary_ann'],
    [{ client_reference_id: 'order-17', metadata: { gr_id: `john.${CLICK_ID}` } }, 'john'],
    [{ client_reference_id: `jane_${CLICK_ID}`, metadata: { gr_id: `john.${CLICK_ID}` } }, 'jane'],
    [{ client_reference_id: null, metadata: { gr_id: `john_${CLICK_ID}` } }, 'john'],
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
    [DELETED, []],
    [DELETED, { customer: 17, metadata: 'uid' }],
    [DELETED, { metadata: { uid: 1001 } }],
  ])('the customer of %s with %j does not exist', (type, object) => {
    expect(parse(type, object)).toBe('no_identity');
  });
});
