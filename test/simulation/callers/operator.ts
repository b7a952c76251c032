import { rfc3339 } from '../../../functions/kernel/time.ts';
import type { Ended } from '../command-line.ts';
import type { KnownWebhook } from '../knowledge.ts';
import type { Shop } from '../shops.ts';
import { CACHED, type CallerContext, shopOf, untilFinal } from './caller.ts';
import { sharedEmail } from './competitor.ts';

/** How long after their creation webhooks may not receive events: they are cached, and their index lags. In seconds. */
const UNSEEN = 60;

/** An operator with the command line. */
export async function operator(context: CallerContext): Promise<void> {
  const { world, isOver, name } = context;
  const tasks = [useToken, changeShared, changeAdvocate, changeProgram, useWebhook, read];
  for (let number = 1; !isOver(); number += 1) {
    await world.chance.pick(tasks)(context, shopOf(context), `${name}-${number}`);
    await world.pause(world.chance.below(30_000));
  }
}

/** The events of the operator's webhooks: few, because each is delivered in several requests. */
const TYPES = ['referral.rejected', 'referral.erased', 'referral.reassigned'] as const;

type Task = (context: CallerContext, shop: Shop, name: string) => Promise<void>;

/** Runs a command on a program. Reports an exit status that is neither 0 nor a documented failure. */
export async function run(
  context: CallerContext,
  shop: Shop,
  args: readonly string[],
  mayFail = false,
): Promise<Ended> {
  const ended = await context.commandLine.run(shop, args);
  if (ended.status !== 0 && (!mayFail || ended.errors.includes('unexpectedly'))) {
    context.knowledge.report('status', `${args.slice(0, 2).join(' ')} ended with ${ended.status}: ${ended.errors}`);
  }
  return ended;
}

/** Creates a token, uses it, revokes it, and tries it again. */
const useToken: Task = async (context, shop) => {
  const { world, knowledge } = context;
  const { slug } = world.chance.pick(shop.advocates);
  const isOwn = world.chance.happens(0.5);
  const created = await run(context, shop, ['token', 'create', ...(isOwn ? ['--advocate', slug] : [])]);
  if (created.status !== 0) return;
  const { id, token } = JSON.parse(created.output);
  const request = { operation: isOwn ? 'listReferrals' : 'listAdvocatesV2', shop, token } as const;
  const before = await untilFinal(context, request);
  if (before.status !== 200) knowledge.report('delay', `A new token returned ${before.status}`);
  await run(context, shop, ['token', 'revoke', '--id', id]);
  await world.pause(CACHED + 2 * world.skew);
  const after = await untilFinal(context, request);
  if (after.status !== 401) knowledge.report('delay', `A revoked token returned ${after.status}`);
};

/** Changes a customer whom others change. */
const changeShared: Task = async (context, shop) => {
  const { chance } = context.world;
  const email = sharedEmail(chance.below(100));
  const { slug } = chance.pick(shop.advocates);
  const args = chance.pick([
    ['referral', 'set-state', '--state', chance.pick(['paid', 'rejected'])],
    ['referral', 'reassign', '--advocate', slug],
    ['referral', 'erase'],
    ['referral', 'show'],
  ]);
  await run(context, shop, [...args, '--email', email], true);
};

/** Creates and changes an advocate of its own. */
const changeAdvocate: Task = async (context, shop, name) => {
  const { knowledge } = context;
  const create = ['advocate', 'create', '--email', `${name}@partner.example`, '--slug', name, '--company', shop.mark];
  // A killed command may have created it.
  await run(context, shop, create, true);
  const advocate = ['--advocate', name];
  await run(context, shop, ['advocate', 'update', ...advocate, '--uid', name, '--commission-percentage', '7']);
  await run(context, shop, ['advocate', 'deactivate', ...advocate]);
  const fields = { uid: name, commissionPercentage: 7, active: false, company: shop.mark };
  knowledge.ownAdvocates.push({ shop, slug: name, fields, busy: false });
};

const changeProgram: Task = async (context, shop) => {
  await run(context, shop, ['program', 'update', '--commission-percentage', String(context.world.chance.below(100))]);
};

/** Creates a webhook, rotates its secret, disables and enables it, lets it receive past events, or deletes it. */
const useWebhook: Task = async (context, shop, name) => {
  const { world, knowledge } = context;
  // An address needs no lookup.
  const url = `https://93.184.215.14/${shop.mark}/${name}`;
  const types = TYPES.flatMap((type) => ['--event', type]);
  // The program may have 20 webhooks.
  const created = await run(context, shop, ['webhook', 'create', '--url', url, ...types], true);
  if (created.status !== 0) return;
  const { id } = JSON.parse(created.output) as { id: string };
  await deleteOthers(context, shop, { id, url });
  const nowInSeconds = () => Math.floor(world.now() / 1000);
  const completeFrom = nowInSeconds() + UNSEEN;
  const webhook: KnownWebhook = { id, shop, completeFrom, deletedAt: null, types: TYPES };
  knowledge.webhooks.set(url, webhook);
  await run(context, shop, ['webhook', 'rotate', '--id', id]);
  await world.pause(world.chance.below(60_000));
  if (world.chance.happens(0.5)) {
    // Nothing is complete before the replay has ended.
    knowledge.webhooks.set(url, { ...webhook, completeFrom: null });
    const since = rfc3339(nowInSeconds() - 30 * 86_400);
    await run(context, shop, ['webhook', 'replay', '--id', id, '--since', since]);
    await run(context, shop, ['webhook', 'deliveries', '--id', id]);
    knowledge.webhooks.set(url, webhook);
  }
  if (world.chance.happens(0.5)) {
    knowledge.webhooks.set(url, { ...webhook, completeFrom: null });
    // A repetition of a deletion that was killed finds nothing.
    await run(context, shop, ['webhook', 'delete', '--id', id], true);
    knowledge.webhooks.set(url, { ...webhook, completeFrom: null, deletedAt: world.now() });
  }
};

/** Deletes the webhooks that killed commands created: nobody saw their secrets. */
async function deleteOthers(context: CallerContext, shop: Shop, { id, url }: { id: string; url: string }) {
  const listed = await run(context, shop, ['webhook', 'list']);
  if (listed.status !== 0) return;
  const webhooks = JSON.parse(listed.output) as readonly { readonly id: string; readonly url: string }[];
  for (const other of webhooks) {
    if (other.url === url && other.id !== id) await run(context, shop, ['webhook', 'delete', '--id', other.id], true);
  }
}

const read: Task = async (context, shop) => {
  const { slug } = context.world.chance.pick(shop.advocates);
  const args = context.world.chance.pick([
    ['program', 'stats'],
    ['advocate', 'list'],
    ['advocate', 'show', '--advocate', slug],
    ['token', 'list'],
    ['webhook', 'list'],
    ['referral', 'list', '--advocate', slug],
    ['referral', 'export'],
  ]);
  await run(context, shop, args);
};
