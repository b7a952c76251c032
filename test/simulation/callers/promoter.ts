import type { Shop } from '../shops.ts';
import { type Answer, at, type CallerContext, click, isExpected, post, untilFinal } from './caller.ts';
import { run } from './operator.ts';
import { PROMOTIONS, sendEvent } from './stripe.ts';

/** Codes that several callers give to several advocates. */
const CODES = ['SPRING', 'summer', 'Jane-20', '2x_'] as const;

type Task = (context: CallerContext, shop: Shop, name: string) => Promise<void>;

/** A merchant who gives advocates codes, over the API and at Stripe, and whose customers type them. */
export async function promoter(context: CallerContext): Promise<void> {
  const { world, shops, isOver, name, index } = context;
  for (let number = 1; !isOver(); number += 1) {
    const task = world.chance.pick([share, share, shareAtStripe, shareAtStripe, own, own, read]);
    await task(context, world.chance.pick(shops), `${name}-${index}-${number}`);
    await world.pause(world.chance.below(1500));
  }
}

/** Sends a code. Notes its owner, which never changes. */
async function put(
  context: CallerContext,
  shop: Shop,
  code: string,
  body: object,
  expected: readonly number[],
): Promise<Answer | undefined> {
  const { knowledge } = context;
  const request = at(shop, 'putCode', { code }, body);
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, expected)) return undefined;
  if (answer.status !== 200) return answer;
  const { id, attributes } = JSON.parse(answer.body).data;
  const name = `${shop.program.id} ${id}`;
  const owner = knowledge.codes.get(name) ?? attributes.affiliate_slug;
  if (owner !== attributes.affiliate_slug)
    knowledge.report('codes', `${name} of ${owner} became one of ${answer.body}`);
  knowledge.codes.set(name, owner);
  return answer;
}

/** Gives a code that others give as well, or changes it, twice at the same moment. */
const share: Task = async (context, shop) => {
  const { chance } = context.world;
  const code = chance.pick(CODES);
  const body = () => ({
    affiliate_slug: chance.pick(shop.advocates).slug,
    ...chance.pick([{}, {}, { active: true }, { active: false }]),
    ...chance.pick([{}, { promotion_code_id: chance.pick(PROMOTIONS) }]),
  });
  await Promise.all([body(), body()].map((each) => put(context, shop, code, each, [200, 409])));
};

/** Gives a code at Stripe that others give as well, or one of an unknown advocate. Stripe sends both events together. */
const shareAtStripe: Task = async (context, shop, name) => {
  const { chance } = context.world;
  const slugs = [...shop.advocates.map(({ slug }) => slug), 'nobody'];
  const event = () => promotionEvent(context, name, [chance.pick(PROMOTIONS), chance.pick(CODES), chance.pick(slugs)]);
  await Promise.all([sendEvent(context, shop, event()), sendEvent(context, shop, event())]);
};

function promotionEvent({ world }: CallerContext, name: string, [id, code, affiliate_slug]: readonly string[]): string {
  const type = world.chance.pick(['promotion_code.created', 'promotion_code.updated']);
  const object = { id, code, active: world.chance.happens(0.5), metadata: { affiliate_slug } };
  const event = {
    id: `evt_${name}_${world.chance.bytes(4).toString('hex')}`,
    type,
    created: Math.floor(world.now() / 1000),
  };
  return JSON.stringify({ ...event, object: 'event', data: { object } });
}

