import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './network.ts';
import { type Plan, simulate } from './run.ts';

// npm run test:simulation: worlds, each from its own seed, until the number of calls is reached. The first world that
// breaks a promise ends the run; the shortest plan that still breaks one is printed, and replays with --seed and --world.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    world: { type: 'string', default: '5000' },
  },
});
const total = Number(values.calls);
const first = Number(values.seed);
const size = Number(values.world);
if (![total, first, size].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('--calls, --seed and --world must be whole numbers, such as --calls 20000 --seed 1 --world 5000.');
  process.exit(1);
}

/** From 1 to 32 callers, so that some worlds are calm and others crowded. */
const planOf = (seed: number, calls: number): Plan => ({ seed, calls, callers: 1 + (seed % 32), faults: FAULTS });

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

const sums = { calls: 0, referrals: 0, delivered: 0 };
const faults: Record<string, number> = {};
let longest = 0;
let worlds = 0;
for (let seed = first; sums.calls < total; seed += 1) {
  const plan = planOf(seed, Math.min(size, total - sums.calls));
  const report = await simulate(plan);
  worlds += 1;
  for (const name of ['calls', 'referrals', 'delivered'] as const) sums[name] += report[name];
  for (const [fault, count] of Object.entries(report.faults)) faults[fault] = (faults[fault] ?? 0) + count;
  longest = Math.max(longest, report.longest);
  if (process.stderr.isTTY) process.stderr.write(`\r${sums.calls} of ${total} calls`);
  if (report.violations.length === 0) continue;
  const { callers, calls, faults: needed } = await shortestFailure(plan);
  const { violations } = await simulate({ seed, callers, calls, faults: needed });
  const kinds = Object.keys(needed).filter((fault) => needed[fault as Fault] > 0);
  console.error(
    `\nSeed ${seed} breaks a promise with ${calls} calls of ${callers} callers and the faults ${kinds.join(', ')}:`,
  );
  for (const violation of violations.slice(0, 10)) console.error(`  ${violation}`);
  process.exitCode = 1;
  break;
}
const { user, system } = process.cpuUsage();
console.log(`
seed                     ${first}
worlds                   ${worlds}
calls                    ${sums.calls}
clicks and referrals     ${sums.referrals}
events delivered         ${sums.delivered}
longest request          ${Math.round(longest)} ms of virtual time
faults                   ${Object.values(faults).reduce((sum, count) => sum + count, 0)}
${Object.entries(faults)
  .map(([fault, count]) => `  ${fault.padEnd(22)} ${count}`)
  .join('\n')}
CPU                      ${Math.round((user + system) / 1e6)} s
memory                   ${Math.round(process.resourceUsage().maxRSS / 1024)} MB
promises broken          ${process.exitCode === 1 ? 'see above' : 0}`);
