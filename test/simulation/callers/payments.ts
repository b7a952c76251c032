import { expectedCommission } from '../../support/ledger/money-oracle.ts';
import type { OwnCustomer } from '../knowledge.ts';
import type { ApiRequest } from '../service.ts';
import { RATES, type Shop } from '../shops.ts';
import type { ShownStatement } from '../statements.ts';
import { type Answer, type CallerContext, isExpected, post, untilFinal } from './caller.ts';

const AMOUNTS = [1, 3, 7, 999, 4999, 123_456_789, 10 ** 12] as const;
export const CURRENCIES = ['usd', 'eur', 'jpy'] as const;

/** Sends a write of the ledger, and notes its entry. Returns `undefined` if the status is not one of the expected ones. */
export async function record(
  context: CallerContext,
  request: ApiRequest,
  expected: readonly number[],
): Promise<Answer | undefined> {
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, expected)) return undefined;
  if (answer.status < 300) context.knowledge.noteEntry(request.shop, JSON.parse(answer.body).data);
  return answer;
}

/** Sends a write that must succeed, and at times repeats it, which must return the same entry. */
export async function recordOwn(context: CallerContext, request: ApiRequest, commission?: number): Promise<void> {
  const { world, knowledge } = context;
  const answer = await record(context, request, [200, 201]);
  if (!answer) return;
  if (answer.isFirst && answer.status !== 201)
    knowledge.report('ledger', `The first ${request.operation} was repeated`);
  const { data } = JSON.parse(answer.body);
  if (commission !== undefined && data.attributes.commission !== commission) {
    knowledge.report('ledger', `${request.operation} earned ${data.attributes.commission} instead of ${commission}`);
  }
  if (!world.chance.happens(0.3)) return;
  const again = await record(context, request, [200]);
  if (again && again.body !== answer.body) knowledge.report('ledger', `A repetition returned ${again.body}`);
  const body = JSON.parse(request.body ?? '');
  const other = 'note' in body ? { ...body, note: 'Other' } : { ...body, amount: body.amount === 5 ? 6 : 5 };
  await record(context, { ...request, body: JSON.stringify(other) }, [409]);
}

/** Pays for a customer of the caller, and refunds or voids it in some of the ways that the API offers. */
export async function pay(context: CallerContext, customer: OwnCustomer, reference: object): Promise<void> {
  const { chance } = context.world;
  const { shop, state, slug } = customer;
  const payment_id = `in-${chance.bytes(8).toString('hex')}`;
  const amount = chance.pick(AMOUNTS);
  const rate = RATES[slug];
  const body = { ...reference, payment_id, amount, currency: chance.pick(CURRENCIES) };
  const earned = rate === undefined ? undefined : expectedCommission(amount, rate);
  const commission = state === 'rejected' ? 0 : earned;
  await recordOwn(context, post(shop, 'recordPayment', body), commission);
  if (state !== 'rejected') customer.state = 'paid';
  if (chance.happens(0.5)) await takeBack(context, shop, payment_id, amount);
}

/** Refunds a payment in parts, some at the same time, perhaps with a void between them. */
export async function takeBack(context: CallerContext, shop: Shop, payment_id: string, amount: number): Promise<void> {
  const { chance } = context.world;
  const first = Math.ceil(amount * chance.next());
  const parts = [first, Math.floor((amount - first) / 2), amount - first - Math.floor((amount - first) / 2)];
  const refunds = parts.flatMap((part, index) =>
    part > 0 ? [post(shop, 'recordRefund', { payment_id, refund_id: `${payment_id}-${index}`, amount: part })] : [],
  );
  const voided = post(shop, 'voidPayment', { payment_id, note: 'Fraud' });
  if (chance.happens(0.2)) refunds.splice(chance.below(refunds.length + 1), 0, voided);
  if (chance.happens(0.5)) await Promise.all(refunds.map((each) => recordOwn(context, each)));
  else for (const each of refunds) await recordOwn(context, each);
  const more = { payment_id, refund_id: `${payment_id}-more`, amount: 1 };
  await record(context, post(shop, 'recordRefund', more), [400]);
}

