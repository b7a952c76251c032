import { describe, expect, test } from '@jest/globals';
import type { Stripe } from 'stripe';
import { parseStripeEvent, promotionsOf } from '../../../functions/stripe/rules/parse-event.ts';
import { NOW } from '../../support/samples.ts';

/** A promotion code of an advocate, with some fields that the service does not read. */
const PROMOTION = {
  ...{ id: 'promo_1', object: 'promotion_code', active: false, code: 'Jane20', created: NOW, customer: null },
  ...{ livemode: true, max_redemptions: 1, times_redeemed: 1, metadata: { affiliate_slug: ' Jane-Doe ', team: 'x' } },
} as const satisfies Partial<Stripe.PromotionCode>;

const parse = (object: object, type = 'promotion_code.created') =>
  parseStripeEvent(
    { id: 'evt_1', object: 'event', type, created: NOW, livemode: true, data: { object } },
    { mode: 'live', onRefund: 'ignore' },
  );

describe('a promotion code', () => {
  test.each(['created', 'updated'])('promotion_code.%s has an id, a code in upper case and a slug', (kind) => {
    const promotion = { id: 'promo_1', code: 'JANE20', slug: 'jane-doe' };
    expect(parse(PROMOTION, `promotion_code.${kind}`)).toEqual({ customer: 'nothing_to_do', report: null, promotion });
  });

  test.each([
    { metadata: null },
    { metadata: {} },
    { metadata: { affiliate_slug: '' } },
    { metadata: { affiliate_slug: 17 } },
    { code: null },
    { code: 'x'.repeat(65) },
    { code: 'JANE 20' },
    { id: '' },
  ])('a promotion code with %j belongs to nobody', (changes) => {
    expect(parse({ ...PROMOTION, ...changes })).toMatchObject({ promotion: null });
  });

  test('no other event gives a code', () => {
    expect(parse({ ...PROMOTION, amount_paid: 1 }, 'invoice.paid')).toMatchObject({ promotion: null });
    expect(parse(PROMOTION, 'promotion_code.deleted')).toBe('nothing_to_do');
  });
});

type Discounts = Stripe.Checkout.Session['discounts'];

test.each<[string, Discounts | 'promo_1' | undefined, string[]]>([
  ['none', undefined, []],
  ['null', null, []],
  ['a text', 'promo_1', []],
  ['an id', [{ coupon: null, promotion_code: 'promo_1' }], ['promo_1']],
  ['an expanded code', [{ coupon: null, promotion_code: PROMOTION as unknown as Stripe.PromotionCode }], ['promo_1']],
  ['only a coupon', [{ coupon: 'coupon_1', promotion_code: null }], []],
  [
    'several, in their order and each once',
    ['promo_2', 'promo_1', 'promo_2'].map((promotion_code) => ({ coupon: null, promotion_code })),
    ['promo_2', 'promo_1'],
  ],
  [
    'more than 20',
    Array.from({ length: 21 }, (_, index) => ({ coupon: null, promotion_code: `promo_${index}` })),
    Array.from({ length: 20 }, (_, index) => `promo_${index}`),
  ],
])('the discounts of a checkout contain its promotion codes: %s', (_, discounts, ids) => {
  expect(promotionsOf({ discounts })).toEqual(ids);
});
