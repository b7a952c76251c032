import type { State } from '../../../functions/referrals/rules/state.ts';
import type { KeyedConversion, OwnCustomer } from '../knowledge.ts';
import type { ApiRequest } from '../service.ts';
import { ORIGIN, type Shop } from '../shops.ts';
import {
  type Answer,
  advocatesOf,
  type CallerContext,
  click,
  isExpected,
  keyedConversion,
  post,
  repeat,
  reportConflict,
  shopOf,
  untilFinal,
} from './caller.ts';
import { pay } from './payments.ts';

/** A merchant's server with customers of its own: every response is known in advance. */
export async function merchant(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver, name } = context;
  const shop = shopOf(context);
  for (let number = 1; !isOver(); number += 1) {
    const customer = await convert(context, shop, `${name}-${number}`);
    if (!customer) continue;
    knowledge.own.push(customer);
    knowledge.acknowledged.add(customer.id);
    await live(context, customer);
    const former = world.chance.pick(knowledge.own.filter((one) => one.shop === shop));
    if (!former.busy) await live(context, former);
  }
}

/** Reports a new customer in one of the ways that the API offers. Returns what the service knows then. */
async function convert(context: CallerContext, shop: Shop, name: string): Promise<OwnCustomer | undefined> {
  const { world, knowledge } = context;
  const { chance } = world;
  const advocate = chance.pick(shop.advocates);
  const email = `${name}~@customer.example`;
  const uid = chance.happens(0.7) ? `${name}~` : undefined;
  const key = { 'idempotency-key': name };
  const { slug } = chance.pick(advocatesOf(context, shop));
  const bySlug = { affiliate_slug: slug, email, uid, sub_id: chance.happens(0.5) ? 'spring' : undefined };
  const requests: readonly ApiRequest[] = [
    post(shop, 'trackConversionV2', { gr_id: await click(context, shop), email, uid }, key),
    post(shop, 'trackConversionV2', bySlug, key),
    post(shop, 'trackConversionV2', { ...bySlug, metadata: { plan: shop.mark } }),
    post(shop, 'trackConversionV1', { pk: shop.program.publicKey, uid: advocate.uid, email }, key),
    {
      operation: 'trackConversionV2',
      shop,
      headers: { origin: ORIGIN },
      body: JSON.stringify({ pk: shop.program.publicKey, ...bySlug }),
    },
  ];
  const request = chance.pick(requests);
  const hasKey = request.headers?.['idempotency-key'] !== undefined;
  const created = await (hasKey && chance.happens(0.1) ? sendTwice(context, request) : untilFinal(context, request));
  reportConflict(context, request.operation, created);
  // Without a key, a repeated request cannot know that the first one succeeded.
  const isOwn = created.status === 409 && !hasKey;
  if (!isOwn && !isExpected(context, request, created, [request.token === undefined ? 204 : 201])) return undefined;
  const conversion = keyedConversion(context, request, created);
  if (created.status === 201 && chance.happens(0.2)) await repeatWithOthers(context, request, conversion);
  const found = await untilFinal(context, post(shop, 'lookUpReferral', { email }));
  if (found.status !== 200) {
    knowledge.report('acknowledged', `The lookup of ${email} after its conversion returned ${found.status}`);
    return undefined;
  }
  const { data } = JSON.parse(found.body);
  return {
    shop,
    id: data.id,
    email,
    uid: request.operation === 'trackConversionV1' ? null : (uid ?? null),
    slug: data.attributes.affiliate_slug,
    state: 'converted',
    erased: false,
    conversion,
    busy: false,
  };
}

/** Sends a conversion with a key twice at the same time. Both must get the same response. */
async function sendTwice(context: CallerContext, request: ApiRequest): Promise<Answer> {
  const [answer, twin] = await Promise.all([untilFinal(context, request), untilFinal(context, request)]);
  if (twin.body !== answer.body) context.knowledge.report('own-conflict', `A twin returned ${twin.body}`);
  return answer;
}

/** Repeats a conversion: with the same fields, and with others, if it has a key. */
async function repeatWithOthers(
  context: CallerContext,
  request: ApiRequest,
  conversion: KeyedConversion | undefined,
): Promise<void> {
  if (!conversion) {
    isExpected(context, request, await untilFinal(context, request), [409]);
    return;
  }
  await repeat(context, conversion);
  const { email, ...others } = JSON.parse(request.body ?? '');
  const uid = request.operation === 'trackConversionV1' ? others.uid : undefined;
  const other = { ...others, uid, email: `refused-${email}` };
  const refused = await untilFinal(context, { ...request, body: JSON.stringify(other) });
  isExpected(context, request, refused, [422]);
  context.knowledge.refuse(request.shop, other.email);
}

/** The states that can follow each other. */
const LIVES: Readonly<Partial<Record<State, readonly (readonly State[])[]>>> = {
  converted: [[], ['paid'], ['paid', 'churned'], ['paid', 'churned', 'paid'], ['rejected', 'converted', 'paid']],
  paid: [[], ['churned'], ['rejected']],
  churned: [['paid'], ['rejected']],
  rejected: [['converted']],
};

/** Changes a customer in some of the ways that the API offers. */
async function live(context: CallerContext, customer: OwnCustomer): Promise<void> {
  const { chance } = context.world;
  if (customer.erased) return;
  const { uid, email, id } = customer;
  const reference = chance.pick([{ email }, { id }, { uid: uid ?? undefined, email }]);
  customer.busy = true;
  for (const state of chance.pick(LIVES[customer.state] ?? [[]])) await setState(context, customer, reference, state);
  if (chance.happens(0.3)) await pay(context, customer, reference);
  if (chance.happens(0.2)) await reassign(context, customer, reference);
  if (chance.happens(0.2)) await repeat(context, customer.conversion);
  if (chance.happens(0.15)) await erase(context, customer, reference);
  customer.busy = false;
}

async function setState(context: CallerContext, customer: OwnCustomer, reference: object, state: State): Promise<void> {
  const { world, knowledge } = context;
  const response = await untilFinal(context, post(customer.shop, 'setState', { ...reference, state }));
  if (response.status === 200) customer.state = state;
  else knowledge.report('acknowledged', `${customer.id} did not become ${state}: ${response.status} ${response.body}`);
  await world.pause(world.chance.below(3000));
}

async function reassign(context: CallerContext, customer: OwnCustomer, reference: object): Promise<void> {
  const { slug } = context.world.chance.pick(customer.shop.advocates);
  const request = post(customer.shop, 'reassignReferral', { ...reference, affiliate_slug: slug });
  const { status, body } = await untilFinal(context, request);
  if (status === 200) customer.slug = slug;
  else context.knowledge.report('acknowledged', `${customer.id} was not reassigned: ${status} ${body}`);
}

async function erase(context: CallerContext, customer: OwnCustomer, reference: object): Promise<void> {
  const { status, isFirst } = await untilFinal(context, post(customer.shop, 'eraseCustomer', reference));
  // A repeated erasure no longer finds the person.
  customer.erased = status === 204 || (status === 404 && !isFirst);
  if (!customer.erased) context.knowledge.report('acknowledged', `${customer.id} was not erased: ${status}`);
}
