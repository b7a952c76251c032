import type { Advocate } from '../../domain/advocate.ts';
import type { Flag } from '../../domain/referral/self-referral.ts';
import type { State } from '../../domain/referral/state.ts';
import { intersection, LAST_SECOND, later, type SecondsRange, seconds } from '../../domain/time.ts';
import { advocateReferrals, advocateState, advocateSubId, programAdvocates } from '../keys.ts';
import type { IndexName } from '../schema.ts';

/** The filters of the referral list; `undefined` if a filter is absent. */
export interface ReferralFilters {
  readonly state: State | undefined;
  readonly subId: string | undefined;
  readonly createdAt: SecondsRange | undefined;
  readonly stateSetAt: SecondsRange | undefined;
}

/** Exact values of the advocates in a list. */
export type AdvocateFilters = Readonly<Partial<Pick<Advocate, 'email' | 'uid' | 'active'>>>;

/** How to read a list: a partition of an index, a range of its sort key, and a filter. */
export interface Plan {
  readonly index: IndexName;
  readonly partition: string;
  /** Range of the seconds in the index's sort key. */
  readonly range: SecondsRange;
  /** Conditions that the index does not cover. Rows that do not match are read and paid for, but not listed. */
  readonly filter: {
    readonly state?: State | undefined;
    readonly subId?: string | undefined;
    readonly createdAt?: SecondsRange | undefined;
    readonly flag?: Flag | undefined;
    readonly advocate?: AdvocateFilters;
  };
}

export const ALL_TIME: SecondsRange = { from: seconds(0), to: seconds(LAST_SECOND) };

/** Plans the list of a program's advocates, newest first. */
export function planAdvocates(
  program: string,
  createdAt: SecondsRange | undefined,
  filters: AdvocateFilters = {},
): Plan {
  const range = createdAt ?? ALL_TIME;
  const filter = Object.keys(filters).length > 0 ? { advocate: filters } : {};
  return { index: 'by_created_at', partition: programAdvocates(program), range, filter };
}

/**
 * Plans the list of an advocate's referrals, newest first by `state_set_at` if it is filtered, else by `created_at`.
 * Clicks are listed only if `state` is `clicked`.
 */
export function planReferrals(program: string, slug: string, filters: ReferralFilters): Plan {
  const { state, subId, createdAt, stateSetAt } = filters;
  if (state === 'clicked') return planClicks(program, slug, filters);
  const range = createdAt ?? ALL_TIME;
  if (stateSetAt) {
    const partition = advocateReferrals(program, slug);
    // A state is never set before the referral is created, so the lower bound of `created_at` applies to both times.
    const bounds = { ...stateSetAt, from: later(stateSetAt.from, range.from) };
    return { index: 'by_state_set_at', partition, range: bounds, filter: { state, subId, createdAt } };
  }
  if (subId !== undefined) {
    return { index: 'by_sub_id', partition: advocateSubId(program, slug, false, subId), range, filter: { state } };
  }
  if (state) return { index: 'by_state', partition: advocateState(program, slug, state), range, filter: {} };
  return { index: 'by_created_at', partition: advocateReferrals(program, slug), range, filter: {} };
}

/** A click's state is set when it is created, so both time filters apply to the same time and give the same order. */
function planClicks(program: string, slug: string, { subId, createdAt, stateSetAt }: ReferralFilters): Plan {
  const range = intersection(createdAt ?? ALL_TIME, stateSetAt ?? ALL_TIME);
  return subId === undefined
    ? { index: 'by_state', partition: advocateState(program, slug, 'clicked'), range, filter: {} }
    : { index: 'by_sub_id', partition: advocateSubId(program, slug, true, subId), range, filter: {} };
}
