import { parseArgs } from 'node:util';
import { FAULTS, type Fault, type FaultRates } from './network.ts';
import { type Plan, simulate } from './run.ts';

// npm run test:simulation: worlds, each from its own seed, until the number of calls is reached. The first world that
// breaks a promise ends the run, which prints a smaller plan that still breaks one, and the command that replays it.

const USAGE = 'Options: --calls N, --seed N, --world N (calls per world), --callers N, --faults a,b (default: all)';

function readOptions() {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
      world: { type: 'string', default: '5000' },
      callers: { type: 'string' },
      faults: { type: 'string', default: Object.keys(FAULTS).join() },
    },
  });
  const whole = (text: string, least: number) => {
    const number = Number(text);
    if (text === '' || !Number.isSafeInteger(number) || number < least) throw new RangeError(`"${text}" is too small`);
    return number;
  };
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

let options: ReturnType<typeof readOptions>;
try {
  options = readOptions();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
  process.exit(2);
}
const { total, first, size, faults } = options;
console.log(`Seed ${first}`);

/** From 1 to 32 callers, so that some worlds are calm and others crowded. */
const planOf = (seed: number, calls: number): Plan => ({
  seed,
  calls,
  callers: options.callers ?? 1 + (seed % 32),
  faults,
});

/** Leaves out whatever the failure does not need: calls, callers, kinds of faults. */
async function shortestFailure(plan: Plan): Promise<Plan> {
  const isFailure = async (candidate: Plan) => (await simulate(candidate)).violations.length > 0;
  const smaller = ({ calls, callers, faults, ...others }: Plan): Plan[] => [
    { ...others, callers, faults, calls: Math.floor(calls / 2) },
    { ...others, calls, faults, callers: Math.floor(callers / 2) },
    ...Object.keys(faults)
      .filter((fault) => faults[fault as Fault] > 0)
      .map((fault) => ({ ...others, calls, callers, faults: { ...faults, [fault]: 0 } })),
  ];
  for (const candidate of smaller(plan)) {
    if (candidate.calls > 0 && candidate.callers > 0 && (await isFailure(candidate))) return shortestFailure(candidate);
  }
  return plan;
}

const kindsOf = (plan: Plan) => Object.keys(plan.faults).filter((kind) => plan.faults[kind as Fault] > 0);

const sums = { calls: 0, referrals: 0, delivered: 0 };
const counts: Record<string, number> = {};
let longest = 0;
for (let seed = first; sums.calls < total; seed += 1) {
  const plan = planOf(seed, Math.min(size, total - sums.calls));
  const report = await simulate(plan);
  for (const name of ['calls', 'referrals', 'delivered'] as const) sums[name] += report[name];
  for (const [fault, count] of Object.entries(report.faults)) counts[fault] = (counts[fault] ?? 0) + count;
  longest = Math.max(longest, report.longest);
  if (process.stderr.isTTY) process.stderr.write(`\r${sums.calls} of ${total} calls`);
  if (report.violations.length === 0) continue;
  const smaller = await shortestFailure(plan);
  const { violations } = await simulate(smaller);
  const { calls, callers } = smaller;
  console.error(`\nSeed ${seed} breaks ${violations.length} promises:`);
  for (const violation of violations.slice(0, 10)) console.error(`  ${violation}`);
  console.error(
    `Replay: npm run test:simulation -- --seed ${seed} --calls ${calls} --world ${calls} --callers ${callers} --faults ${kindsOf(smaller).join() || "''"}`,
  );
  process.exit(1);
}
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
