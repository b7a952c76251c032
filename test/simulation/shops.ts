import { newAdvocate } from '../../functions/advocates/rules/advocate-changes.ts';
import { createAdvocate } from '../../functions/advocates/table/advocates.ts';
import { putCode } from '../../functions/codes/table/put-code.ts';
import { type Advocate, EMPTY_ADVOCATE } from '../../functions/kernel/accounts/rules/advocate.ts';
import { MAX_GROUPS } from '../../functions/kernel/accounts/rules/group.ts';
import { MAX_MEMBERS, type Member } from '../../functions/kernel/accounts/rules/member.ts';
import { newProgram, type Program } from '../../functions/kernel/accounts/rules/program.ts';
import { makeToken, newToken, SCOPES, type TokenKind } from '../../functions/kernel/accounts/rules/token.ts';
import { toMembersItem } from '../../functions/kernel/accounts/table/members.ts';
import { createProgram } from '../../functions/kernel/accounts/table/programs.ts';
import { createToken } from '../../functions/kernel/accounts/table/tokens.ts';
import { NOT_EXISTS } from '../../functions/kernel/dynamodb/conditions.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { put } from '../../functions/kernel/dynamodb/writes.ts';
import { uuidv7 } from '../../functions/kernel/ids.ts';
import { newSecret, stripeOwner, webhookOwner } from '../../functions/kernel/secrets/secrets.ts';
import { secondOf } from '../../functions/kernel/time.ts';
import { putGroup } from '../../functions/terms/table/put-group.ts';
import { MAX_WEBHOOKS, newWebhook } from '../../functions/webhooks/rules/webhook.ts';
import { createWebhook } from '../../functions/webhooks/table/program-webhooks.ts';
import type { Knowledge } from './knowledge.ts';
import type { MemorySecrets } from './secrets.ts';
import type { World } from './world.ts';

/** A program of the simulation, with everything that its callers know. */
export interface Shop {
  /** A text that occurs in the names and addresses of this program, and in no data of another one. */
  readonly mark: string;
  readonly program: Program;
  readonly advocates: readonly Advocate[];
  readonly programToken: string;
  /** The tokens of the advocates, in their order. */
  readonly affiliateTokens: readonly string[];
  readonly stripeSecret: string;
}

/** A program for one caller at a time. */
export interface SpareShop {
  readonly shop: Shop;
  isBusy: boolean;
}

/** The origin whose pages may send conversions. */
export const ORIGIN = 'https://shop.example';
/**
 * The events of the webhooks of each program; none means all but clicks. Together they have every type. They are few,
 * because each event is delivered in several requests, and the bus gets all of them.
 */
const SUBSCRIPTIONS = [
  [['referral.clicked', 'referral.erased']],
  [['referral.converted', 'referral.rejected', 'referral.reassigned']],
  [[], ['referral.paid', 'referral.churned', 'payment.recorded', 'payment.refunded']],
];

/** The groups of the first program, which callers race for the last ones of. */
export const MANY_GROUPS = MAX_GROUPS - 2;
const NO_TERMS = { title: null, commissionPercentage: null, commissionMonths: null, commissionRules: null };

/** The rates of the advocates. Operators change the program's rate, which others have. */
export const RATES: Readonly<Record<string, number>> = { ann: 20, bob: 33.333333, eve: 12.5 };

