import { parseArgs } from 'node:util';
import { FAULTS, type FaultRates } from './network.ts';
import { OPERATIONS_THAT_WRITE, type Plan, simulate } from './run.ts';
import { replayOf, shortestFailure } from './shrink.ts';

const USAGE = 'Options: --calls N, --seed N, --world N (calls per world), --callers N, --faults a,b (default: all)';

/** The options of `npm run test:simulation`. */
interface Options {
  /** Calls of all worlds together. */
  readonly total: number;
  /** The seed of the first world. Each world has the next one. */
  readonly first: number;
  /** Calls per world. */
  readonly size: number;
  readonly callers: number | undefined;
  readonly faults: FaultRates;
}

/** Parses the options. Ends the process with 2 if one is not valid. */
function readOptions(): Options {
  try {
    return parseOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
    process.exit(2);
  }
}

function parseOptions(): Options {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
      world: { type: 'string', default: '5000' },
      callers: { type: 'string' },
      faults: { type: 'string', default: Object.keys(FAULTS).join() },
    },
  });
  const kinds = values.faults.split(',').filter((kind) => kind !== '');
  const unknown = kinds.find((kind) => !(kind in FAULTS));
  if (unknown !== undefined)
    throw new RangeError(`"${unknown}" is no fault: choose from ${Object.keys(FAULTS).join()}`);
  return {
    total: whole(values.calls, 1),
    first: whole(values.seed, 0),
    size: whole(values.world, 1),
    callers: values.callers === undefined ? undefined : whole(values.callers, 1),
    faults: Object.fromEntries(
      Object.entries(FAULTS).map(([kind, rate]) => [kind, kinds.includes(kind) ? rate : 0]),
    ) as FaultRates,
  };
}

function whole(text: string, least: number): number {
  const number = Number(text);
  if (text === '' || !Number.isSafeInteger(number) || number < least) throw new RangeError(`"${text}" is too small`);
  return number;
}

// npm run test:simulation: worlds, each from its own seed, until the number of calls is reached. The first world that
// breaks a promise ends the run, which prints a smaller plan that still breaks one, and the command that replays it.

/** So many calls need every write route. */
const COMPLETE = 50_000;

const { total, first, size, callers, faults } = readOptions();
console.log(`Seed ${first}`);

const sums = { calls: 0, referrals: 0, delivered: 0 };
const counts: Record<string, number> = {};
const unused = new Set<string>(OPERATIONS_THAT_WRITE);
let longest = 0;
for (let seed = first; sums.calls < total; seed += 1) {
  // From 4 to 32 callers, so that some worlds are calm and others crowded. With fewer, most time passes without a call.
  const plan = { seed, calls: Math.min(size, total - sums.calls), callers: callers ?? 4 + (seed % 29), faults };
  const report = await simulate(plan);
  for (const name of ['calls', 'referrals', 'delivered'] as const) sums[name] += report[name];
  for (const [fault, count] of Object.entries(report.faults)) counts[fault] = (counts[fault] ?? 0) + count;
  for (const operation of report.successes.keys()) unused.delete(operation);
  longest = Math.max(longest, report.longest);
  if (process.stderr.isTTY) process.stderr.write(`\r${sums.calls} of ${total} calls`);
  if (report.violations.length > 0) await fail(plan, report.violations);
}
if (sums.calls >= COMPLETE && unused.size > 0) {
  console.error(`No caller of the simulation used ${[...unused].join()}: add one to test/simulation/callers.`);
  process.exit(1);
}
printTable();

/** Prints what a world broke, and the smallest world that breaks anything. Ends the process. */
async function fail(plan: Plan, violations: readonly string[]): Promise<never> {
  console.error(`\nSeed ${plan.seed} breaks a promise after ${sums.calls} calls:`);
  for (const violation of violations.slice(0, 10)) console.error(`  ${violation}`);
  console.error(`Replay: ${replayOf(plan)}`);
  const shortest = await shortestFailure(plan, async (next) => (await simulate(next)).violations.length > 0);
  console.error(`Shortest replay: ${replayOf(shortest)}`);
  for (const violation of (await simulate(shortest)).violations.slice(0, 10)) console.error(`  ${violation}`);
  process.exit(1);
}

function printTable(): void {
  const { user, system } = process.cpuUsage();
  const rows = {
    calls: sums.calls,
    'clicks and referrals': sums.referrals,
    'events delivered': sums.delivered,
    'longest request, in ms of virtual time': Math.round(longest),
    faults: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...Object.fromEntries(Object.entries(counts).map(([fault, count]) => [`… ${fault}`, count])),
    'seconds of CPU': Math.round((user + system) / 1e6),
    'memory in MB': Math.round(process.resourceUsage().maxRSS / 1024),
    'promises broken': 0,
  };
  console.log('| figure | value |\n| --- | --- |');
  for (const [name, value] of Object.entries(rows)) console.log(`| ${name} | ${value.toLocaleString('en')} |`);
}
