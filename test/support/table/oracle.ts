import type { SecondsRange } from '../../../functions/domain/time.ts';
import { sortKey } from '../../../functions/table/keys.ts';
import type { ReferralFilters } from '../../../functions/table/plan.ts';
import type { ListedReferral } from '../../../functions/table/referral-item.ts';

const isWithin = (second: number, range: SecondsRange | undefined) =>
  !range || (second >= range.from && second < range.to);

/** The expected content of a list, computed from all rows: every matching row, newest first. */
export function referralsInOrder(rows: readonly ListedReferral[], filters: ReferralFilters): ListedReferral[] {
  const { state, subId, createdAt, stateSetAt } = filters;
  const matches = (row: ListedReferral) =>
    (state === undefined ? row.state !== 'clicked' : row.state === state) &&
    (subId === undefined || row.subId === subId) &&
    isWithin(row.createdAt, createdAt) &&
    isWithin(row.stateSetAt, stateSetAt);
  return newestFirst(rows.filter(matches), (row) => positionOf(row, filters));
}

/** The advocates created in a range, newest first. */
export function advocatesInOrder<Row extends { readonly createdAt: number; readonly id: string }>(
  rows: readonly Row[],
  range: SecondsRange | undefined,
): Row[] {
  return newestFirst(
    rows.filter(({ createdAt }) => isWithin(createdAt, range)),
    ({ createdAt, id }) => [createdAt, id],
  );
}

/** The position of a row in a list, in the format that the list returns as `next`. */
export function positionKey(row: ListedReferral, filters: ReferralFilters): string {
  return sortKey(filters.stateSetAt && row.state !== 'clicked' ? row.stateSetAt : row.createdAt, row.id);
}

function positionOf(row: ListedReferral, { stateSetAt }: ReferralFilters): readonly [number, string] {
  return [stateSetAt ? row.stateSetAt : row.createdAt, row.id];
}

function newestFirst<Row>(rows: readonly Row[], position: (row: Row) => readonly [number, string]): Row[] {
  return [...rows].sort((one, other) => {
    const [second, id] = position(one);
    const [otherSecond, otherId] = position(other);
    return otherSecond - second || (otherId < id ? -1 : 1);
  });
}
