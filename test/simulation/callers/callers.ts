import { isDeepStrictEqual } from 'node:util';
import { ENTRY_KINDS } from '../../../functions/ledger/rules/entry-fields.ts';
import { type GeneratedDelivery, generatedPayments } from '../../support/stripe/generated-payments.ts';
import { LedgerOracle } from '../../support/stripe/ledger-oracle.ts';
import type { ApiRequest } from '../service.ts';
import { RATES, type Shop } from '../shops.ts';
import { applicant } from './applicant.ts';
import { bookkeeper } from './bookkeeper.ts';
import { at, type CallerContext, click, isExpected, NoAnswer, post, shopOf, untilFinal } from './caller.ts';
import { attacker, colleague } from './colleague.ts';
import { competitor } from './competitor.ts';
import { design } from './designer.ts';
import { importer } from './importer.ts';
import { useSpare, useWebhooks } from './integrator.ts';
import { manager } from './manager.ts';
import { merchant } from './merchant.ts';
import { operator } from './operator.ts';
import { partner } from './partner.ts';
import { balance, payOut, settleStatement } from './payments.ts';
import { planner } from './planner.ts';
import { promoter } from './promoter.ts';
import { seller } from './seller.ts';
import { sendEvent, stripe } from './stripe.ts';

/** By turns. Their number is no multiple of the number of programs, so that each program has callers of each kind. */
const KINDS = [
  ...[merchant, stripe, competitor, manager, operator, merchant, visitor, importer, competitor, reader],
  ...[owner, billing, bookkeeper, planner, seller, promoter, partner, colleague, attacker, applicant],
];

/** Starts callers. They end once `isOver` is true. */
export async function startCallers(
  context: Omit<CallerContext, 'index' | 'name'>,
  { seed, callers, part }: { readonly seed: number; readonly callers: number; readonly part: number },
): Promise<void> {
  const all = Array.from({ length: callers }, async (_, index) => {
    // Worlds with few callers have different ones.
    const kind = (index + seed) % KINDS.length;
    const round = Math.floor(index / (KINDS.length * context.shops.length));
    const name = `c${kind}-${part}-${round}`;
    await KINDS[kind]?.({ ...context, index, name }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  });
  await Promise.all(all);
}

/** Visitors who follow links and never sign up. */
async function visitor(context: CallerContext): Promise<void> {
  const { world, shops, isOver } = context;
  while (!isOver()) {
    await click(context, world.chance.pick(shops));
    await world.pause(world.chance.below(500));
  }
}

/** The month of a moment, or of a minute before: the clocks of functions differ. */
const monthBefore = (now: number): string => new Date(now - 60_000).toISOString().slice(0, 7);

/** What a list contains is stored, and never changes. */
function noteAll({ knowledge }: CallerContext, shop: Shop, body: string): void {
  for (const entry of JSON.parse(body).data) knowledge.noteEntry(shop, entry);
}

/** Advocates and merchants who read lists, counts and statements while others write, and pages that load the script. */
async function reader(context: CallerContext): Promise<void> {
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

/** A merchant who sets up program, tokens, webhooks and Stripe, with nothing but a token for the API. */
async function owner(context: CallerContext): Promise<void> {
  const { world, isOver } = context;
  for (let number = 1; !isOver(); number += 1) {
    await changeProgram(context);
    await useToken(context);
    await design(context);
    await useWebhooks(context, number);
    await useSpare(context, number);
    await balance(context, shopOf(context));
    await settleStatement(context, shopOf(context));
    await payOut(context, shopOf(context));
    await world.pause(world.chance.below(2000));
  }
}

async function changeProgram(context: CallerContext): Promise<void> {
  const shop = shopOf(context);
  const days = context.world.chance.below(300);
  const fields = { payable_after_days: days, payout_day: 1 + (days % 28), minimum_payout: { eur: 1 + days } };
  const request = post(shop, 'updateProgram', fields);
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [200])) return;
  const changed = JSON.parse(answer.body).data.attributes;
  const shown = Object.fromEntries(Object.keys(fields).map((name) => [name, changed[name]]));
  if (!isDeepStrictEqual(shown, fields))
    context.knowledge.report('status', `A program with ${JSON.stringify(fields)} returned ${JSON.stringify(shown)}`);
}

/** Creates a token, works with it, and revokes it. */
async function useToken(context: CallerContext): Promise<void> {
  const { world, knowledge } = context;
  const shop = shopOf(context);
  const creation = post(shop, 'createProgramToken', { scopes: ['read'] });
  const created = await untilFinal(context, creation);
  if (!isExpected(context, creation, created, [201])) return;
  const { id, attributes } = JSON.parse(created.body).data;
  const read = { operation: 'getProgram', shop, token: attributes.token } as const;
  if (!isExpected(context, read, await untilFinal(context, read), [200])) return;
  const write = { ...post(shop, 'eraseCustomer', { uid: 'nobody' }), token: attributes.token };
  isExpected(context, write, await untilFinal(context, write), [403]);
  const revocation = at(shop, 'revokeToken', { id });
  isExpected(context, revocation, await untilFinal(context, revocation), [204]);
  if (!world.chance.happens(0.2)) return;
  await world.pause(61_000 + 2 * world.skew);
  const { status } = await untilFinal(context, read);
  if (status !== 401) knowledge.report('delay', `A revoked token returned ${status}`);
}

/** The payments of a customer happened in the year before the world, in seconds. */
const YEAR = 400 * 86_400;
const MOST_PAYMENTS = 4;
/** Events that arrive at the same time, at most. */
const TOGETHER = 6;

/** Stripe, which reports payments, refunds and disputes of a customer shuffled and twice, several at the same time. */
async function billing(context: CallerContext): Promise<void> {
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
