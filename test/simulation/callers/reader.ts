import { ENTRY_KINDS } from '../../../functions/domain/ledger/entry-fields.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { type CallerContext, isExpected, untilFinal } from './caller.ts';

/** The month of a moment, or of a minute before: the clocks of functions differ. */
const monthBefore = (now: number): string => new Date(now - 60_000).toISOString().slice(0, 7);

/** What a list contains is stored, and never changes. */
function noteAll({ knowledge }: CallerContext, shop: Shop, body: string): void {
  for (const entry of JSON.parse(body).data) knowledge.noteEntry(shop, entry);
}

/** Advocates and merchants who read lists, counts and statements while others write, and pages that load the script. */
export async function reader(context: CallerContext): Promise<void> {
  const { world, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    const shop = chance.pick(context.shops);
    const number = chance.below(shop.advocates.length);
    const slug = shop.advocates[number]?.slug ?? '';
    const own = { shop, token: shop.affiliateTokens[number] };
    const merchant = { shop, token: shop.programToken };
    const month = monthBefore(world.now());
    const page = `per_page=10&page=${1 + chance.below(3)}`;
    const request = chance.pick<ApiRequest>([
      { ...own, operation: 'listReferrals', query: page },
      { ...own, operation: 'listReferrals', query: `${page}&state_eq=paid` },
      { ...own, operation: 'countOwnReferrals', query: 'group_by=sub_id' },
      { ...merchant, operation: 'countReferrals', query: `affiliate_slug=${slug}&group_by=day&clicks=false` },
      { ...merchant, operation: 'listReferralsV2', query: `${page}&affiliate_slug=${slug}&sub_id_eq=spring` },
      { ...merchant, operation: 'listAdvocates', query: page },
      { ...merchant, operation: 'listAdvocatesV2', query: page },
      { ...own, operation: 'listOwnEntries', query: 'per_page=10' },
      { ...own, operation: 'getOwnStatements', query: `from=${month}&to=${month}` },
      { ...merchant, operation: 'listEntries', query: `affiliate_slug=${slug}&kind_eq=${chance.pick(ENTRY_KINDS)}` },
      { ...merchant, operation: 'getStatements', query: `affiliate_slug=${slug}&month=${month}` },
      { ...merchant, operation: 'getStatements', query: `month=${month}` },
      { shop, operation: 'getScript' },
    ]);
    const answer = await untilFinal(context, request);
    isExpected(context, request, answer, [200]);
    if (request.operation === 'listEntries') noteAll(context, shop, answer.body);
    await world.pause(chance.below(2000));
  }
}
