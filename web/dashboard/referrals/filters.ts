import type { Query } from '../../kit/api-types.ts';
import { beforeFirstDayOf, isRange, type Range } from '../../kit/ranges.ts';
import type { Filters } from '../router.ts';

export const STATES = ['converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];
const isState = (text: unknown): text is State => STATES.some((state) => state === text);

/** The filters of the list, as the address has them. */
export interface ReferralFilters {
  readonly state: State | undefined;
  readonly range: Range | undefined;
  readonly advocate: string | undefined;
  readonly isFlagged: boolean;
  /** The referral whose drawer is open. */
  readonly id: string | undefined;
}

/** Reads the filters of an address that anybody may have written. */
export function parseFilters({ state, range, advocate, flag, id }: Filters): ReferralFilters {
  return {
    state: isState(state) ? state : undefined,
    range: isRange(range) ? range : undefined,
    advocate: advocate || undefined,
    isFlagged: flag === 'self_referral',
    id: id || undefined,
  };
}

/** The filters for the address. */
export function toFilters({ state, range, advocate, isFlagged, id }: ReferralFilters): Filters {
  return { state, range, advocate, flag: isFlagged ? 'self_referral' : undefined, id };
}

/** The filters for the API. The flag is a filter of the whole program only. */
export function queryOf(filters: ReferralFilters, now: number): NonNullable<Query<'/v2/referrals', 'get'>> {
  const { state, range, advocate, isFlagged } = filters;
  return {
    ...(state && { state_eq: state }),
    ...(range && { state_set_at_gt: beforeFirstDayOf(range, now) }),
    ...(advocate !== undefined ? { affiliate_slug: advocate } : isFlagged && { flag_eq: 'self_referral' }),
  };
}
