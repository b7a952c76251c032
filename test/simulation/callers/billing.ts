import { type GeneratedDelivery, generatedPayments } from '../../support/stripe/generated-payments.ts';
import { LedgerOracle } from '../../support/stripe/ledger-oracle.ts';
import { RATES, type Shop } from '../shops.ts';
import { type CallerContext, isExpected, post, shopOf, untilFinal } from './caller.ts';
import { sendEvent } from './stripe.ts';

/** The payments of a customer happened in the year before the world, in seconds. */
const YEAR = 400 * 86_400;
const MOST_PAYMENTS = 4;
/** Events that arrive at the same time, at most. */
const TOGETHER = 6;

/** Stripe, which reports payments, refunds and disputes of a customer shuffled and twice, several at the same time. */
export async function billing(context: CallerContext): Promise<void> {
  const { world, isOver, name, knowledge } = context;
  const { chance } = world;
  const shop = shopOf(context);
  for (let number = 1; !isOver(); number += 1) {
    const uid = `${name}-${number}-billed`;
    const { slug } = chance.pick(shop.advocates);
    if (!(await convert(context, shop, { uid, slug }))) continue;
    const start = Math.floor(world.now() / 1000) - YEAR;
    const deliveries = generatedPayments(uid, 1 + chance.below(MOST_PAYMENTS), start, () => chance.next());
    const oracle = new LedgerOracle(RATES[slug] ?? 0);
    const billed = { shop, slug, oracle, voided: new Set<string>(), busy: true };
    knowledge.billed.push(billed);
    await deliver(context, shop, deliveries);
    // The outcome does not depend on the order in which the service got them.
    for (const { meaning, at } of deliveries) oracle.deliver(meaning, at);
    billed.busy = false;
    await world.pause(chance.below(2000));
  }
}

/** Reports a customer whom no other caller knows. */
async function convert(
  context: CallerContext,
  shop: Shop,
  { uid, slug }: { readonly uid: string; readonly slug: string },
): Promise<boolean> {
  const key = { 'idempotency-key': uid };
  const request = post(shop, 'trackConversionV2', { affiliate_slug: slug, uid }, key);
  return isExpected(context, request, await untilFinal(context, request), [201]);
}

async function deliver(context: CallerContext, shop: Shop, deliveries: readonly GeneratedDelivery[]): Promise<void> {
  for (let next = 0; next < deliveries.length; ) {
    const together = deliveries.slice(next, next + 1 + context.world.chance.below(TOGETHER));
    next += together.length;
    await Promise.all(together.map(({ event }) => sendEvent(context, shop, JSON.stringify(event))));
  }
}
