import { createHmac } from 'node:crypto';
import type { Advocate } from '../../functions/domain/advocate.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { State } from '../../functions/domain/referral/state.ts';
import type { Webhook } from '../../functions/domain/webhook.ts';
import type { ApiRequest, ApiResponse, Service } from './service.ts';
import type { World } from './world.ts';

/** A program of the simulation, with everything that its callers know. */
export interface Shop {
  readonly program: Program;
  readonly advocates: readonly Advocate[];
  readonly programToken: string;
  readonly affiliateTokens: readonly string[];
  readonly webhook: Webhook;
  readonly stripeSecret: string;
}

/** A customer of exactly one caller, and what that caller was told about it last. */
export interface OwnCustomer {
  readonly shop: Shop;
  readonly email: string;
  readonly uid: string;
  readonly id: string;
  state: State;
  erased: boolean;
}

/** What the callers were told, to be compared with the table. */
export interface Knowledge {
  readonly own: OwnCustomer[];
  /** The ids of referrals in successful responses. */
  readonly acknowledged: Set<string>;
  /** A sentence for each response that breaks a promise. */
  readonly violations: string[];
}

/** Everything that a caller uses. */
export interface CallerContext {
  readonly world: World;
  readonly service: Service;
  readonly shops: readonly Shop[];
  readonly knowledge: Knowledge;
  /** True once enough calls were made. */
  readonly isOver: () => boolean;
}

/** The responses that every caller retries, as the documents say: none, 429 and 5xx. */
const isFinal = ({ status }: ApiResponse) => status !== 429 && status < 500;

/** Sends a request until it has a final response, as a merchant's server does. */
async function untilFinal({ world, service, knowledge }: CallerContext, request: ApiRequest): Promise<ApiResponse> {
  for (let pause = 50; ; pause = Math.min(pause * 2, 5000)) {
    const response = await service.call(request);
    if (response && isFinal(response)) return response;
    if (response !== undefined && response.status !== 503 && response.status !== 429) {
      knowledge.violations.push(`${request.operation} returned ${response.status}: ${response.body}`);
    }
    await world.pause(world.chance.below(pause));
  }
}

const post = (shop: Shop, operation: ApiRequest['operation'], body: object, headers = {}): ApiRequest => ({
  operation,
  token: shop.programToken,
  headers,
  body: JSON.stringify(body),
});

/** A visitor who follows links and never signs up. */
export async function visitor(context: CallerContext): Promise<void> {
  const { world, shops, isOver } = context;
  while (!isOver()) {
    await click(context, world.chance.pick(shops));
    await world.pause(world.chance.below(500));
  }
}

/** Records a click on a link of a shop. Returns its `gr_id`; the click may not exist, because pages do not try for long. */
async function click(context: CallerContext, shop: Shop): Promise<string> {
  const { world, service, knowledge } = context;
  const { slug } = world.chance.pick(shop.advocates);
  const grId = `${slug}.${uuidv7(world.now(), world.chance.bytes)}`;
  const request: ApiRequest = {
    operation: 'trackClick',
    body: JSON.stringify({ pk: shop.program.publicKey, gr_id: grId }),
  };
  // A page sends a click once, and once more on the next page if there was no response.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await service.call(request);
    if (!response || !isFinal(response)) continue;
    if (response.status !== 204) knowledge.violations.push(`A click returned ${response.status}: ${response.body}`);
    break;
  }
  return grId;
}

/** A merchant's server with customers of its own: every response is known in advance. */
export async function merchant(context: CallerContext, name: string): Promise<void> {
  const { world, knowledge, isOver } = context;
  for (let number = 1; !isOver(); number += 1) {
    const shop = world.chance.pick(context.shops);
    const grId = await click(context, shop);
    const email = `${name}-${number}@customer.example`;
    const uid = `${name}-${number}`;
    const created = await untilFinal(
      context,
      post(shop, 'trackConversionV2', { gr_id: grId, email, uid }, { 'idempotency-key': `${name} ${number}` }),
    );
    if (created.status !== 201) {
      knowledge.violations.push(`The first conversion of ${uid} returned ${created.status}: ${created.body}`);
      continue;
    }
    const { data } = JSON.parse(created.body);
    const customer: OwnCustomer = { shop, email, uid, id: data.id, state: 'converted', erased: false };
    knowledge.own.push(customer);
    knowledge.acknowledged.add(customer.id);
    await live(context, customer);
  }
}

/** The states that follow each other, all of them allowed. */
const LIVES: readonly (readonly State[])[] = [
  [],
  ['paid'],
  ['paid', 'churned'],
  ['paid', 'churned', 'paid'],
  ['rejected'],
  ['rejected', 'converted', 'paid'],
];

