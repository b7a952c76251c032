import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StateRefused } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { State } from '../../../functions/domain/state.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { eraseReferral } from '../../../functions/table/referrals.ts';
import { interleavedAttempts } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { atTime, itemsOf, type TestTable } from '../../support/table.ts';
import { PAIRS } from '../../support/transitions.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

type Change = 'erase' | State;
const change = fc.constantFrom<Change>('erase', 'paid', 'churned', 'rejected', 'converted');
/** Of each attempt to write, in the order in which they are carried out: whether its response is lost. The SDK makes three. */
const losses = fc
  .array(fc.boolean(), { minLength: 6, maxLength: 6 })
  .filter((lost) => lost.filter(Boolean).length <= 2);

/** A referral after some changes, and the outcome of each. */
interface Result {
  readonly outcomes: readonly ('done' | 'refused')[];
  readonly states: readonly State[];
  readonly isErased: boolean;
}

/** The changes one after the other, in one order: what the table of transitions says. */
function inTurn(changes: readonly Change[], order: readonly number[]): Result {
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

const make = (at: TestTable, program: Program, id: string, what: Change) =>
  what === 'erase' ? eraseReferral(at, program.id, id) : set(at, program, id, what);

test('whichever responses are lost and in whatever order requests arrive, changes come out as if made one after the other', async () => {
  const property = async (scheduler: fc.Scheduler, changes: Change[], lost: boolean[]) => {
    const program = await aProgram(table);
    const { id } = await aReferral(table, program, await anAdvocate(table, program));
    // All in one second: entries of the history differ by nothing but their state.
    const moment = milliseconds(Date.now());
    const at = atTime(table, () => moment);
    const results = await interleavedAttempts(scheduler, at, lost, () =>
      Promise.allSettled(changes.map((what) => make(at, program, id, what))),
    );
    const outcomes = results.map((result) => {
      if (result.status === 'fulfilled') return 'done';
      expect(result.reason).toBeInstanceOf(StateRefused);
      return 'refused';
    });
    const stored = await storedReferral(table, program, id);
    const found = {
      outcomes,
      states: stored?.history.map(({ state }) => state),
      isErased: stored?.email === null,
    };
    expect(ordersOf([...changes.keys()]).map((order) => inTurn(changes, order))).toContainEqual(found);
    expectConsistent(await itemsOf(table, program), program);
  };
  const changes = fc.array(change, { minLength: 2, maxLength: 4 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), changes, losses, property), { numRuns: 50 });
});
