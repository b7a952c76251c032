import { secondOf } from '../../../functions/kernel/time.ts';
import type { KeyedConversion, OwnAdvocate } from '../knowledge.ts';
import {
  at,
  CACHED,
  type CallerContext,
  isExpected,
  keyedConversion,
  post,
  repeat,
  reportConflict,
  shopOf,
  untilFinal,
} from './caller.ts';

/** A merchant's server that creates and changes advocates of its own, and shows them their referrals. */
export async function manager(context: CallerContext): Promise<void> {
  const { world, isOver, name } = context;
  for (let number = 1; !isOver(); number += 1) {
    const advocate = await create(context, `${name}-${number}`);
    if (!advocate) continue;
    const conversion = await convert(context, advocate);
    for (let changes = world.chance.below(4); changes > 0; changes -= 1) {
      await update(context, advocate, changes);
      // The advocate may be inactive now.
      if (world.chance.happens(0.3)) await repeat(context, conversion);
    }
    await showReferrals(context, advocate);
    if (world.chance.happens(0.2)) await erase(context, advocate);
    await world.pause(world.chance.below(1000));
  }
}

async function create(context: CallerContext, name: string): Promise<OwnAdvocate | undefined> {
  const { world, knowledge } = context;
  const shop = shopOf(context);
  const named = { slug: name, uid: name, company: shop.mark };
  const fields = world.chance.pick([named, { ...named, slug: undefined, first_name: 'Jo', last_name: 'Doe' }]);
  const request = post(shop, 'createAdvocate', { email: `${name}@partner.example`, ...fields });
  const answer = await untilFinal(context, request);
  reportConflict(context, 'createAdvocate', answer);
  // A second attempt conflicts with the first. Then the advocate has its slug, if it chose one.
  if (!isExpected(context, request, answer, [201, 409])) return undefined;
  if (answer.status === 409 && fields.slug === undefined) return undefined;
  const slug = answer.status === 201 ? JSON.parse(answer.body).data.attributes.slug : name;
  const advocate = {
    shop,
    slug,
    fields: { email: `${name}@partner.example`, uid: name, company: shop.mark },
    busy: false,
  };
  knowledge.ownAdvocates.push(advocate);
  return advocate;
}

/** Reports a customer of the advocate. */
async function convert(context: CallerContext, { shop, slug }: OwnAdvocate): Promise<KeyedConversion | undefined> {
  const fields = { affiliate_slug: slug, uid: `of ${slug}~` };
  const request = post(shop, 'trackConversionV2', fields, { 'idempotency-key': `of ${slug}` });
  const created = await untilFinal(context, request);
  isExpected(context, request, created, [201]);
  return keyedConversion(context, request, created);
}

async function update(context: CallerContext, advocate: OwnAdvocate, number: number): Promise<void> {
  const { shop, slug } = advocate;
  const uid = context.world.chance.happens(0.7) ? `${slug}/${number}` : null;
  advocate.busy = true;
  const body = { uid, commission_percentage: number, active: number !== 2 };
  const request = at(shop, 'updateAdvocate', { slug }, body);
  const answer = await untilFinal(context, request);
  // A repeated change has no effect, so even later attempts succeed.
  if (answer.status === 409) context.knowledge.report('own-conflict', 'A change of an own advocate returned 409');
  else if (isExpected(context, request, answer, [200])) {
    advocate.fields = { ...advocate.fields, uid, commissionPercentage: number, active: number !== 2 };
  }
  advocate.busy = false;
}

async function erase(context: CallerContext, advocate: OwnAdvocate): Promise<void> {
  const { shop, slug } = advocate;
  advocate.busy = true;
  const request = at(shop, 'eraseAdvocate', { slug }, {});
  if (isExpected(context, request, await untilFinal(context, request), [204])) {
    advocate.fields = { ...advocate.fields, uid: null, erasedAt: secondOf(context.world.now()) };
    const change = at(shop, 'updateAdvocate', { slug }, { active: true });
    isExpected(context, change, await untilFinal(context, change), [409]);
  }
  advocate.busy = false;
}

/** Creates a token for an advocate, with which it reads its referrals until the token expires or all its tokens are revoked. */
async function showReferrals(context: CallerContext, { shop, slug }: OwnAdvocate): Promise<void> {
  const { world, knowledge } = context;
  const isRevoked = world.chance.happens(0.1);
  const request = at(shop, 'createAdvocateToken', { slug }, { expires_in: isRevoked ? 3600 : 60 });
  const created = await untilFinal(context, request);
  if (!isExpected(context, request, created, [201])) return;
  const { token, expires_at } = JSON.parse(created.body).data.attributes;
  const read = { operation: 'listReferrals', shop, token } as const;
  // The clocks of two functions differ.
  const isStillValid = world.now() < expires_at * 1000 - 16_000 - 2 * world.skew;
  const answer = await untilFinal(context, read);
  isExpected(context, read, answer, isStillValid && answer.isFirst ? [200] : [200, 401]);
  if (isRevoked) {
    const revocation = at(shop, 'revokeAdvocateTokens', { slug });
    isExpected(context, revocation, await untilFinal(context, revocation), [204]);
    await world.pause(CACHED + 2 * world.skew);
  } else if (world.chance.happens(0.1)) await world.pause(61_000 + 2 * world.skew);
  else return;
  const { status } = await untilFinal(context, read);
  if (status !== 401) knowledge.report('delay', `An expired or revoked token returned ${status}`);
}