/** Stores the programs of a world. Their advocates have the same slugs, uids and emails. */
export async function newShops(
  table: Table,
  world: World,
  secrets: MemorySecrets,
  knowledge: Knowledge,
): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (const number of SUBSCRIPTIONS.keys()) {
    const shop = await newShop(table, world, number);
    shops.push(shop);
    const { program, stripeSecret, mark } = shop;
    await secrets.add(stripeOwner(program.id), { value: stripeSecret, createdAt: world.now() });
    for (const events of SUBSCRIPTIONS[number] ?? []) {
      const url = `https://${mark}.example/events/${events.length}`;
      const fields = { url, ...(events.length > 0 && { events }), includeEmail: true };
      const webhook = newWebhook(fields, uuidv7(world.now(), world.chance.bytes), secondOf(world.now()), false);
      await createWebhook(table, program.id, webhook);
      const secret = { value: newSecret(world.chance.bytes), createdAt: world.now() };
      await secrets.add(webhookOwner(program.id, webhook.id), secret);
      knowledge.webhooks.set(url, { id: webhook.id, shop, completeFrom: 0, deletedAt: null, types: webhook.events });
    }
  }
  const [shop] = shops;
  if (shop) await put(table, toMembersItem(shop.program.id, { members: manyMembers(world), version: 1 }), NOT_EXISTS);
  for (let number = 0; shop && number < MANY_GROUPS; number += 1) {
    const { name } = await putGroup(table, shop.program.id, { ...NO_TERMS, name: `group-${number}` });
    knowledge.groups.add(`${shop.program.id} ${name}`);
  }
  return shops;
}

/** The members of the first program, which callers race for the last ones of. */
function manyMembers({ now, chance }: World): readonly Member[] {
  const common = { name: null, lastSignedInAt: null, sessionsEndedAt: null };
  return Array.from({ length: MAX_MEMBERS - 2 }, (_, number) => {
    const email = `member-${number}~@members.example`;
    const scopes = number === 0 ? (['read', 'admin'] as const) : (['read'] as const);
    return { ...common, email, scopes, id: uuidv7(now(), chance.bytes), createdAt: secondOf(now()) };
  });
}

/** Stores a program with a group, rules and a code, which has room for one more webhook. Its webhooks receive nothing, because nothing happens in it. */
export async function newSpareShop(table: Table, world: World): Promise<SpareShop> {
  const shop = await newShop(table, world, SUBSCRIPTIONS.length, 'test');
  for (let count = 1; count < MAX_WEBHOOKS; count += 1) {
    const fields = { url: `https://${shop.mark}.example/events/${count}`, includeEmail: false };
    const webhook = newWebhook(fields, uuidv7(world.now(), world.chance.bytes), secondOf(world.now()), false);
    await createWebhook(table, shop.program.id, webhook);
  }
  await putGroup(table, shop.program.id, { ...NO_TERMS, name: 'all', commissionRules: [{ percentage: 1 }] });
  await putCode(table, shop.program.id, { code: 'SPARE', slug: 'ann', promotionCodeId: 'promo_spare' });
  return { shop, isBusy: false };
}

async function newShop(
  table: Table,
  { now, chance }: World,
  number: number,
  mode: Program['mode'] = 'live',
): Promise<Shop> {
  const createdAt = secondOf(now());
  const id = () => uuidv7(now(), chance.bytes);
  const mark = `shop-${number}`;
  const program = newProgram(
    {
      name: mark,
      mode,
      siteUrl: `https://${mark}.example`,
      commissionPercentage: 20,
      commissionMonths: 12,
      // Clicks of one program expire during the world.
      attributionDays: number === 0 ? 1 : 90,
      allowedOrigins: [ORIGIN],
      onRefund: number === 1 ? 'reject' : 'ignore',
      codePriority: number === 1 ? 'code' : 'link',
    },
    id(),
    createdAt,
  );
  await createProgram(table, program);
  const token = async (kind: TokenKind, advocate: Advocate | null) => {
    const secret = makeToken(kind, chance.bytes);
    await createToken(table, program, secret, newToken({ advocate, scopes: SCOPES }, id(), createdAt));
    return secret;
  };
  const programToken = await token('program', null);
  const advocates = ['ann', 'bob', 'eve'].map((slug) =>
    newAdvocate(
      {
        ...EMPTY_ADVOCATE,
        ...{ email: `${slug}@partner.example`, slug, uid: `uid of ${slug}`, company: mark },
        commissionPercentage: RATES[slug] ?? null,
      },
      id(),
      createdAt,
    ),
  );
  const affiliateTokens: string[] = [];
  for (const advocate of advocates) {
    await createAdvocate(table, program.id, advocate);
    affiliateTokens.push(await token('affiliate', advocate));
  }
  const stripeSecret = `whsec_${chance.bytes(24).toString('hex')}`;
  return { mark, program, advocates, programToken, affiliateTokens, stripeSecret };
}
