import type { Fault } from './network.ts';
import type { Plan } from './run.ts';

/** Returns a smaller plan; `undefined` if there is none. */
type Reduction = (plan: Plan) => Plan | undefined;

const fewerCalls: Reduction = (plan) => (plan.calls > 1 ? { ...plan, calls: plan.calls >> 1 } : undefined);
const halfTheCallers: Reduction = (plan) => (plan.callers > 1 ? { ...plan, callers: plan.callers >> 1 } : undefined);
const oneCallerLess: Reduction = (plan) => (plan.callers > 1 ? { ...plan, callers: plan.callers - 1 } : undefined);
const without =
  (fault: Fault): Reduction =>
  (plan) =>
    plan.faults[fault] > 0 ? { ...plan, faults: { ...plan.faults, [fault]: 0 } } : undefined;

/** Leaves out whatever a failure does not need: calls, callers, kinds of faults. */
export async function shortestFailure(plan: Plan, isFailure: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  const faults = (Object.keys(plan.faults) as Fault[]).map(without);
  let shortest = plan;
  for (const reduce of [fewerCalls, halfTheCallers, oneCallerLess, ...faults, fewerCalls, oneCallerLess]) {
    for (let next = reduce(shortest); next && (await isFailure(next)); next = reduce(shortest)) shortest = next;
  }
  return shortest;
}

/** The command that replays a plan. */
export function replayOf({ seed, calls, callers, faults }: Plan): string {
  const kinds = Object.entries(faults).flatMap(([fault, rate]) => (rate > 0 ? [fault] : []));
  return `npm run test:simulation -- --seed ${seed} --calls ${calls} --world ${calls} --callers ${callers} --faults ${kinds.join() || "''"}`;
}
