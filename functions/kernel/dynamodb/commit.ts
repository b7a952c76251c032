import { joinIncrements } from './increments.ts';
import type { Outcome, Table } from './table.ts';
import { attemptTransaction, type FailedConditions, type LabelledWrite } from './writes.ts';

/**
 * Carries out writes in one transaction. Returns `result` if they are written. A conflict means that another write came
 * first: the caller reads again. `refuse` throws if a condition failed after which the caller gives up.
 */
export async function commit<Result>(
  table: Table,
  writes: readonly LabelledWrite<string>[],
  result: Result,
  refuse: (failed: FailedConditions<string>) => void = () => undefined,
): Promise<Outcome<Result>> {
  const outcome = await attemptTransaction(table, joinIncrements(writes));
  if ('conflict' in outcome) return outcome;
  refuse(outcome.result);
  return outcome.result.size === 0 ? { result } : { conflict: undefined };
}
