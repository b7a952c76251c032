import type { ApiRequest } from '../service.ts';
import { type CallerContext, click, isExpected, post, untilFinal } from './caller.ts';

/** Customers that several callers report: few, so that their writes race. */
const SHARED = 12;
/** The customers whom everybody reports, and their ids at Stripe. */
export const sharedEmail = (number: number): string => `shared-${number % SHARED}~@customer.example`;
export const sharedUid = (number: number): string => `shared-${number % SHARED}~`;

const STATES = ['paid', 'churned', 'rejected', 'converted'] as const;

/** A merchant's server that reports customers that others report as well, in any order, with any state. */
export async function competitor(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver, name, index } = context;
  const { chance } = world;
  for (let number = 1; !isOver(); number += 1) {
    const shop = chance.pick(context.shops);
    const email = sharedEmail(chance.below(SHARED));
    const uid = sharedUid(chance.below(SHARED));
    const { slug } = chance.pick(shop.advocates);
    // A click of another program is unknown here.
    const grId = chance.happens(0.5) ? await click(context, chance.pick(context.shops)) : undefined;
    const fresh = `${name}-${index}-${number}-fresh~`;
    const request = chance.pick<ApiRequest>([
      post(shop, 'trackConversionV2', { affiliate_slug: slug, email, uid, metadata: { mark: shop.mark } }),
      post(shop, 'trackConversionV2', { affiliate_slug: slug, gr_id: grId, email }),
      post(shop, 'trackConversionV2', { affiliate_slug: slug, gr_id: grId, email, uid: fresh }),
      post(shop, 'trackConversionV2', { affiliate_slug: 'nobody', email: `${fresh}@customer.example`, uid: fresh }),
      post(shop, 'trackConversionV1', { gr_id: grId, pk: shop.program.publicKey, uid: `uid of ${slug}`, email }),
      post(shop, 'setState', { email, state: chance.pick(STATES) }),
      post(shop, 'setState', { uid, state: chance.pick(STATES) }),
      post(shop, 'reassignReferral', { uid, affiliate_slug: slug }),
      post(shop, 'eraseCustomer', { email }),
    ]);
    const answer = await untilFinal(context, request);
    isExpected(context, request, answer, [200, 201, 204, 400, 404, 409]);
    if (answer.status === 201) knowledge.acknowledged.add(JSON.parse(answer.body).data.id);
    // A second attempt may be refused because of the first one.
    const isRefused = answer.status >= 400 && answer.isFirst && request.body?.includes(fresh);
    if (isRefused) knowledge.refuse(shop, fresh);
    await world.pause(chance.below(50));
  }
}
