import { rfc3339 } from '../../../functions/kernel/time.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { EVENT_TYPES } from '../../../functions/webhooks/rules/event.ts';
import { MAX_WEBHOOKS } from '../../../functions/webhooks/rules/webhook.ts';
import type { KnownWebhook } from '../knowledge.ts';
import type { Shop } from '../shops.ts';
import { type Answer, at, type CallerContext, isExpected, shopOf, untilFinal } from './caller.ts';

/** How far back a replay goes, in seconds: each event is delivered in several requests. */
const REPLAYED = 60;
/** Simultaneous creations of webhooks, where there is room for one. */
const ATTEMPTS = 3;

/** Sends a request of the merchant with a token of the API. Returns the response if its status is an expected one. */
async function call(
  context: CallerContext,
  shop: Shop,
  operation: OperationId,
  { id, body, expected }: { readonly id?: string; readonly body?: object; readonly expected: readonly number[] },
): Promise<(Answer & { readonly data: () => Record<string, unknown> }) | undefined> {
  const request = at(shop, operation, id === undefined ? {} : { id }, body);
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, expected)) return undefined;
  return { ...answer, data: () => JSON.parse(answer.body).data.attributes };
}

interface ListedWebhook {
  readonly id: string;
  readonly attributes: { readonly url: string };
}

/** Lists the webhooks of a program, which has at most 20 of them. */
async function list(context: CallerContext, shop: Shop): Promise<ListedWebhook[]> {
  const listed = await call(context, shop, 'listWebhooks', { expected: [200] });
  const webhooks: ListedWebhook[] = listed ? JSON.parse(listed.body).data : [];
  if (webhooks.length > MAX_WEBHOOKS)
    context.knowledge.report('status', `${shop.mark} has ${webhooks.length} webhooks`);
  return webhooks;
}

/** Reports a webhook or a connection that does not show what a response acknowledged. */
function expectShown({ knowledge }: CallerContext, what: string, shown: unknown, acknowledged: unknown): void {
  if (shown === acknowledged) return;
  knowledge.report('acknowledged', `${what} is ${shown}, but ${acknowledged} was acknowledged`);
}

/** Creates a webhook over HTTP, changes and tries it, and deletes it. Each response is visible afterwards. */
export async function useWebhooks(context: CallerContext, number: number): Promise<void> {
  const { world, knowledge, name } = context;
  const shop = shopOf(context);
  // An address needs no lookup.
  const url = `https://93.184.215.14/${shop.mark}/${name}-${number}/http`;
  const body = { url, events: ['referral.rejected', 'referral.erased'] };
  const created = await call(context, shop, 'createWebhook', { body, expected: [201] });
  if (!created) return;
  const { id } = JSON.parse(created.body).data;
  // Events of other types may be sent again.
  const webhook: KnownWebhook = { id, shop, completeFrom: null, deletedAt: null, types: EVENT_TYPES };
  knowledge.webhooks.set(url, webhook);
  const remove = (webhookId: string) => call(context, shop, 'deleteWebhook', { id: webhookId, expected: [204, 404] });
  const listed = (await list(context, shop)).filter(({ attributes }) => attributes.url === url);
  expectShown(
    context,
    `The list with ${url}`,
    listed.some((each) => each.id === id),
    true,
  );
  // An earlier attempt, whose response was lost, has created them.
  for (const other of listed) if (other.id !== id) await remove(other.id);
  await call(context, shop, 'rotateWebhookSecret', { id, expected: [200] });
  await call(context, shop, 'testWebhook', { id, expected: [200] });
  await sendAgain(context, shop, id);
  await update(context, shop, id);
  await remove(id);
  knowledge.webhooks.set(url, { ...webhook, deletedAt: world.now() });
  await call(context, shop, 'getWebhook', { id, expected: [404] });
}

async function sendAgain(context: CallerContext, shop: Shop, id: string): Promise<void> {
  const { world, knowledge } = context;
  const since = rfc3339(Math.floor(world.now() / 1000) - REPLAYED);
  await call(context, shop, 'replayEvents', { id, body: { since }, expected: [200, 400] });
  const own = knowledge.own.filter((customer) => customer.shop === shop);
  if (own.length === 0) return;
  // A long history has dropped its first change.
  const body = { event_id: `${world.chance.pick(own).id}.1` };
  await call(context, shop, 'resendEvent', { id, body, expected: [202, 404] });
}

async function update(context: CallerContext, shop: Shop, id: string): Promise<void> {
  const changes = { include_email: context.world.chance.happens(0.5), enabled: context.world.chance.happens(0.5) };
  const updated = await call(context, shop, 'updateWebhook', { id, body: changes, expected: [200] });
  const shown = updated && (await call(context, shop, 'getWebhook', { id, expected: [200] }));
  if (!shown) return;
  const { include_email, enabled } = shown.data();
  expectShown(context, `${id} include_email`, include_email, changes.include_email);
  // A receiver that fails does not disable it within these seconds.
  expectShown(context, `${id} enabled`, enabled, changes.enabled);
}

/**
 * Connects and disconnects Stripe, and creates webhooks where there is room for one more: in a program that one caller at a
 * time uses.
 */
export async function useSpare(context: CallerContext, number: number): Promise<void> {
  const { spare } = context;
  if (spare.isBusy) return;
  spare.isBusy = true;
  try {
    await connect(context, spare.shop, number);
    await fillUp(context, spare.shop);
  } finally {
    spare.isBusy = false;
  }
}

async function connect(context: CallerContext, shop: Shop, number: number): Promise<void> {
  const body = {
    secret: `whsec_${String(number).padStart(24, '0')}`,
    on_refund: number % 2 === 0 ? 'ignore' : 'reject',
  };
  const secrets = async () => (await call(context, shop, 'getStripe', { expected: [200] }))?.data()['secrets'];
  if (!(await call(context, shop, 'connectStripe', { body, expected: [200] }))) return;
  expectShown(context, 'The number of secrets', await secrets(), 1);
  if (!(await call(context, shop, 'disconnectStripe', { expected: [204] }))) return;
  expectShown(context, 'The number of secrets', await secrets(), 0);
}

async function fillUp(context: CallerContext, shop: Shop): Promise<void> {
  const url = `https://93.184.215.14/${shop.mark}/more`;
  const create = () => call(context, shop, 'createWebhook', { body: { url }, expected: [201, 409] });
  await Promise.all(Array.from({ length: ATTEMPTS }, create));
  const more = (await list(context, shop)).filter(({ attributes }) => attributes.url === url);
  for (const { id } of more) await call(context, shop, 'deleteWebhook', { id, expected: [204, 404] });
}
