import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import { programInKey } from '../../functions/kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../functions/kernel/dynamodb/schema.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import { type CallerContext, isExpected, post } from './callers/caller.ts';
import { startCallers } from './callers/callers.ts';
import { CommandLine } from './command-line.ts';
import { Events } from './events.ts';
import { FakeTable } from './fake/table.ts';
import { Instance, type Surroundings } from './instance.ts';
import type { Evidence } from './invariants/evidence.ts';
import { checkAll, checkMoment } from './invariants/invariants.ts';
import { Knowledge } from './knowledge.ts';
import { Mail } from './mail.ts';
import { type FaultCounts, type FaultRates, NONE, simulateProcess } from './network.ts';
import { Past } from './past.ts';
import { leakIn } from './privacy.ts';
import { MemorySecrets } from './secrets.ts';
import { type Sabotage, Service } from './service.ts';
import { Sessions } from './sessions.ts';
import { newShops, newSpareShop } from './shops.ts';
import { Statements } from './statements.ts';
import { StatisticsStream } from './statistics.ts';
import { programOf, Tenants } from './tenants.ts';
import { Versions } from './versions.ts';
import { World } from './world.ts';

/** What a run shall do. */
export interface Plan {
  readonly seed: number;
  readonly calls: number;
  readonly callers: number;
  readonly faults: FaultRates;
}

/** What a run did, and the sentences of the promises that it broke, each after the promise's name. */
export interface Report {
  readonly calls: number;
  readonly faults: FaultCounts;
  readonly referrals: number;
  /** Events that receivers got, without repetitions. */
  readonly delivered: number;
  readonly longest: number;
  /** How often each operation of the API succeeded. */
  readonly successes: ReadonlyMap<OperationId, number>;
  readonly violations: readonly string[];
}

/** What tests change in a world, to show that its promises are checked. */
export interface Tampering extends Sabotage {
  /** Changes the world once everything is over, before it is checked. */
  readonly afterwards?: (evidence: Evidence) => void;
}

/** Reads whose requests have a body. */
const READS = ['searchReferrals', 'explainCustomer', 'previewEmail', 'lookUpApplication', 'callMcp'];
/** The operations that write. A world with all kinds of callers uses each. */
export const OPERATIONS_THAT_WRITE: readonly string[] = Object.entries(ROUTES).flatMap(([operation, { method }]) =>
  method === 'GET' || READS.includes(operation) ? [] : [operation],
);

const PARTS = 2;
/** Steps of virtual time, at least and per call. Most worlds need a tenth of them. */
const LEAST_STEPS = 50_000;
const STEPS_PER_CALL = 100;
/** Steps of everything but the callers, per call. The fewer callers there are, the longer a world lasts. */
const STEPS_OF_ONE_CALLER = 1000;
/** The limit of a request that prepares a world, in milliseconds. */
const LIMIT = 10_000;
const DAY = 86_400_000;
/** How old the last write may be that an eventually consistent read misses, in milliseconds. */
const LAG = 1000;

/**
 * Runs one world from its seed: two parts with callers, and days between them. Checks the promises about the table at
 * random moments, and all of them after each part.
 */
export async function simulate(plan: Plan, tampering: Tampering = {}): Promise<Report> {
  const stepsPerCall = STEPS_PER_CALL + STEPS_OF_ONE_CALLER / plan.callers;
  const world = new World(plan.seed, LEAST_STEPS + plan.calls * stepsPerCall);
  const leaks: string[] = [];
  const restore = simulateProcess(world, (entry) => {
    const leak = leakIn(JSON.stringify(entry));
    if (leak !== undefined) leaks.push(`A log contains ${leak}`);
  });
  const knowledge = new Knowledge();
  const table = new FakeTable();
  const surroundings: Surroundings = { world, table, rates: plan.faults, faults: { ...NONE }, leaks };
  const secrets = new MemorySecrets();
  const tenants = new Tenants();
  const mail = new Mail(surroundings, knowledge, tenants);
  const events = new Events(surroundings, { secrets, emails: mail.queue, knowledge, tenants });
  const statistics = new StatisticsStream(surroundings);
  const versions = new Versions();
  const statements = new Statements();
  const sessions = new Sessions();
  const past = new Past(world);
  table.onChange = (change, writer) => {
    const problem = versions.add(change, writer);
    if (problem) knowledge.report(...problem);
    tenants.add(change);
    statements.add(change);
    sessions.add(change, writer);
    past.add(change);
    events.stream.add(change);
    statistics.add(change);
  };
  const parts = { secrets, queue: events.queue, send: events.receive };
  const checks = { knowledge, tenants, versions, statements, sessions, sabotage: tampering };
  const service = new Service(surroundings, parts, checks);
  try {
    const quiet: Surroundings = { ...surroundings, rates: NONE };
    const operator = new Instance(quiet, (connection) => connection.withLimit(LIMIT)).handle;
    const preparing = newShops(operator, world, secrets, knowledge);
    await world.run(preparing);
    const shops = await preparing;
    const preparingSpare = newSpareShop(operator, world);
    await world.run(preparingSpare);
    const spare = await preparingSpare;
    // The indexes lag by seconds, and the programs are older.
    table.settle();
    const commandLine = new CommandLine(surroundings, { secrets, events, knowledge, tenants });
    const checker = new Service(quiet, parts, checks);
    const seen = { knowledge, events, statistics, past, mail, sessions, leaks };
    const evidence: Evidence = { ...seen, table, service: checker, shops, operator };
    for (let part = 1; part <= PARTS; part += 1) {
      const end = Math.floor((plan.calls * part) / PARTS);
      const isOver = () => service.calls >= end || knowledge.broken.length > 0;
      const context = { world, service, commandLine, mail, shops, spare, knowledge, isOver };
      const moment = service.calls + world.chance.below(end - service.calls);
      const checking = async () => {
        while (!isOver() && service.calls < moment) await world.pause(500);
        checkMoment(evidence);
      };
      let hasEnded = false;
      const callers = startCallers(context, { ...plan, part }).finally(() => {
        hasEnded = true;
      });
      // Callers finish what they began, so replicas must follow until then.
      const background = [checking(), expire(world, table, isOver), settle(world, table, () => hasEnded)];
      await world.run(Promise.all([callers, ...background]));
      // All records and messages, and retries for hours.
      await world.run();
      statistics.forget();
      if (part === PARTS) tampering.afterwards?.(evidence);
      await checkAll(evidence, world);
      if (knowledge.broken.length > 0) break;
      await world.run(world.pause(world.chance.below(10 * DAY)));
    }
    if (knowledge.broken.length === 0) {
      const context = { world, service, commandLine, mail, shops, spare, knowledge, isOver: () => true };
      let isDeleted = false;
      const deletion = deleteSpare(context, table).finally(() => {
        isDeleted = true;
      });
      await world.run(Promise.all([deletion, settle(world, table, () => isDeleted)]));
      await world.run();
      await world.run(deleteSums(context, table));
    }
  } catch (error) {
    knowledge.report('progress', error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');
  } finally {
    restore();
  }
  const referrals = [...table.items.values()].filter(({ sk }) => sk === 'REFERRAL').length;
  const delivered = [...events.received.values()].reduce((sum, { size }) => sum + size, 0);
  const violations = knowledge.broken.map(({ promise, sentence }) => `${promise}: ${sentence}`);
  const { calls, longest, successes } = service;
  return { calls, faults: surroundings.faults, referrals, delivered, longest, successes, violations };
}

/** Lets eventually consistent reads see all but the last writes. */
async function settle(world: World, table: FakeTable, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await world.pause(LAG);
    table.settle();
  }
}