async function live(context: CallerContext, customer: OwnCustomer): Promise<void> {
  const { world, knowledge } = context;
  const { shop, uid, email } = customer;
  for (const state of world.chance.pick(LIVES)) {
    const response = await untilFinal(context, post(shop, 'setState', { uid, state }));
    if (response.status === 200) customer.state = state;
    else knowledge.violations.push(`${uid} did not become ${state}: ${response.status} ${response.body}`);
    await world.pause(world.chance.below(3000));
  }
  if (world.chance.happens(0.2)) {
    const { slug } = world.chance.pick(shop.advocates);
    const response = await untilFinal(context, post(shop, 'reassignReferral', { email, affiliate_slug: slug }));
    if (response.status !== 200) knowledge.violations.push(`${uid} was not reassigned: ${response.body}`);
  }
  if (world.chance.happens(0.2)) {
    const response = await untilFinal(context, post(shop, 'eraseCustomer', { email }));
    // A repeated erasure no longer finds the person.
    customer.erased = response.status === 204 || response.status === 404;
    if (!customer.erased) knowledge.violations.push(`${uid} was not erased: ${response.status} ${response.body}`);
  }
}

/** Customers that several callers report: few, so that their writes race. */
const SHARED = 12;

/** A merchant's server that reports customers that others report as well, in any order, with any state. */
export async function competitor(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    const shop = chance.pick(context.shops);
    const email = `shared-${chance.below(SHARED)}@customer.example`;
    const uid = `shared-${chance.below(SHARED)}`;
    const { slug } = chance.pick(shop.advocates);
    const request = chance.pick<ApiRequest>([
      post(shop, 'trackConversionV2', { affiliate_slug: slug, email, uid }),
      post(shop, 'trackConversionV2', { affiliate_slug: slug, email }),
      post(shop, 'trackConversionV1', { gr_id: await click(context, shop), email }),
      post(shop, 'setState', { email, state: chance.pick(['paid', 'churned', 'rejected', 'converted']) }),
      post(shop, 'setState', { uid, state: chance.pick(['paid', 'churned', 'rejected', 'converted']) }),
      post(shop, 'reassignReferral', { uid, affiliate_slug: slug }),
      post(shop, 'eraseCustomer', { email }),
    ]);
    const { status, body } = await untilFinal(context, request);
    if (status === 201) knowledge.acknowledged.add(JSON.parse(body).data.id);
    if (![200, 201, 204, 400, 404, 409].includes(status)) {
      knowledge.violations.push(`${request.operation} returned ${status}: ${body}`);
    }
    await world.pause(chance.below(50));
  }
}

/** Stripe's events as `functions/tracking/stripe` reads them. */
const EVENTS = ['checkout.session.completed', 'invoice.paid', 'customer.subscription.deleted', 'charge.refunded'];

/** Stripe, which sends each event until it gets 200, sometimes again, and not in the order of the events. */
export async function stripe(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    const shop = chance.pick(context.shops);
    const customer = chance.below(SHARED);
    const email = `shared-${customer}@customer.example`;
    const event = stripeEvent(chance.pick(EVENTS), `evt_${chance.bytes(8).toString('hex')}`, {
      created: Math.floor(world.now() / 1000) - chance.below(20),
      email,
      customer: chance.happens(0.7) ? `cus_${customer}` : null,
      grId: chance.happens(0.3) ? await click(context, shop) : null,
    });
    for (let time = chance.happens(0.1) ? 2 : 1; time > 0; time -= 1) {
      const response = await untilFinal(context, signed(shop, event, Math.floor(world.now() / 1000)));
      if (response.status !== 200) knowledge.violations.push(`Stripe's event returned ${response.status}`);
    }
    await world.pause(chance.below(300));
  }
}

interface StripeFields {
  readonly created: number;
  readonly email: string;
  readonly customer: string | null;
  readonly grId: string | null;
}

function stripeEvent(type: string, id: string, { created, email, customer, grId }: StripeFields): string {
  const common = { customer, metadata: {} };
  const object = {
    'checkout.session.completed': {
      id: `cs_${id}`,
      client_reference_id: grId?.replace('.', '_') ?? null,
      customer_details: { email },
      mode: 'subscription',
      payment_status: 'paid',
      status: 'complete',
      amount_total: 2400,
    },
    'invoice.paid': { id: `in_${id}`, customer_email: email, amount_paid: 2400, status: 'paid' },
    'customer.subscription.deleted': { id: `sub_${id}`, status: 'canceled' },
    'charge.refunded': {
      id: `ch_${id}`,
      billing_details: { email },
      amount: 2400,
      amount_refunded: 2400,
      refunded: true,
    },
  }[type];
  return JSON.stringify({ id, object: 'event', type, created, data: { object: { ...common, ...object } } });
}

function signed(shop: Shop, event: string, now: number): ApiRequest {
  const signature = createHmac('sha256', shop.stripeSecret).update(`${now}.${event}`).digest('hex');
  return {
    operation: 'receiveStripeEvent',
    headers: { 'stripe-signature': `t=${now},v1=${signature}` },
    parameters: { program: shop.program.id },
    body: event,
  };
}

/** An advocate or a merchant who reads lists while others write. */
export async function reader(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    const shop = chance.pick(context.shops);
    const request = chance.pick<ApiRequest>([
      { operation: 'listReferrals', token: chance.pick(shop.affiliateTokens), query: 'per_page=10' },
      { operation: 'listAdvocates', token: shop.programToken },
    ]);
    const { status, body } = await untilFinal(context, request);
    if (status !== 200) knowledge.violations.push(`${request.operation} returned ${status}: ${body}`);
    await world.pause(chance.below(2000));
  }
}
