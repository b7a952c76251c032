import { rfc3339 } from '../../../functions/kernel/time.ts';
import type { Member, SharedCustomer } from '../knowledge.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { type CallerContext, click, isExpected, post, untilFinal } from './caller.ts';
import { CURRENCIES, record, takeBack } from './payments.ts';
import { newMember } from './planner.ts';
import { sendEvent } from './stripe.ts';

const DAY = 86_400;
const AMOUNTS = [1, 7, 999, 4999, 10 ** 12] as const;
const STATES = ['rejected', 'converted', 'churned', 'paid'] as const;

type Task = (context: CallerContext, member: Member, name: string) => Promise<unknown>;

/** A merchant's server with customers of advocates in groups. Others report payments of the same customers. */
export async function seller(context: CallerContext): Promise<void> {
  const { world, knowledge, shops, isOver, name, index } = context;
  for (let number = 1; !isOver(); number += 1) {
    const shop = world.chance.pick(shops);
    const unique = `${name}-${index}-${number}-sold`;
    const members = knowledge.members.filter((member) => member.shop === shop);
    const isNew = members.length === 0 || world.chance.happens(0.05);
    const member = isNew ? await newMember(context, shop, unique) : world.chance.pick(members);
    if (member) await world.chance.pick([sell, sell, payMore, payMore, move, setState, bring])(context, member, unique);
    await world.pause(world.chance.below(500));
  }
}

/** Reports a customer of an advocate, whose first payments race. */
const sell: Task = async (context, { shop, slug }, name) => {
  const { world, knowledge } = context;
  const uid = `${name}~`;
  const by = world.chance.happens(0.5) ? { gr_id: await click(context, shop, { slug }) } : { affiliate_slug: slug };
  const request = post(shop, 'trackConversionV2', { ...by, uid }, { 'idempotency-key': uid });
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [201])) return;
  knowledge.acknowledged.add(JSON.parse(answer.body).data.id);
  const customer = { shop, uid };
  knowledge.customers.push(customer);
  // Payments of a referral that is paid already write only how many there are.
  if (world.chance.happens(0.5)) {
    const paid = post(shop, 'setState', { uid, state: 'paid' });
    isExpected(context, paid, await untilFinal(context, paid), [200, 409]);
  }
  await pay(context, customer);
};

/** Several payments at the same moment, one of them twice, and one that Stripe reports. */
async function pay(context: CallerContext, { shop, uid }: SharedCustomer): Promise<void> {
  const { world } = context;
  const { chance } = world;
  const payment = () => {
    const paid_at = chance.happens(0.5) ? undefined : Math.floor(world.now() / 1000) - chance.below(100 * DAY);
    const money = { amount: chance.pick(AMOUNTS), currency: chance.pick(CURRENCIES) };
    return { uid, payment_id: `in-${chance.bytes(8).toString('hex')}`, ...money, paid_at };
  };
  const [twice, once] = [payment(), payment()];
  const send = (body: object) => record(context, post(shop, 'recordPayment', body), [200, 201]);
  const invoice = anInvoice(payment(), Math.floor(world.now() / 1000));
  const atStripe = chance.happens(0.3) ? [sendEvent(context, shop, invoice)] : [];
  await Promise.all([send(twice), send(once), send(twice), ...atStripe]);
  if (chance.happens(0.3)) await send(once);
  if (chance.happens(0.3)) await takeBack(context, shop, once.payment_id, once.amount);
}

function anInvoice(
  {
    uid,
    payment_id: id,
    amount,
    currency,
  }: Readonly<Record<'uid' | 'payment_id' | 'currency', string>> & { amount: number },
  created: number,
): string {
  const sums = { amount_paid: amount, total: amount, total_excluding_tax: amount, amount_shipping: 0 };
  const object = { id, status: 'paid', ...sums, currency, metadata: { uid } };
  return JSON.stringify({ id: `evt_${id}`, object: 'event', type: 'invoice.paid', created, data: { object } });
}

/** Pays for a customer, perhaps while another caller does. */
const payMore: Task = async (context, { shop }) => {
  const customer = someCustomer(context, shop);
  if (customer) await pay(context, customer);
};

function someCustomer({ world, knowledge }: CallerContext, shop: Shop): SharedCustomer | undefined {
  // Most callers meet at the newest ones.
  const own = knowledge.customers.filter((customer) => customer.shop === shop).slice(-3);
  return own.length === 0 ? undefined : world.chance.pick(own);
}

const move: Task = (context, { shop, slug: affiliate_slug }) =>
  change(context, shop, 'reassignReferral', { affiliate_slug });
const setState: Task = (context, { shop }) =>
  change(context, shop, 'setState', { state: context.world.chance.pick(STATES) });

async function change(
  context: CallerContext,
  shop: Shop,
  operation: ApiRequest['operation'],
  body: object,
): Promise<void> {
  const customer = someCustomer(context, shop);
  if (!customer) return;
  const request = post(shop, operation, { uid: customer.uid, ...body });
  isExpected(context, request, await untilFinal(context, request), [200, 409]);
}

/** Imports customers who converted months ago, and their payments. */
const bring: Task = async (context, { shop, slug }, name) => {
  const { world, knowledge, commandLine } = context;
  const { chance, now } = world;
  if (chance.happens(0.7)) return;
  const time = (days: number) => rfc3339(Math.floor(now() / 1000) - days * DAY);
  const uids = Array.from({ length: 1 + chance.below(3) }, (_, index) => `${name}-${index}~`);
  const customers = uids.map((uid) => [slug, uid, 'converted', time(25 + chance.below(50))].join());
  const payments = uids.flatMap((uid) =>
    [10, 90, 40].map((days) => [`in-${uid}-${days}`, uid, chance.pick(AMOUNTS), 'USD', time(days)].join()),
  );
  for (const [noun, ...lines] of [
    ['referral', 'advocate_slug,uid,state,created_at', ...customers],
    ['ledger', 'payment_id,uid,amount_minor,currency,paid_at', ...payments],
  ] as const) {
    const { status, errors } = await commandLine.run(shop, [noun, 'import', '--file', '-'], lines.join('\n'));
    if (status !== 0) knowledge.report('status', `${noun} import ended with ${status}: ${errors}`);
  }
  for (const uid of uids) knowledge.customers.push({ shop, uid });
};
