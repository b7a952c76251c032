import type { Knowledge } from '../knowledge.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { type Answer, type CallerContext, click, isExpected, post, untilFinal } from './caller.ts';
import { sharedWrites } from './payments.ts';

/** Customers that several callers report: few, so that their writes race. */
const SHARED = 3;
/** In milliseconds. */
const MOMENT = 250;
/** The customers whom everybody reports, and their ids at Stripe. */
export const sharedEmail = (number: number): string => `shared-${number % SHARED}~@customer.example`;
export const sharedUid = (number: number): string => `shared-${number % SHARED}~`;

const STATES = ['paid', 'churned', 'rejected', 'converted'] as const;

/** A merchant's server that reports customers that others report as well, in any order, with any state. */
export async function competitor(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver, name, index } = context;
  const { chance } = world;
  for (let number = 1; !isOver(); number += 1) {
    // Most competitors report the same customer in the same second.
    const target = chance.happens(0.8) ? Math.floor(world.now() / 1000) : chance.below(100);
    const shop = context.shops[target % context.shops.length] ?? chance.pick(context.shops);
    const email = sharedEmail(target >> 2);
    const uid = sharedUid(chance.happens(0.8) ? target >> 2 : chance.below(SHARED));
    const { slug } = chance.pick(shop.advocates);
    // A click of another program is unknown here. Others may convert the last click as well.
    const grId = chance.happens(0.3) ? await click(context, chance.pick(context.shops)) : knowledge.lastClick;
    const fresh = `${name}-${index}-${number}-fresh~`;
    const request = chance.pick<ApiRequest>([
      ...sharedWrites(shop, chance.pick([{ email }, { uid }]), target >> 2),
      post(shop, 'trackConversionV2', { affiliate_slug: slug, email, uid, metadata: { mark: shop.mark } }),
      post(shop, 'trackConversionV2', { affiliate_slug: slug, gr_id: grId, email }),
      post(shop, 'trackConversionV2', { affiliate_slug: slug, gr_id: grId, email, uid: fresh }),
      post(shop, 'trackConversionV2', { gr_id: grId, email: `${fresh}@customer.example` }),
      post(shop, 'trackConversionV2', { affiliate_slug: 'nobody', email: `${fresh}@customer.example`, uid: fresh }),
      post(shop, 'trackConversionV1', { gr_id: grId, pk: shop.program.publicKey, uid: `uid of ${slug}`, email }),
      post(shop, 'setState', { email, state: chance.pick(STATES) }),
      post(shop, 'setState', { email, state: chance.pick(STATES) }),
      post(shop, 'setState', { uid, state: chance.pick(STATES) }),
      post(shop, 'reassignReferral', { uid, affiliate_slug: slug }),
      post(shop, 'eraseCustomer', { email }),
    ]);
    const answer = await untilFinal(context, request);
    isExpected(context, request, answer, [200, 201, 204, 400, 404, 409]);
    note(knowledge, shop, answer);
    // A second attempt may be refused because of the first one.
    const isRefused = answer.status >= 400 && answer.isFirst && request.body?.includes(fresh);
    if (isRefused) knowledge.refuse(shop, fresh);
    // Often several start at the same moment, so that their writes conflict.
    await world.pause(chance.happens(0.7) ? MOMENT - (world.now() % MOMENT) : chance.below(50));
  }
}

/** Notes the entry or the new referral in a response. */
function note(knowledge: Knowledge, shop: Shop, { status, body }: Answer): void {
  if (status >= 300 || body === '') return;
  const { data } = JSON.parse(body);
  if (data.type === 'entry') knowledge.noteEntry(shop, data);
  else if (status === 201) knowledge.acknowledged.add(data.id);
}