/** Gives a code that nobody else knows. Whatever was acknowledged decides who is credited, from then on. */
const own: Task = async (context, shop, name) => {
  const { chance } = context.world;
  const code = `own-${name}`;
  const { slug } = chance.pick(shop.advocates);
  const other = shop.advocates.find((advocate) => advocate.slug !== slug)?.slug ?? '';
  const promotion = `promo_${name}`;
  if (chance.happens(0.5)) await sendEvent(context, shop, promotionEvent(context, name, [promotion, code, slug]));
  else await put(context, shop, code, { affiliate_slug: slug, promotion_code_id: promotion }, [200]);
  await put(context, shop, code, { affiliate_slug: other }, [409]);
  await put(context, shop, `x-${code}`, { affiliate_slug: slug, promotion_code_id: promotion }, [409]);
  const isFirst = shop.program.codePriority === 'code';
  const grId = await click(context, shop, { slug: other });
  await expectCredit(context, shop, { code: code.toLowerCase(), uid: `${name}-code~` }, [slug, 'code']);
  await expectCredit(
    context,
    shop,
    { code, gr_id: grId, uid: `${name}-both~` },
    isFirst ? [slug, 'code'] : [other, 'link'],
  );
  await expectCredit(context, shop, { code, affiliate_slug: other, uid: `${name}-slug~` }, [other, 'slug']);
  await buy(context, shop, `${name}-buys~`, promotion);
  await expectShown(context, shop, `${name}-buys~`, [slug, 'code']);
  await put(context, shop, code, { affiliate_slug: slug, active: false }, [200]);
  await expectCredit(context, shop, { code, uid: `${name}-late~` }, undefined);
  await expectCredit(context, shop, { code, gr_id: grId, uid: `${name}-link~` }, [other, 'link']);
  await buy(context, shop, `${name}-late~`, promotion);
  await expectShown(context, shop, `${name}-late~`, undefined);
};

type Credit = readonly [slug: string, by: string];

/** Reports a customer. Without a credit, nothing is stored. */
async function expectCredit(
  context: CallerContext,
  shop: Shop,
  body: Readonly<Record<'uid', string> & Record<string, string>>,
  credit: Credit | undefined,
) {
  const request = post(shop, 'trackConversionV2', body, { 'idempotency-key': body.uid });
  isExpected(context, request, await untilFinal(context, request), [credit ? 201 : 400]);
  await expectShown(context, shop, body.uid, credit);
}

/** A checkout with a promotion code of Stripe. */
async function buy(context: CallerContext, shop: Shop, uid: string, promotion_code: string): Promise<void> {
  const object = {
    ...{ id: `cs_${uid}`, mode: 'payment', payment_status: 'paid', amount_total: 500, currency: 'usd' },
    ...{
      payment_intent: `pi_${uid}`,
      metadata: { uid },
      discounts: [{ promotion_code: 'promo_unknown' }, { promotion_code }],
    },
  };
  const event = {
    id: `evt_${uid}`,
    type: 'checkout.session.completed',
    created: Math.floor(context.world.now() / 1000),
  };
  await sendEvent(context, shop, JSON.stringify({ ...event, object: 'event', data: { object } }));
}

async function expectShown(context: CallerContext, shop: Shop, uid: string, credit: Credit | undefined): Promise<void> {
  const request = post(shop, 'lookUpReferral', { uid });
  const { status, body } = await untilFinal(context, request);
  const { affiliate_slug, credited_by } = status === 200 ? JSON.parse(body).data.attributes : {};
  const [slug, by] = credit ?? [];
  if (affiliate_slug === slug && credited_by === by) return;
  context.knowledge.report(
    'codes',
    `${uid} is credited to ${affiliate_slug} by ${credited_by} instead of ${slug} by ${by}`,
  );
}

const read: Task = async (context, shop) => {
  const { world, knowledge } = context;
  const known = [...knowledge.codes].filter(([name]) => name.startsWith(shop.program.id));
  const { slug } = world.chance.pick(shop.advocates);
  const request = world.chance.pick([
    { ...at(shop, 'listCodes', {}), query: 'per_page=50' },
    { ...at(shop, 'listCodes', {}), query: `per_page=50&affiliate_slug=${slug}` },
    { ...at(shop, 'listOwnCodes', {}), token: shop.affiliateTokens[0], query: 'per_page=50' },
  ]);
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [200])) return;
  for (const { id, attributes } of JSON.parse(answer.body).data) {
    const owner = knowledge.codes.get(`${shop.program.id} ${id}`) ?? attributes.affiliate_slug;
    if (owner !== attributes.affiliate_slug)
      knowledge.report('codes', `${id} of ${owner} is listed for ${attributes.affiliate_slug}`);
  }
  if (known.length > 0 && world.chance.happens(0.2)) await run(context, shop, ['code', 'list']);
};
