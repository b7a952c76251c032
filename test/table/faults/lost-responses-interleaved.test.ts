import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StateRefused } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { State } from '../../../functions/domain/state.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { eraseReferral } from '../../../functions/table/referrals.ts';
import { interleavedAttempts } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { atTime, itemsOf, type TestTable } from '../../support/table.ts';
import { PAIRS } from '../../support/transitions.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

type Change = 'erase' | State;
const change = fc.constantFrom<Change>('erase', 'paid', 'churned', 'rejected', 'converted');
/** For each write attempt, in execution order: whether its response is lost. The SDK makes up to three attempts. */
const losses = fc
  .array(fc.boolean(), { minLength: 6, maxLength: 6 })
  .filter((lost) => lost.filter(Boolean).length <= 2);

/** A referral after some changes, and the outcome of each change. */
interface Result {
  readonly outcomes: readonly ('done' | 'refused')[];
  readonly states: readonly State[];
  readonly isErased: boolean;
}

/** Returns the result of sequential changes in one order, according to the transition table. */
function sequentialResult(changes: readonly Change[], order: readonly number[]): Result {
  const outcomes: ('done' | 'refused')[] = [];
  const states: State[] = ['converted'];
  for (const index of order) {
    const to = changes[index];
    const pair = PAIRS.find(({ from, to: wanted }) => from === states.at(-1) && wanted === to);
    outcomes[index] = pair?.outcome === 'refused' ? 'refused' : 'done';
    if (pair?.outcome === 'set') states.push(pair.to);
  }
  return { outcomes, states, isErased: changes.includes('erase') };
}

function ordersOf(indexes: readonly number[]): number[][] {
  if (indexes.length === 0) return [[]];
  return indexes.flatMap((first) =>
    ordersOf(indexes.filter((index) => index !== first)).map((rest) => [first, ...rest]),
  );
}

const applyChange = (at: TestTable, program: Program, id: string, kind: Change) =>
  kind === 'erase' ? eraseReferral(at, program.id, id, 'operator') : set(at, program, id, kind);

test('changes with lost responses and interleaved requests have the same result as sequential changes', async () => {
  const property = async (scheduler: fc.Scheduler, changes: Change[], lost: boolean[]) => {
    const program = await aProgram(table);
    const { id } = await aReferral(table, program, await anAdvocate(table, program));
    // All changes have the same time, so history entries differ only in their state.
    const moment = milliseconds(Date.now());
    const at = atTime(table, () => moment);
    const results = await interleavedAttempts(scheduler, at, lost, () =>
      Promise.allSettled(changes.map((kind) => applyChange(at, program, id, kind))),
    );
    const outcomes = results.map((result) => {
      if (result.status === 'fulfilled') return 'done';
      expect(result.reason).toBeInstanceOf(StateRefused);
      return 'refused';
    });
    const stored = await storedReferral(table, program, id);
    const found = {
      outcomes,
      states: stored && statesIn(stored.history),
      isErased: stored?.email === null,
    };
    expect(ordersOf([...changes.keys()]).map((order) => sequentialResult(changes, order))).toContainEqual(found);
    expectConsistent(await itemsOf(table, program), program);
  };
  const changes = fc.array(change, { minLength: 2, maxLength: 4 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), changes, losses, property), { numRuns: 50 });
});
