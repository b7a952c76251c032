import { codeIn } from '../../support/people.ts';
import type { Person } from '../knowledge.ts';
import type { ApiRequest } from '../service.ts';
import { at, type CallerContext, isExpected, post, shopOf, untilFinal } from './caller.ts';
import { ending, expectRefused, inSession, type Session, signIn, signOut, together, waitForEmail } from './sign-in.ts';

/** The payout accounts that an advocate may have. */
export const accountsOf = (slug: string): string[] => [1, 2, 3].map((number) => `${slug}-${number}~@pay.example`);

type Act = (context: CallerContext, person: Person, session: Session) => Promise<unknown>;

/** Advocates at a time. Most of them wait for an email. */
const TOGETHER = 6;

/** Advocates who sign in with emails, and the merchant who changes, pays and erases them. */
export async function partner(context: CallerContext): Promise<void> {
  await together(context, TOGETHER, liveAll);
}

async function liveAll(context: CallerContext): Promise<void> {
  const { world, knowledge, isOver, name } = context;
  const { chance } = world;
  const shop = shopOf(context);
  for (let number = 1; !isOver(); number += 1) {
    const known = knowledge.people.filter((one) => one.shop === shop && !one.busy && !one.erased);
    const isKnown = known.length > 0 && chance.happens(0.7);
    const person = isKnown ? chance.pick(known) : await join(context, `${name}-${number}`);
    if (!person) continue;
    person.busy = true;
    await live(context, person);
    person.busy = false;
    await world.pause(chance.below(2000));
  }
}

const addressOf = ({ addresses }: Person): string => addresses.at(-1) ?? '';

async function join(context: CallerContext, slug: string): Promise<Person | undefined> {
  const shop = shopOf(context);
  const email = `${slug}~@people.example`;
  const [payout_account] = accountsOf(slug);
  const fields = { email, slug, first_name: 'Jo', company: shop.mark, payout_method: 'paypal', payout_account };
  const request = post(shop, 'createAdvocate', fields);
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, answer.isFirst ? [201] : [201, 409])) return undefined;
  const person: Person = { shop, slug, addresses: [email], erased: false, busy: false };
  context.knowledge.people.push(person);
  return person;
}

async function live(context: CallerContext, person: Person): Promise<void> {
  const { world } = context;
  const { chance } = world;
  const { shop } = person;
  const session = await signIn(context, shop, addressOf(person), 'portal');
  if (!session) return;
  const own = { ...at(shop, 'getAffiliate', {}), token: session.token };
  const { body } = await inSession(context, session, own);
  if (!body.includes(`"slug":"${person.slug}"`)) context.knowledge.report('codes-once', `Somebody else got ${body}`);
  for (let count = 1 + chance.below(5); count > 0; count -= 1) {
    const acts = [chance.pick(ACTS), ...(chance.happens(0.2) ? [chance.pick(ACTS)] : [])];
    await Promise.all(acts.map((act) => act(context, person, session)));
    await world.pause(chance.below(1000));
  }
  if (!person.erased && chance.happens(0.5))
    await chance.pick([signOutOf, signOutOf, erase, changeAndErase])(context, person, session);
  if (session.state === 'ended' && chance.happens(0.5)) await expectRefused(context, own);
}

const signOutOf: Act = (context, { shop }, session) => signOut(context, shop, session);

const changeNames: Act = async (context, { shop }, session) => {
  const { chance } = context.world;
  const emails_off = chance.pick([[], ['paying'], ['paying', 'settled']]);
  const body = { last_name: `Doe ${chance.below(9)}`, emails_off };
  await inSession(context, session, post(shop, 'updateAffiliate', body));
};

const changeAccount: Act = async (context, { shop, slug }, session) => {
  const payout_account = context.world.chance.pick(accountsOf(slug));
  const request = post(shop, 'updateAffiliate', { payout_method: 'paypal', payout_account });
  await inSession(context, session, request, [200, 403]);
};

/** Undoes the last change of the payout account once an email about one arrives. */
const undo: Act = async (context, person, session) => {
  const { shop, addresses } = person;
  const { chance } = context.world;
  for (let count = 1 + chance.below(3); count > 0; count -= 1)
    await chance.pick([changeAccount, changeAccount, changeEmail])(context, person, session);
  const email = await waitForEmail(context, shop, 'account_changed', { to: chance.pick(addresses), since: 0 });
  if (!email?.text.includes('#undo=')) return;
  await ending(context, session, post(shop, 'undoPayoutAccount', { code: codeIn(email, 'undo') }), [204]);
};

