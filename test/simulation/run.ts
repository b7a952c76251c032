import { EMPTY_ADVOCATE, newAdvocate } from '../../functions/domain/advocate.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { newProgram } from '../../functions/domain/program.ts';
import { milliseconds, secondOf } from '../../functions/domain/time.ts';
import { makeToken, type TokenKind } from '../../functions/domain/token.ts';
import { newWebhook } from '../../functions/domain/webhook.ts';
import { type SecretReader, stripeOwner, webhookOwner } from '../../functions/secrets/secrets.ts';
import { createAdvocate } from '../../functions/table/advocates.ts';
import type { Table } from '../../functions/table/dynamodb/table.ts';
import { createProgram } from '../../functions/table/programs.ts';
import { createToken } from '../../functions/table/tokens.ts';
import { createWebhook } from '../../functions/table/webhooks.ts';
import {
  type CallerContext,
  competitor,
  type Knowledge,
  merchant,
  reader,
  type Shop,
  stripe,
  visitor,
} from './callers.ts';
import { Events } from './events.ts';
import { FakeTable } from './fake/table.ts';
import { Instance, type Surroundings } from './instance.ts';
import { INVARIANTS } from './invariants.ts';
import { type FaultCounts, type FaultRates, NONE, simulateProcess } from './network.ts';
import { Service } from './service.ts';
import { World } from './world.ts';

/** What a run shall do. */
export interface Plan {
  readonly seed: number;
  readonly calls: number;
  readonly callers: number;
  readonly faults: FaultRates;
}

/** What a run did, and the sentences of the promises that it broke. */
export interface Report {
  readonly calls: number;
  readonly faults: FaultCounts;
  readonly referrals: number;
  /** Events that receivers got, without repetitions. */
  readonly delivered: number;
  readonly longest: number;
  readonly violations: readonly string[];
}

/** The time limit of every request, in milliseconds (the timeout of the functions in lib/). */
const DEADLINE = 10_000;

/** Runs one world from its seed, and checks every invariant at its end. */
export async function simulate({ seed, calls, callers, faults: rates }: Plan): Promise<Report> {
  const world = new World(seed);
  const restore = simulateProcess(world);
  try {
    const knowledge: Knowledge = { own: [], acknowledged: new Set(), violations: [] };
    const shops: Shop[] = [];
    const table = new FakeTable((change) => events.add(change));
    const surroundings = { world, table, rates, faults: { ...NONE } };
    const events = new Events(surroundings);
    const service = new Service(surroundings, secretsOf(shops));
    const quiet: Surroundings = { ...surroundings, rates: NONE };
    const operator = new Instance(quiet, (connection) => connection.withLimit(DEADLINE)).handle;
    await world.run(
      [newShop(operator, world, 0), newShop(operator, world, 1)].map((shop) => shop.then((added) => shops.push(added))),
    );

    // The indexes lag by seconds, and the programs are older.
    table.catchUp();

    const context: CallerContext = { world, service, shops, knowledge, isOver: () => service.calls >= calls };
    const callersAtWork = Promise.all(Array.from({ length: callers }, (_, index) => caller(context, index)));
    let isOver = false;
    const over = callersAtWork.then(() => {
      isOver = true;
    });
    await world.run([over, events.run(secretsOf(shops), () => isOver)]);
    table.catchUp();

    const evidence = { table, service: new Service(quiet, secretsOf(shops)), shops, knowledge, events };
    const broken: string[] = [...knowledge.violations];
    if (service.longest > DEADLINE) broken.push(`Requests end in time: one took ${service.longest} ms`);
    for (const [name, check] of Object.entries(INVARIANTS)) {
      const found = Promise.resolve(check(evidence)).then((problems) => {
        for (const problem of problems) broken.push(`${name}: ${problem}`);
      });
      await world.run([found]);
    }
    const referrals = [...table.all()].filter(({ sk }) => sk === 'REFERRAL').length;
    const delivered = [...events.received.values()].reduce((sum, { size }) => sum + size, 0);
    const { longest } = service;
    return { calls: service.calls, faults: surroundings.faults, referrals, delivered, longest, violations: broken };
  } finally {
    restore();
  }
}

/** The secrets of programs at Stripe, and of webhooks. */
function secretsOf(shops: readonly Shop[]): SecretReader {
  return {
    read: async (owner) =>
      shops
        .filter(
          ({ program, webhook }) => owner === stripeOwner(program.id) || owner === webhookOwner(program.id, webhook.id),
        )
        .map(({ stripeSecret }) => ({ value: stripeSecret, createdAt: milliseconds(0) })),
  };
}

/** One of the callers, by turns. */
async function caller(context: CallerContext, index: number): Promise<void> {
  switch (index % 6) {
    case 0:
      return merchant(context, `merchant-${index}`);
    case 1:
      return stripe(context);
    case 2:
      return reader(context);
    case 3:
      return visitor(context);
    default:
      return competitor(context);
  }
}

/** Stores a program with three advocates and their tokens. */
async function newShop(table: Table, { now, chance }: World, number: number): Promise<Shop> {
  const createdAt = secondOf(now());
  const id = () => uuidv7(now(), chance.bytes);
  const program = newProgram(
    {
      name: `Shop ${number}`,
      siteUrl: 'https://shop.example',
      linkParameter: null,
      commissionPercentage: 20,
      commissionMonths: 12,
      attributionDays: null,
      allowedOrigins: [],
    },
    id(),
    createdAt,
  );
  await createProgram(table, program);
  const token = async (kind: TokenKind, advocateSlug: string | null) => {
    const secret = makeToken(kind, chance.bytes);
    const record = { id: id(), kind, advocateSlug, createdAt, expiresAt: null, revokedAt: null };
    await createToken(table, program, secret, record);
    return secret;
  };
  const programToken = await token('program', null);
  const advocates = ['ann', 'bob', 'eve'].map((slug) =>
    newAdvocate({ ...EMPTY_ADVOCATE, email: `${slug}@partner.example`, slug }, id(), createdAt),
  );
  const affiliateTokens: string[] = [];
  for (const advocate of advocates) {
    await createAdvocate(table, program.id, advocate);
    affiliateTokens.push(await token('affiliate', advocate.slug));
  }
  const url = `https://shop-${number}.example/events`;
  const webhook = newWebhook({ url, events: [], includeEmail: false }, id(), createdAt, false);
  await createWebhook(table, program.id, webhook);
  return {
    program,
    advocates,
    programToken,
    affiliateTokens,
    webhook,
    stripeSecret: `whsec_${chance.bytes(24).toString('hex')}`,
  };
}
