import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { LAST_SECOND, seconds } from '../../../functions/domain/time.ts';
import { planAdvocates, planReferrals, type ReferralFilters } from '../../../functions/table/dynamodb/plan.ts';
import { advocateReferrals, advocateState, advocateSubId, programAdvocates } from '../../../functions/table/keys.ts';
import { aSecond, PROGRAM_ID } from '../samples.ts';

const ALL = { from: 0, to: LAST_SECOND };
const created = { from: seconds(100), to: seconds(300) };
const set = { from: seconds(200), to: seconds(400) };
const NONE: ReferralFilters = {
  state: undefined,
  subId: undefined,
  createdAt: undefined,
  stateSetAt: undefined,
};
const plan = (filters: Partial<ReferralFilters>) => planReferrals(PROGRAM_ID, 'jane', { ...NONE, ...filters });

const all = advocateReferrals(PROGRAM_ID, 'jane');
const paid = advocateState(PROGRAM_ID, 'jane', 'paid');
const clicks = advocateState(PROGRAM_ID, 'jane', 'clicked');
const subId = advocateSubId(PROGRAM_ID, 'jane', false, 's');
const subIdClicks = advocateSubId(PROGRAM_ID, 'jane', true, 's');

describe("the plan of an advocate's referrals", () => {
  test.each([
    [{}, 'by_created_at', all, ALL, {}],
    [{ createdAt: created }, 'by_created_at', all, created, {}],
    [{ state: 'paid' }, 'by_state', paid, ALL, {}],
    [{ state: 'paid', createdAt: created }, 'by_state', paid, created, {}],
    [{ subId: 's' }, 'by_sub_id', subId, ALL, {}],
    [{ subId: 's', createdAt: created }, 'by_sub_id', subId, created, {}],
    [{ subId: 's', state: 'paid' }, 'by_sub_id', subId, ALL, { state: 'paid' }],
    [{ subId: 's', state: 'paid', createdAt: created }, 'by_sub_id', subId, created, { state: 'paid' }],
    [{ stateSetAt: set }, 'by_state_set_at', all, set, {}],
    [{ stateSetAt: set, subId: 's', state: 'paid' }, 'by_state_set_at', all, set, { subId: 's', state: 'paid' }],
    [
      { stateSetAt: set, createdAt: created, subId: 's', state: 'paid' },
      'by_state_set_at',
      all,
      set,
      { createdAt: created, subId: 's', state: 'paid' },
    ],
    [{ state: 'clicked' }, 'by_state', clicks, ALL, {}],
    [{ state: 'clicked', createdAt: created }, 'by_state', clicks, created, {}],
    [{ state: 'clicked', stateSetAt: set }, 'by_state', clicks, set, {}],
    [{ state: 'clicked', createdAt: created, stateSetAt: set }, 'by_state', clicks, { from: 200, to: 300 }, {}],
    [{ state: 'clicked', subId: 's' }, 'by_sub_id', subIdClicks, ALL, {}],
    [{ state: 'clicked', subId: 's', createdAt: created }, 'by_sub_id', subIdClicks, created, {}],
    [{ state: 'clicked', subId: 's', stateSetAt: set }, 'by_sub_id', subIdClicks, set, {}],
    [
      { state: 'clicked', subId: 's', createdAt: created, stateSetAt: set },
      'by_sub_id',
      subIdClicks,
      { from: 200, to: 300 },
      {},
    ],
  ] satisfies [Partial<ReferralFilters>, ...unknown[]][])(
    'the plan with the filters %j reads %s',
    (filters, index, partition, range, filter) => {
      expect(plan(filters)).toEqual({ index, partition, range, filter });
    },
  );

  test('the plan starts no earlier than the lower bound of created_at: no state is set before', () => {
    const late = { from: seconds(350), to: seconds(1000) };
    expect(plan({ stateSetAt: set, createdAt: late })).toMatchObject({
      range: { from: 350, to: 400 },
      filter: { createdAt: late },
    });
  });

  test('the plan lists a row exactly if its times are in both ranges', () => {
    const near = fc.integer({ min: 0, max: 12 }).map(seconds);
    const ranges = fc.option(fc.record({ from: near, to: near }), { nil: undefined });
    const state = fc.constantFrom(undefined, ...STATES);
    fc.assert(
      fc.property(state, ranges, ranges, near, near, (wanted, createdAt, stateSetAt, one, other) => {
        const isClick = wanted === 'clicked';
        const row = {
          createdAt: Math.min(one, other),
          stateSetAt: isClick ? Math.min(one, other) : Math.max(one, other),
        };
        const has = (range: { from: number; to: number } | undefined, at: number) =>
          !range || (at >= range.from && at < range.to);
        const { index, range, filter } = plan({ state: wanted, createdAt, stateSetAt });
        const sorted = index === 'by_state_set_at' ? row.stateSetAt : row.createdAt;
        expect(has(range, sorted) && has(filter.createdAt, row.createdAt)).toBe(
          has(createdAt, row.createdAt) && has(stateSetAt, row.stateSetAt),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

test("the plan of a program's advocates is the range of created_at in its own partition", () => {
  fc.assert(
    fc.property(fc.option(fc.record({ from: aSecond, to: aSecond }), { nil: undefined }), (range) => {
      expect(planAdvocates(PROGRAM_ID, range)).toEqual({
        index: 'by_created_at',
        partition: programAdvocates(PROGRAM_ID),
        range: range ?? ALL,
        filter: {},
      });
    }),
  );
});
