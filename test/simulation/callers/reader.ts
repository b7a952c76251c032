import type { ApiRequest } from '../service.ts';
import { type CallerContext, isExpected, untilFinal } from './caller.ts';

/** Advocates and merchants who read lists and counts while others write, and pages that load the script. */
export async function reader(context: CallerContext): Promise<void> {
  const { world, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    const shop = chance.pick(context.shops);
    const number = chance.below(shop.advocates.length);
    const slug = shop.advocates[number]?.slug ?? '';
    const own = { shop, token: shop.affiliateTokens[number] };
    const merchant = { shop, token: shop.programToken };
    const page = `per_page=10&page=${1 + chance.below(3)}`;
    const request = chance.pick<ApiRequest>([
      { ...own, operation: 'listReferrals', query: page },
      { ...own, operation: 'listReferrals', query: `${page}&state_eq=paid` },
      { ...own, operation: 'countOwnReferrals', query: 'group_by=sub_id' },
      { ...merchant, operation: 'countReferrals', query: `affiliate_slug=${slug}&group_by=day&clicks=false` },
      { ...merchant, operation: 'listReferralsV2', query: `${page}&affiliate_slug=${slug}&sub_id_eq=spring` },
      { ...merchant, operation: 'listAdvocates', query: page },
      { ...merchant, operation: 'listAdvocatesV2', query: page },
      { shop, operation: 'getScript' },
    ]);
    isExpected(context, request, await untilFinal(context, request), [200]);
    await world.pause(chance.below(2000));
  }
}
