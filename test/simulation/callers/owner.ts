import { type CallerContext, isExpected, post, shopOf, untilFinal } from './caller.ts';
import { useSpare, useWebhooks } from './integrator.ts';
import { balance, settleStatement } from './payments.ts';

/** A merchant who sets up program, tokens, webhooks and Stripe, with nothing but a token for the API. */
export async function owner(context: CallerContext): Promise<void> {
  const { world, isOver } = context;
  for (let number = 1; !isOver(); number += 1) {
    await changeProgram(context);
    await useToken(context);
    await useWebhooks(context, number);
    await useSpare(context, number);
    await balance(context, shopOf(context));
    await settleStatement(context, shopOf(context));
    await world.pause(world.chance.below(2000));
  }
}

async function changeProgram(context: CallerContext): Promise<void> {
  const shop = shopOf(context);
  const days = context.world.chance.below(300);
  const request = post(shop, 'updateProgram', { payable_after_days: days });
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [200])) return;
  const changed = JSON.parse(answer.body).data.attributes.payable_after_days;
  if (changed !== days) context.knowledge.report('status', `A program with ${days} days returned ${changed}`);
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
  const revocation = { operation: 'revokeToken', shop, token: shop.programToken, parameters: { id } } as const;
  isExpected(context, revocation, await untilFinal(context, revocation), [204]);
  if (!world.chance.happens(0.2)) return;
  await world.pause(61_000 + 2 * world.skew);
  const { status } = await untilFinal(context, read);
  if (status !== 401) knowledge.report('delay', `A revoked token returned ${status}`);
}