/** Writes of the ledger for customers whom everybody reports, with ids that everybody uses. */
export function sharedWrites(shop: Shop, customer: object, target: number): ApiRequest[] {
  const payment_id = `in-shared-${target % 20}`;
  const amount = 100 + (target % 3);
  return [
    post(shop, 'recordPayment', { ...customer, payment_id, amount, currency: 'usd' }),
    post(shop, 'recordPayment', { ...customer, payment_id, amount: 101, currency: 'usd', paid_at: 1_772_323_200 }),
    post(shop, 'recordRefund', { payment_id, refund_id: `re-shared-${target % 7}`, amount: 33 }),
    post(shop, 'voidPayment', { payment_id, note: `Reason ${target % 2}` }),
  ];
}

/** Changes the balance of an advocate: a bonus or a correction, and a payout. */
export async function balance(context: CallerContext, shop: Shop): Promise<void> {
  const { chance } = context.world;
  const { slug: affiliate_slug } = chance.pick(shop.advocates);
  const id = chance.bytes(8).toString('hex');
  const common = { affiliate_slug, currency: chance.pick(CURRENCIES) };
  const commission = chance.pick([1, -1, 5000, -(10 ** 12)]);
  const adjustment = { ...common, adjustment_id: id, commission, note: 'Bonus' };
  await recordOwn(context, post(shop, 'recordAdjustment', adjustment), commission);
  const amount = chance.pick(AMOUNTS);
  await recordOwn(context, post(shop, 'recordSettlement', { ...common, settlement_id: id, amount }), -amount);
  const nobody = { ...common, affiliate_slug: 'nobody', settlement_id: `${id}-nobody`, amount };
  await record(context, post(shop, 'recordSettlement', nobody), [400]);
}

/** Pays what a statement shows, as two people do who look at it at the same time. */
export async function settleStatement(context: CallerContext, shop: Shop): Promise<void> {
  const { chance, now } = context.world;
  const { slug: affiliate_slug } = chance.pick(shop.advocates);
  const month = new Date(now()).toISOString().slice(0, 7);
  const query = `affiliate_slug=${affiliate_slug}&month=${month}`;
  const request = { operation: 'getStatements', shop, token: shop.programToken, query } as const;
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [200])) return;
  const { currencies }: ShownStatement['attributes'] = JSON.parse(answer.body).data.attributes;
  for (const { currency, payable, settlement_count } of currencies) {
    if (payable <= 0) continue;
    const money = { amount: Math.min(payable, 10 ** 12), currency, settlement_count };
    const settle = () => {
      const settlement_id = chance.bytes(8).toString('hex');
      const body = { affiliate_slug, settlement_id, ...money };
      return record(context, post(shop, 'recordSettlement', body), [200, 201, 409]);
    };
    await Promise.all([settle(), settle()]);
  }
}

/** Pays out to some advocates, as two people do in the dashboard at the same time, in runs of the operators. */
export async function payOut(context: CallerContext, shop: Shop): Promise<void> {
  const { world, knowledge } = context;
  const run = `run-${world.chance.below(5)}`;
  const currency = world.chance.pick(CURRENCIES);
  const slugs = shop.advocates.map(({ slug }) => slug).filter(() => world.chance.happens(0.7));
  if (slugs.length === 0) return;
  const request = post(shop, 'payOut', { run, currency, slugs });
  for (const answer of await Promise.all([untilFinal(context, request), untilFinal(context, request)])) {
    if (!isExpected(context, request, answer, [200])) continue;
    for (const { affiliate_slug, settlement_id, amount } of JSON.parse(answer.body).data.attributes.settled) {
      const name = `${shop.program.id} ${settlement_id}`;
      const paid = `${affiliate_slug} ${amount} ${currency}`;
      const before = knowledge.payouts.get(name) ?? paid;
      if (before !== paid) knowledge.report('ledger', `The payout ${name} of ${before} was returned as ${paid}`);
      knowledge.payouts.set(name, before);
    }
  }
}
