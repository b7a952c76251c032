import { createHmac } from 'node:crypto';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import type { Chance } from '../world.ts';
import { type CallerContext, click, isExpected, untilFinal } from './caller.ts';
import { sharedEmail, sharedUid } from './competitor.ts';
import { CURRENCIES } from './payments.ts';

/** Stripe's events as `functions/stripe` reads them. */
const EVENTS = [
  ...['checkout.session.completed', 'invoice.paid', 'customer.subscription.deleted', 'charge.refunded'],
  ...['invoice_payment.paid', 'charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated'],
];
/** Payments of the customers whom everybody reports: few, so that their events race. */
const SHARED_PAYMENTS = 12;
const AMOUNT = 2400;

/** Stripe's promotion codes: few, so that several codes and advocates claim them. */
export const PROMOTIONS = ['promo_1', 'promo_2', 'promo_3', 'promo_4'] as const;
const API_VERSIONS = ['2024-06-20', '2025-03-31.basil'] as const;

/** Stripe, which sends each event until it gets 200, sometimes again, and not in the order of the events. */
export async function stripe(context: CallerContext): Promise<void> {
  const { world, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    const shop = chance.pick(context.shops);
    const customer = chance.below(100);
    const event = stripeEvent(chance.pick(EVENTS), `evt_${chance.bytes(8).toString('hex')}`, {
      created: Math.floor(world.now() / 1000) - chance.below(20),
      email: sharedEmail(customer),
      uid: chance.happens(0.2) ? sharedUid(customer) : undefined,
      // A guest has a new id at Stripe for each purchase.
      customer: chance.happens(0.7) ? `cus_${chance.happens(0.8) ? customer : chance.below(1e6)}` : null,
      grId: chance.happens(0.3) ? await click(context, shop) : null,
      ...sharedPayment(chance),
    });
    for (let time = chance.happens(0.1) ? 2 : 1; time > 0; time -= 1) await sendEvent(context, shop, event);
    await world.pause(chance.below(300));
  }
}

/** A payment that others report, perhaps with promotion codes. At times, its payment intent also pays another invoice, or has another currency. */
function sharedPayment(chance: Chance) {
  const payment = chance.below(SHARED_PAYMENTS);
  const isOther = chance.happens(0.05);
  return {
    payment: `shared_${payment}`,
    invoice: `in_shared_${isOther ? chance.below(SHARED_PAYMENTS) : payment}`,
    currency: CURRENCIES[(payment + (isOther ? 1 : 0)) % CURRENCIES.length] ?? 'usd',
    promotions: chance.happens(0.3) ? [chance.pick(PROMOTIONS), chance.pick(PROMOTIONS)] : [],
    refunded: chance.pick([AMOUNT, 1 + chance.below(AMOUNT)]),
  };
}

/** Sends an event until the service has it. */
export async function sendEvent(context: CallerContext, shop: Shop, event: string): Promise<void> {
  const build = () => signed(shop, event, Math.floor(context.world.now() / 1000));
  const request = build();
  const answer = await untilFinal(context, request, build);
  if (!isExpected(context, request, answer, [200])) return;
  const { entry } = JSON.parse(answer.body);
  if (entry !== undefined) context.knowledge.reported.add(`${shop.program.id} ${entry}`);
}

interface StripeFields {
  readonly created: number;
  readonly email: string;
  readonly uid: string | undefined;
  readonly customer: string | null;
  readonly grId: string | null;
  /** Stripe's ids of the promotion codes of a checkout. */
  readonly promotions: readonly string[];
  readonly payment: string;
  readonly invoice: string;
  readonly currency: string;
  readonly refunded: number;
}

function stripeEvent(type: string, id: string, fields: StripeFields): string {
  const { created, email, uid, customer, grId, promotions, payment, invoice, currency, refunded } = fields;
  const common = { customer, currency, payment_intent: `pi_${payment}`, metadata: { uid } };
  const dispute = { id: `du_${payment}`, charge: `ch_${payment}`, amount: refunded, customer: null, metadata: {} };
  const object = {
    'checkout.session.completed': {
      id: `cs_${id}`,
      client_reference_id: grId?.replace('.', '_') ?? null,
      customer_details: { email },
      mode: 'subscription',
      payment_status: 'paid',
      status: 'complete',
      amount_total: AMOUNT,
      invoice: refunded % 2 === 0 ? invoice : null,
      discounts: promotions.map((promotion_code) => ({ coupon: null, promotion_code })),
      total_details: { amount_tax: 383, amount_shipping: 0 },
    },
    'invoice.paid': {
      ...{ id: invoice, customer_email: email, amount_paid: AMOUNT, status: 'paid', total: AMOUNT },
      ...{ total_excluding_tax: 2017, amount_shipping: 0 },
      // API versions in which an invoice contains its payment intent.
      ...(refunded % 3 > 0 && { payment_intent: undefined }),
    },
    'invoice_payment.paid': {
      ...{ id: `inpay_${id}`, invoice, payment: { type: 'payment_intent', payment_intent: common.payment_intent } },
      ...{ customer: undefined, metadata: undefined },
    },
    'customer.subscription.deleted': { id: `sub_${id}`, status: 'canceled' },
    'charge.refunded': {
      id: `ch_${payment}`,
      billing_details: { email },
      amount: AMOUNT,
      amount_refunded: refunded,
      refunded: refunded === AMOUNT,
    },
    'charge.dispute.funds_withdrawn': { ...dispute, status: 'under_review' },
    'charge.dispute.funds_reinstated': { ...dispute, status: refunded % 2 === 0 ? 'won' : 'lost' },
  }[type];
  const api_version = API_VERSIONS[refunded % API_VERSIONS.length];
  return JSON.stringify({
    id,
    object: 'event',
    type,
    api_version,
    created,
    data: { object: { ...common, ...object } },
  });
}

function signed(shop: Shop, event: string, now: number): ApiRequest {
  const signature = createHmac('sha256', shop.stripeSecret).update(`${now}.${event}`).digest('hex');
  return {
    operation: 'receiveStripeEvent',
    shop,
    headers: { 'stripe-signature': `t=${now},v1=${signature}` },
    parameters: { program: shop.program.id },
    body: event,
  };
}
