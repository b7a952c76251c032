import { type OperationId, ROUTES } from '../../functions/routes.ts';
import { startCallers } from './callers/callers.ts';
import { CommandLine } from './command-line.ts';
import { deleteSpare, deleteSums } from './deletion.ts';
import { Events } from './events.ts';
import { expire } from './expiry.ts';
import { FakeTable } from './fake/table.ts';
import { Instance, type Surroundings } from './instance.ts';
import type { Evidence } from './invariants/evidence.ts';
import { checkAll, checkMoment } from './invariants/invariants.ts';
import { Knowledge } from './knowledge.ts';
import { type FaultCounts, type FaultRates, NONE, simulateProcess } from './network.ts';
import { MemorySecrets } from './secrets.ts';
import { type Sabotage, Service } from './service.ts';
import { newShops, newSpareShop } from './shops.ts';
import { Statements } from './statements.ts';
import { StatisticsStream } from './statistics.ts';
import { Tenants } from './tenants.ts';
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

/** The operations that write. A world with all kinds of callers uses each. */
export const OPERATIONS_THAT_WRITE: readonly string[] = Object.entries(ROUTES).flatMap(([operation, { method }]) =>
  method === 'GET' ? [] : [operation],
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
  const restore = simulateProcess(world);
  const knowledge = new Knowledge();
  const table = new FakeTable();
  const surroundings: Surroundings = { world, table, rates: plan.faults, faults: { ...NONE } };
  const secrets = new MemorySecrets();
  const tenants = new Tenants();
  const events = new Events(surroundings, secrets, knowledge, tenants);
  const statistics = new StatisticsStream(surroundings);
  const versions = new Versions();
  const statements = new Statements();
  table.onChange = (change, writer) => {
    const problem = versions.add(change, writer);
    if (problem) knowledge.report(...problem);
    tenants.add(change);
    statements.add(change);
    events.stream.add(change);
    statistics.add(change);
  };
  const parts = { secrets, queue: events.queue, send: events.receive };
  const checks = { knowledge, tenants, versions, statements, sabotage: tampering };
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
    const evidence: Evidence = { table, service: checker, shops, knowledge, events, statistics, operator };
    for (let part = 1; part <= PARTS; part += 1) {
      const end = Math.floor((plan.calls * part) / PARTS);
      const isOver = () => service.calls >= end || knowledge.broken.length > 0;
      const context = { world, service, commandLine, shops, spare, knowledge, isOver };
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
      const context = { world, service, commandLine, shops, spare, knowledge, isOver: () => true };
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
