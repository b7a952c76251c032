import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { makeLinkCode, parseLinkCode, writeLinkCode } from '../../../functions/people/rules/link-code.ts';
import { codeIn } from '../../support/people.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { type Answer, at, type CallerContext, isExpected, post, shopOf, untilFinal } from './caller.ts';
import { accountsOf } from './partner.ts';
import { askForLink, ending, expectRefused, inSession, type Session, signIn, signOut, together } from './sign-in.ts';

interface Listed {
  readonly id: string;
  readonly attributes: { readonly scopes: readonly string[] };
}

/** Members who sign in, and create, change and remove each other. */
export async function colleague(context: CallerContext): Promise<void> {
  await together(context, 3, workAll);
}

async function workAll(context: CallerContext): Promise<void> {
  const { world, isOver, name } = context;
  const shop = shopOf(context);
  for (let number = 1; !isOver(); number += 1) {
    const email = `${name}-${number}~@members.example`;
    const scopes = world.chance.pick([['read', 'admin'], ['read', 'advocates', 'admin'], SCOPES]);
    const request = post(shop, 'createMember', { email, name: 'Sam', scopes });
    const answer = await untilFinal(context, request);
    if (!isExpected(context, request, answer, [201, 409, ...(answer.isFirst ? [] : [200])])) continue;
    if (answer.status === 409) await removeSome(context, shop, () => world.chance.happens(0.1));
    else await work(context, shop, { id: JSON.parse(answer.body).data.id, email, scopes });
    if (world.chance.happens(0.2))
      await removeSome(context, shop, ({ attributes }) => attributes.scopes.includes('admin'));
    await world.pause(world.chance.below(2000));
  }
}

async function work(
  context: CallerContext,
  shop: Shop,
  { id, email, scopes }: { readonly id: string; readonly email: string; readonly scopes: readonly string[] },
): Promise<void> {
  const { chance } = context.world;
  const session = await signIn(context, shop, email, 'dashboard');
  if (!session) return;
  const created = await inSession(context, session, post(shop, 'createProgramToken', { scopes: ['read'] }), [201]);
  await manage(context, shop, { session, scopes, email });
  const own = { ...at(shop, 'getProgram', {}), token: session.token };
  const changed = at(shop, 'updateMember', { id }, { scopes: ['read', 'track', 'admin'] });
  const [isRemoved, end] = chance.pick([
    [false, () => signOut(context, shop, session)],
    [false, () => ending(context, session, changed, [200])],
    [true, () => ending(context, session, at(shop, 'removeMember', { id }), [200])],
  ] as const);
  if (!(await end()) || chance.happens(0.4)) return;
  await expectRefused(context, own);
  const token = created.status === 201 ? JSON.parse(created.body).data.attributes.token : undefined;
  if (isRemoved && token !== undefined) await expectRefused(context, { ...own, token });
}

/** Changes settings and other members in the session of a member, who can give no scope that it lacks. */
async function manage(
  context: CallerContext,
  shop: Shop,
  { session, scopes, email }: { readonly session: Session; readonly scopes: readonly string[]; readonly email: string },
): Promise<void> {
  const { chance } = context.world;
  const kind = chance.pick(['settled', 'invited'] as const);
  await inSession(context, session, post(shop, 'updatePeopleSettings', { email_texts: { [kind]: 'Hi {first_name}' } }));
  await inSession(context, session, post(shop, 'previewEmail', { kind }));
  const body = { email: `other-${email}`, scopes: ['read', chance.pick(SCOPES)] };
  const isAllowed = body.scopes.every((scope) => scopes.includes(scope));
  const answer = await inSession(
    context,
    session,
    post(shop, 'createMember', body),
    isAllowed ? [200, 201, 409] : [403],
  );
  if (answer.status >= 300) return;
  const { id } = JSON.parse(answer.body).data;
  await inSession(context, session, at(shop, 'updateMember', { id }, { name: 'Kim' }), [200]);
}

/** Removes some members at the same moment. */
async function removeSome(context: CallerContext, shop: Shop, isWanted: (member: Listed) => boolean): Promise<void> {
  const list = at(shop, 'listMembers', {});
  const { data }: { data: readonly Listed[] } = JSON.parse((await untilFinal(context, list)).body);
  const requests = data.filter(isWanted).map(({ id }) => at(shop, 'removeMember', { id }));
  const remove = async (request: ApiRequest) => {
    isExpected(context, request, await untilFinal(context, request), [200, 404, 409]);
  };
  await Promise.all(requests.map(remove));
}

/** Somebody who asks for links of others, guesses codes, and reads the emails of others. */
export async function attacker(context: CallerContext): Promise<void> {
  const { world, shops, isOver } = context;
  const { chance } = world;
  while (!isOver()) {
    await chance.pick([ask, guess, steal, steal])(context, chance.pick(shops));
    await world.pause(chance.below(3000));
  }
}

type Attack = (context: CallerContext, shop: Shop) => Promise<unknown>;

const ask: Attack = async (context, shop) => {
  const { chance } = context.world;
  const known = context.knowledge.people.flatMap(({ addresses }) => addresses);
  const email = chance.pick([`nobody-${chance.below(50)}~@people.example`, ...known.slice(-3)]);
  await askForLink(context, shop, email, chance.pick(['portal', 'dashboard'] as const));
};

/** The last email with a code, and its program. */
function lastEmail({ mail, shops }: CallerContext, purpose: 'code' | 'undo') {
  const email = mail.sent.findLast(({ text, hasArrived }) => hasArrived && text.includes(`#${purpose}=`));
  const shop = shops.find(({ program }) => program.id === email?.program);
  return email && shop && { email, shop };
}

/** Tries a code for the address of somebody, a code in another program, and a code that undoes something. */
const guess: Attack = async (context, other) => {
  const { chance } = context.world;
  const purpose = chance.pick(['code', 'undo'] as const);
  const { email, shop } = lastEmail(context, purpose) ?? {};
  const code = email && parseLinkCode(codeIn(email, purpose));
  if (!code || !shop) return;
  const random = makeLinkCode(code.program, code.address, chance.bytes);
  const elsewhere = { ...code, program: other.program.id };
  const [target, guessed] = purpose === 'undo' ? [shop, code] : [other, other === shop ? random : elsewhere];
  await spend(context, target, writeLinkCode(guessed), [400]);
};

/** Uses the code of somebody else, and lets itself be paid. */
const steal: Attack = async (context) => {
  const { email, shop } = lastEmail(context, 'code') ?? {};
  if (!email || !shop) return;
  email.isStolen = true;
  const { status, body } = await spend(context, shop, codeIn(email), [201, 400]);
  if (status !== 201) return;
  const { token } = JSON.parse(body).data.attributes;
  const [payout_account] = accountsOf(`attacker-${context.world.chance.bytes(4).toString('hex')}`);
  const request = { ...post(shop, 'updateAffiliate', { payout_method: 'paypal', payout_account }), token };
  isExpected(context, request, await untilFinal(context, request), [200, 401, 403, 409]);
};

async function spend(context: CallerContext, shop: Shop, code: string, expected: readonly number[]): Promise<Answer> {
  const request: ApiRequest = { operation: 'createSession', shop, body: JSON.stringify({ code }) };
  const answer = await untilFinal(context, request);
  isExpected(context, request, answer, expected);
  return answer;
}
