import { advocateReferrals, advocateState, advocateSubId } from '../../kernel/dynamodb/keys.ts';
import { type PageStart, readPage } from '../../kernel/dynamodb/page.ts';
import { ALL_TIME, type Plan } from '../../kernel/dynamodb/plan.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { intersection, later, type SecondsRange } from '../../kernel/time.ts';
import type { State } from '../rules/state.ts';
import { type ListedReferral, parseListedReferral } from './referral-item.ts';

/** The filters of the referral list; `undefined` if a filter is absent. */
export interface ReferralFilters {
  readonly state: State | undefined;
  readonly subId: string | undefined;
  readonly createdAt: SecondsRange | undefined;
  readonly stateSetAt: SecondsRange | undefined;
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
    return {
      index: 'by_state_set_at',
      partition,
      range: bounds,
      filter: { equal: { state, sub_id: subId }, createdAt },
    };
  }
  if (subId !== undefined) {
    return {
      index: 'by_sub_id',
      partition: advocateSubId(program, slug, false, subId),
      range,
      filter: { equal: { state } },
    };
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

/** Reads a page of an advocate's referrals, in the order of `planReferrals`. Throws `InvalidCursor` and `PageTooDeep`. */
export async function readReferrals(
  table: Table,
  { program, slug }: { readonly program: string; readonly slug: string },
  filters: ReferralFilters,
  { start, size }: { readonly start: PageStart; readonly size: number },
): Promise<{ readonly referrals: readonly ListedReferral[]; readonly next: string | undefined }> {
  const { items, next } = await readPage(table, planReferrals(program, slug, filters), start, size);
  return { referrals: items.map(parseListedReferral), next };
}