const unsubscribe: Act = async (context, person) => {
  const { shop } = person;
  const email = context.mail.last('settled', addressOf(person), { program: shop.program.id });
  const [, value] = /\/v2\/unsubscribe\/(\S+)/.exec(email?.text ?? '') ?? [];
  if (value === undefined) return;
  const { token: _, ...request } = at(shop, 'unsubscribe', { value });
  isExpected(context, request, await untilFinal(context, request), [200]);
};

/** The merchant changes the payout account, whatever is pending. */
const replaceAccount: Act = async (context, { shop, slug }) => {
  const payout_account = context.world.chance.pick(accountsOf(slug));
  const request = at(shop, 'updateAdvocate', { slug }, { payout_method: 'paypal', payout_account });
  isExpected(context, request, await untilFinal(context, request), [200, 409]);
};

const changeEmail: Act = async (context, person, session) => {
  const { shop, slug, addresses } = person;
  const email = `${slug}-${addresses.length}~@people.example`;
  // Before: whoever sees the change must find it here.
  addresses.push(email);
  await ending(context, session, at(shop, 'updateAdvocate', { slug }, { email }), [200]);
};

const settle: Act = async (context, { shop, slug: affiliate_slug }) => {
  const settlement_id = context.world.chance.bytes(8).toString('hex');
  const settlement = { affiliate_slug, settlement_id, amount: 700, currency: 'usd' };
  await attributesOf(context, post(shop, 'recordSettlement', settlement), [200, 201]);
};

/** The attributes that a request returns; `undefined` if it is refused. */
async function attributesOf(context: CallerContext, request: ApiRequest, expected: readonly number[]) {
  const answer = await untilFinal(context, request);
  isExpected(context, request, answer, expected);
  return answer.status < 300 ? JSON.parse(answer.body).data.attributes : undefined;
}

/** The merchant pays a bonus in a run, perhaps before a change. Neither run nor file pay while the account is pending. */
const payBonus: Act = async (context, person, session) => {
  const { world, knowledge } = context;
  const { shop, slug } = person;
  const [run, currency] = [`run-${world.chance.below(3)}`, 'usd'];
  const adjustment_id = world.chance.bytes(8).toString('hex');
  const bonus = { affiliate_slug: slug, currency, commission: 5000, note: 'Bonus', adjustment_id };
  await attributesOf(context, post(shop, 'recordAdjustment', bonus), [200, 201]);
  /** Calls between two looks at the advocate. Returns its account if it was pending all the time. */
  const pendingDuring = async (call: () => Promise<void>): Promise<string | undefined> => {
    const show = () => attributesOf(context, at(shop, 'getAdvocate', { slug }), [200]);
    const { payout_pending_until: until } = await show();
    await call();
    const after = await show();
    const isPending = until === after.payout_pending_until && until * 1000 > world.now() + 2 * world.skew;
    return isPending ? after.payout_account : undefined;
  };
  let [isPaid, file] = [false, ''];
  const pending = await pendingDuring(async () => {
    const { settled } = await attributesOf(context, post(shop, 'payOut', { run, currency, slugs: [slug] }), [200]);
    isPaid = settled.some(({ was_settled }: { was_settled: boolean }) => !was_settled);
  });
  if (pending && isPaid) knowledge.report('pending', `A run pays to ${pending}`);
  if (world.chance.happens(0.3)) await world.chance.pick([changeEmail, changeAccount])(context, person, session);
  const stillPending = await pendingDuring(async () => {
    const request = { ...at(shop, 'getPayoutFile', { run }), query: `currency=${currency}&format=paypal` };
    file = (await attributesOf(context, request, [200, 400, 404]))?.content ?? '';
  });
  if (stillPending && file.includes(stillPending)) knowledge.report('pending', `A file pays to ${stillPending}`);
};

const erase: Act = async (context, person, session) => {
  person.erased = await ending(context, session, at(person.shop, 'eraseAdvocate', { slug: person.slug }, {}), [204]);
};

/** The stream may tell about the change after the erasure. */
const changeAndErase: Act = async (context, person, session) => {
  await changeEmail(context, person, session);
  await erase(context, person, session);
};

const ACTS: readonly Act[] = [
  ...[changeNames, changeAccount, undo, undo, unsubscribe, unsubscribe],
  ...[replaceAccount, changeEmail, settle, payBonus, payBonus],
];
