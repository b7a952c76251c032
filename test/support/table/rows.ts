import fc from 'fast-check';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { type SecondsRange, seconds } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import type { ReferralFilters } from '../../../functions/referrals/table/advocate-referrals.ts';
import { LISTED_FIELDS, type ListedReferral } from '../../../functions/referrals/table/referral-item.ts';
import { aClick, aReferral } from '../program.ts';
import { inParallel } from '../table.ts';

/** All rows are created within a few seconds of this time, so many of them share the same second. */
export const START = 1_700_000_000;
const SPAN = 20;
const SUB_IDS = ['news', 'News', 'spring/summer', 'a#CLICKS#b', 'ñandú'] as const;

type Changes = Pick<Referral, 'state' | 'subId' | 'createdAt' | 'stateSetAt' | 'updatedAt'>;

const row: fc.Arbitrary<Changes> = fc
  .record({
    state: fc.constantFrom(...STATES),
    subId: fc.constantFrom(null, ...SUB_IDS),
    createdAt: fc.nat(SPAN - 1),
    later: fc.nat(6),
  })
  .map(({ state, subId, createdAt, later }) => {
    const moment = seconds(START + createdAt + (state === 'clicked' ? 0 : later));
    return { state, subId, createdAt: seconds(START + createdAt), stateSetAt: moment, updatedAt: moment };
  });

/** Generates random rows from a fixed seed: the rows are the same in every run, the queries differ. */
export const sampleRows = (count: number, seed: number): Changes[] => fc.sample(row, { numRuns: count, seed });

/** Stores a row with the regular write functions and returns it as it appears in a list. */
export async function storeRow(
  table: Table,
  program: Program,
  advocate: Advocate,
  changes: Changes,
): Promise<ListedReferral> {
  const stored =
    changes.state === 'clicked'
      ? await aClick(table, program, advocate, changes)
      : await aReferral(table, program, advocate, changes);
  const isListed = ([key]: [string, unknown]) => Object.hasOwn(LISTED_FIELDS, key);
  return Object.fromEntries(Object.entries(stored).filter(isListed)) as ListedReferral;
}

export async function storeRows(
  table: Table,
  program: Program,
  advocate: Advocate,
  rows: readonly Changes[],
): Promise<ListedReferral[]> {
  const stored: ListedReferral[] = [];
  await inParallel(rows, async (changes) => {
    stored.push(await storeRow(table, program, advocate, changes));
  });
  return stored;
}

/** Ranges around the rows: complete, half open, one second long, empty, reversed, and before or after all rows. */
export const range: fc.Arbitrary<SecondsRange> = fc
  .tuple(
    fc.oneof(fc.integer({ min: START - 3, max: START + SPAN + 8 }), fc.constant(0)),
    fc.oneof(fc.integer({ min: START - 3, max: START + SPAN + 8 }), fc.constant(253_402_300_799)),
  )
  .map(([from, to]) => ({ from: seconds(from), to: seconds(to) }));

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

export const filters: fc.Arbitrary<ReferralFilters> = fc.record({
  state: maybe(fc.constantFrom(...STATES)),
  subId: maybe(fc.constantFrom(...SUB_IDS, 'nothing has it')),
  createdAt: maybe(range),
  stateSetAt: maybe(range),
});
