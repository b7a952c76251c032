import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { StateRefused } from '../../functions/kernel/errors.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import type { HistoryEntry } from '../../functions/referrals/rules/history.ts';
import type { Referral } from '../../functions/referrals/rules/referral.ts';
import { STATES, type State } from '../../functions/referrals/rules/state.ts';
import { eraseReferral } from '../../functions/referrals/table/referrals.ts';
import { applyStripeEvent } from '../../functions/stripe/table/apply-event.ts';
import { interleavedAttempts } from '../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral } from '../support/program.ts';
import { anInvoice } from '../support/stripe/stripe.ts';
import { expectConsistent } from '../support/table/consistency.ts';
import { move, set, storedReferral } from '../support/table/situations.ts';
import { atTime, itemsOf, type TestTable } from '../support/table.ts';
import { PAIRS } from '../support/transitions.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();

type Change = 'erase' | 'own' | 'other' | 'invoice' | State;
/** Erasures, moves to the referral's first advocate and to another one, payments that Stripe reports, and states. */
const change = fc.constantFrom<Change>('erase', 'own', 'other', 'invoice', 'paid', 'churned', 'rejected', 'converted');
/** For each write attempt, in execution order: whether its response is lost. The SDK makes up to three attempts. */
const losses = fc
  .array(fc.boolean(), { minLength: 6, maxLength: 6 })
  .filter((lost) => lost.filter(Boolean).length <= 2);

/** The result of an event whose state cannot follow the current one. */
const REFUSED = { ignored: 'refused_transition' };

/** A referral after some changes, and the outcome of each change. */
interface Result {
  readonly outcomes: readonly ('done' | 'refused')[];
  /** The history: states, slugs of moves, and an erasure. */
  readonly history: readonly Change[];
}

/** The entry that a change adds to the history. */
const effectOf = (kind: Change) => (kind === 'invoice' ? 'paid' : kind);

/** Returns the result of sequential changes in one order, according to the transition table. */
function sequentialResult(changes: readonly Change[], order: readonly number[]): Result {
  const outcomes: ('done' | 'refused')[] = [];
  const history: Change[] = ['own', 'converted'];
  const last = (kinds: readonly Change[]) => history.findLast((kind) => kinds.includes(kind));
  for (const index of order) {
    const kind = changes[index] ?? 'erase';
    const to = effectOf(kind);
    // Nothing leads from an event to an erased person.
    outcomes[index] = 'done';
    if (kind === 'invoice' && history.includes('erase')) continue;
    const pair = PAIRS.find((each) => each.from === last(STATES) && each.to === to);
    if (pair?.outcome === 'refused') outcomes[index] = 'refused';
    // An erasure or a move changes nothing if the person is erased, or if the referral belongs to the advocate.
    const isKept = pair ? pair.outcome !== 'set' : last(to === 'erase' ? ['erase'] : ['own', 'other']) === to;
    if (!isKept) history.push(to);
  }
  // The history does not contain the first advocate.
  return { outcomes, history: history.slice(1) };
}

function labelOf(entry: HistoryEntry): string {
  switch (entry.type) {
    case 'state':
      return entry.state;
    case 'reassignment':
      return entry.to;
    case 'erasure':
      return 'erase';
  }
}

function ordersOf(indexes: readonly number[]): number[][] {
  if (indexes.length === 0) return [[]];
  return indexes.flatMap((first) =>
    ordersOf(indexes.filter((index) => index !== first)).map((rest) => [first, ...rest]),
  );
}

function applyChange(at: TestTable, program: Program, { id, email }: Referral, kind: Change): Promise<object> {
  switch (kind) {
    case 'invoice':
      return applyStripeEvent(at, program, anInvoice({ ...(email !== null && { email }), customer: 'cus_1' }));
    case 'erase':
      return eraseReferral(at, program.id, id, 'operator');
    case 'own':
    case 'other':
      return move(at, program, id, kind);
    default:
      return set(at, program, id, kind);
  }
}

test('changes with lost responses and interleaved requests have the same result as sequential changes', async () => {
  const property = async (scheduler: fc.Scheduler, changes: Change[], lost: boolean[]) => {
    const program = await aProgram(table);
    const referral = await aReferral(table, program, await anAdvocate(table, program, { slug: 'own' }));
    await anAdvocate(table, program, { slug: 'other' });
    // All changes have the same time, so that only their position distinguishes equal history entries.
    const moment = milliseconds(Date.now());
    const at = atTime(table, () => moment);
    const results = await interleavedAttempts(scheduler, at, lost, () =>
      Promise.allSettled(changes.map((kind) => applyChange(at, program, referral, kind))),
    );
    const outcomes = results.map((result) => {
      if (result.status === 'fulfilled') return isDeepStrictEqual(result.value, REFUSED) ? 'refused' : 'done';
      expect(result.reason).toBeInstanceOf(StateRefused);
      return 'refused';
    });
    const stored = await storedReferral(table, program, referral.id);
    const found = { outcomes, history: stored?.history.map(labelOf) };
    expect(ordersOf([...changes.keys()]).map((order) => sequentialResult(changes, order))).toContainEqual(found);
    expectConsistent(await itemsOf(table, program), program);
  };
  const changes = fc.array(change, { minLength: 2, maxLength: 4 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), changes, losses, property), { numRuns: 50 });
});
