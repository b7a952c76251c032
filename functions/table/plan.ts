import type { State } from '../domain/state.ts';
import { intersection, LAST_SECOND, later, type SecondsRange, seconds } from '../domain/time.ts';
import { advocateReferrals, advocateState, advocateSubId, programAdvocates } from './keys.ts';
import type { IndexName } from './schema.ts';

/** What an advocate's referrals are filtered by; `undefined` where a filter is not given. */
export interface ReferralFilters {
  readonly state: State | undefined;
  readonly subId: string | undefined;
  readonly createdAt: SecondsRange | undefined;
  readonly stateSetAt: SecondsRange | undefined;
}

/** A way to read a list in its order: a partition of an index, a part of its sort key, and what is left to filter. */
export interface Plan {
  readonly index: IndexName;
  readonly partition: string;
  /** Bounds of the time in the index's sort key. */
  readonly range: SecondsRange;
  /** What the index does not cover: rows that do not fit are read, and paid for, but not listed. */
  readonly filter: {
    readonly state?: State | undefined;
    readonly subId?: string | undefined;
    readonly createdAt?: SecondsRange | undefined;
  };
}

const ALL_TIME: SecondsRange = { from: seconds(0), to: seconds(LAST_SECOND) };

/** Plans the list of a program's advocates, newest first. */
export function planAdvocates(program: string, createdAt: SecondsRange | undefined): Plan {
  return {
    index: 'by_created_at',
    partition: programAdvocates(program),
    range: createdAt ?? ALL_TIME,
    filter: {},
  };
}

/**
 * Plans the list of an advocate's referrals: newest first by `created_at`, or by `state_set_at` where that is
 * filtered. Clicks are listed only where `state` is `clicked`.
 */
export function planReferrals(program: string, slug: string, filters: ReferralFilters): Plan {
  const { state, subId, createdAt, stateSetAt } = filters;
  if (state === 'clicked') return planClicks(program, slug, filters);
  const range = createdAt ?? ALL_TIME;
  if (stateSetAt) {
    const partition = advocateReferrals(program, slug);
    // A state is never set before its referral was created: an early bound of one is a bound of the other.
    const bounds = { ...stateSetAt, from: later(stateSetAt.from, range.from) };
    return { index: 'by_state_set_at', partition, range: bounds, filter: { state, subId, createdAt } };
  }
  if (subId !== undefined) {
    const partition = advocateSubId(program, slug, false, subId);
    return { index: 'by_sub_id', partition, range, filter: { state } };
  }
  if (state) {
    return { index: 'by_state', partition: advocateState(program, slug, state), range, filter: {} };
  }
  return { index: 'by_created_at', partition: advocateReferrals(program, slug), range, filter: {} };
}

/** A click's state was set when it was created, and so both filters bound the same time and both orders are one. */
function planClicks(program: string, slug: string, { subId, createdAt, stateSetAt }: ReferralFilters): Plan {
  const range = intersection(createdAt ?? ALL_TIME, stateSetAt ?? ALL_TIME);
  return subId === undefined
    ? { index: 'by_state', partition: advocateState(program, slug, 'clicked'), range, filter: {} }
    : { index: 'by_sub_id', partition: advocateSubId(program, slug, true, subId), range, filter: {} };
}
