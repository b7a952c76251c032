import { createHmac } from 'node:crypto';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { type CallerContext, click, isExpected, untilFinal } from './caller.ts';
import { sharedEmail, sharedUid } from './competitor.ts';

/** Stripe's events as `functions/tracking/stripe` reads them. */
const EVENTS = ['checkout.session.completed', 'invoice.paid', 'customer.subscription.deleted', 'charge.refunded'];

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
    });
    for (let time = chance.happens(0.1) ? 2 : 1; time > 0; time -= 1) {
      const build = () => signed(shop, event, Math.floor(world.now() / 1000));
      const request = build();
      isExpected(context, request, await untilFinal(context, request, build), [200]);
    }
    await world.pause(chance.below(300));
  }
}

interface StripeFields {
  readonly created: number;
  readonly email: string;
  readonly uid: string | undefined;
  readonly customer: string | null;
  readonly grId: string | null;
}

function stripeEvent(type: string, id: string, { created, email, uid, customer, grId }: StripeFields): string {
  const common = { customer, metadata: { uid } };
  const object = {
    'checkout.session.completed': {
      id: `cs_${id}`,
      client_reference_id: grId?.replace('.', '_') ?? null,
      customer_details: { email },
      mode: 'subscription',
      payment_status: 'paid',
      status: 'complete',
      amount_total: 2400,
    },
    'invoice.paid': { id: `in_${id}`, customer_email: email, amount_paid: 2400, status: 'paid' },
    'customer.subscription.deleted': { id: `sub_${id}`, status: 'canceled' },
    'charge.refunded': {
      id: `ch_${id}`,
      billing_details: { email },
      amount: 2400,
      amount_refunded: 2400,
      refunded: true,
    },
  }[type];
  return JSON.stringify({ id, object: 'event', type, created, data: { object: { ...common, ...object } } });
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