/** The longest time between two runs, in milliseconds, and the share of the due items that a run deletes. */
const INTERVAL = 60_000;
const SHARE = 0.5;

/**
 * Deletes items some time after they are due, as DynamoDB does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html).
 */
async function expire(world: World, table: FakeTable, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await world.pause(world.chance.below(INTERVAL));
    const now = Math.floor(world.now() / 1000);
    const due = [...table.items.values()].filter((item) => Number(item[EXPIRY_ATTRIBUTE]) < now);
    for (const { pk, sk } of due) {
      if (!world.chance.happens(SHARE)) continue;
      table.write([
        {
          Key: { pk, sk },
          ConditionExpression: `${EXPIRY_ATTRIBUTE} < :now`,
          ExpressionAttributeValues: { ':now': now },
        },
      ]);
    }
  }
}

/** Conversions before the deletion, and the longest pause between two later ones, in milliseconds. */
const CONVERSIONS = 10;
const PAUSE = 2000;

/** Deletes the spare program while customers sign up in it. Reports what remains of it once everything is counted. */
async function deleteSpare(context: Omit<CallerContext, 'index' | 'name'>, table: FakeTable): Promise<void> {
  const { world, commandLine, knowledge, spare } = context;
  const { shop } = spare;
  for (let number = 0; number < CONVERSIONS; number += 1) await convert(context, number);
  let hasEnded = false;
  const converting = async () => {
    for (let number = CONVERSIONS; !hasEnded && (await convert(context, number)); number += 1) {
      await world.pause(world.chance.below(PAUSE));
    }
  };
  const deletion = async () => {
    const { status, errors } = await commandLine.run(shop, ['program', 'delete']);
    hasEnded = true;
    if (status !== 0) knowledge.report('status', `program delete ended with ${status}: ${errors}`);
  };
  await Promise.all([converting(), converting(), deletion()]);
  report(context, table, ({ pk }) => !String(pk).includes('#STATISTICS#'));
}

/** Deletes the statistics that were counted after the deletion. Nothing of the program remains. */
async function deleteSums(context: Omit<CallerContext, 'index' | 'name'>, table: FakeTable): Promise<void> {
  await context.commandLine.run(context.spare.shop, ['program', 'delete']);
  report(context, table, () => true);
}

/** Reports a customer. Returns false once the program is stopped. */
async function convert(context: Omit<CallerContext, 'index' | 'name'>, number: number): Promise<boolean> {
  const { service, spare } = context;
  const [advocate] = spare.shop.advocates;
  const request = post(spare.shop, 'trackConversionV2', { affiliate_slug: advocate?.slug, uid: `last ${number}~` });
  const response = await service.call(request);
  // The advocate is deleted before the caches forget the token.
  if (response && response.status < 500)
    isExpected({ ...context, index: 0, name: '' }, request, response, [201, 400, 401, 409]);
  return response?.status !== 401;
}

function report(
  { knowledge, spare }: Pick<CallerContext, 'knowledge' | 'spare'>,
  table: FakeTable,
  isWrong: (item: Item) => boolean,
) {
  const { id } = spare.shop.program;
  // Refusals expire by themselves.
  const remaining = [...table.items.values()].filter(
    (item) => item['sk'] !== 'REFUSALS' && (programOf(item) === id || programInKey(String(item['owner'])) === id),
  );
  for (const item of remaining.filter(isWrong).slice(0, 5)) {
    knowledge.report('erased', `The deleted program still has ${item['pk']} ${item['sk']}`);
  }
}
