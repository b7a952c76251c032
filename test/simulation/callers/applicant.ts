import { codeIn } from '../../support/people.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { at, type CallerContext, isExpected, post, shopOf, untilFinal } from './caller.ts';
import { together, waitForEmail } from './sign-in.ts';

/** Applicants at a time. Most of them wait for an email. */
const TOGETHER = 3;

/** People who apply to be advocates, and the merchant who opens the form and decides. */
export async function applicant(context: CallerContext): Promise<void> {
  const shop = shopOf(context);
  const open = post(shop, 'updatePeopleSettings', { applications: context.world.chance.pick(['review', 'automatic']) });
  if (isExpected(context, open, await untilFinal(context, open), [200])) await together(context, TOGETHER, applyAll);
}

async function applyAll(context: CallerContext): Promise<void> {
  const { world, isOver, name } = context;
  const { chance } = world;
  const shop = shopOf(context);
  for (let number = 1; !isOver(); number += 1) {
    const email = `${name}-${number}~@people.example`;
    const since = world.now();
    await apply(context, shop, email);
    if (chance.happens(0.2)) await apply(context, shop, email);
    const sent = await waitForEmail(context, shop, 'confirm', { to: email, since });
    if (sent) {
      if (chance.happens(0.1)) await forget(context, shop, email);
      const id = await confirm(context, shop, { code: codeIn(sent, 'confirm') });
      if (id !== undefined) await decide(context, shop, { id, email });
    } else await forget(context, shop, email);
    await applyAsKnown(context, shop);
    await world.pause(chance.below(2000));
  }
}

/** Applies. The response is the same for everybody. */
async function apply(context: CallerContext, shop: Shop, email: string): Promise<void> {
  const { knowledge } = context;
  const body = JSON.stringify({ pk: shop.program.publicKey, email, first_name: 'Noor' });
  const request: ApiRequest = { operation: 'sendApplication', shop, body };
  const answer = await untilFinal(context, request);
  isExpected(context, request, answer, [204]);
  const { 'x-request-id': _, ...headers } = answer.headers;
  const shown = JSON.stringify([answer.status, headers, answer.body]);
  knowledge.applied ??= shown;
  if (shown !== knowledge.applied) knowledge.report('sign-in', `${email} got ${shown}`);
}

async function forget(context: CallerContext, shop: Shop, email: string): Promise<void> {
  const erasure = post(shop, 'erasePerson', { email });
  isExpected(context, erasure, await untilFinal(context, erasure), [204]);
}

/** Applies with the address of an advocate, which the merchant then forgets: it may get another one. */
async function applyAsKnown(context: CallerContext, shop: Shop): Promise<void> {
  const known = context.knowledge.people.filter((one) => one.shop === shop && !one.busy && !one.erased);
  if (known.length === 0) return;
  const person = context.world.chance.pick(known);
  const email = person.addresses.at(-1) ?? '';
  person.busy = true;
  await apply(context, shop, email);
  await forget(context, shop, email);
  person.busy = false;
}

/** Looks, and confirms, at times twice at the same moment. Returns the id of the application. */
async function confirm(
  context: CallerContext,
  shop: Shop,
  link: { readonly code: string },
): Promise<string | undefined> {
  const requests = ['lookUpApplication', 'confirmApplication', 'confirmApplication'] as const;
  const answers = await Promise.all(
    requests.map(async (operation) => {
      const request: ApiRequest = { operation, shop, body: JSON.stringify(link) };
      const answer = await untilFinal(context, request);
      return isExpected(context, request, answer, [200, 400]) && answer.status === 200 ? answer : undefined;
    }),
  );
  const ids = new Set(answers.flatMap((answer) => (answer ? [String(JSON.parse(answer.body).data.id)] : [])));
  if (ids.size > 1) context.knowledge.report('applications', `A link confirmed ${[...ids]}`);
  return answers[1] && [...ids][0];
}

/** Approves and rejects, at times at the same moment, and invites the advocate. */
async function decide(
  context: CallerContext,
  shop: Shop,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const { knowledge, world } = context;
  const approval = at(shop, 'approveApplication', { application: id }, { company: shop.mark });
  const rejection = at(shop, 'rejectApplication', { application: id }, { notify: true, may_apply_again: true });
  const requests = world.chance.pick([[approval], [approval, approval], [approval, rejection], [rejection]]);
  const answers = await Promise.all(requests.map((request) => untilFinal(context, request)));
  const slugs = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    const request = requests[index] ?? approval;
    if (!isExpected(context, request, answer, [200, 201, 404, 409]) || answer.status >= 300) continue;
    if (request === approval) slugs.add(JSON.parse(answer.body).data.attributes.slug);
  }
  const [slug, ...others] = slugs;
  if (others.length > 0) knowledge.report('applications', `${id} became ${[...slugs]}`);
  if (slug === undefined) return;
  const invitation = at(shop, 'inviteAdvocate', { slug });
  isExpected(context, invitation, await untilFinal(context, invitation), [204]);
  knowledge.people.push({ shop, slug, addresses: [email], erased: false, busy: false });
}
