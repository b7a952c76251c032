import { expect } from '@jest/globals';
import { sortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { PageStart } from '../../../functions/kernel/dynamodb/page.ts';
import type { SecondsRange } from '../../../functions/kernel/time.ts';
import type { Counts, Grouping } from '../../../functions/referrals/rules/counts.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import type { ReferralFilters } from '../../../functions/referrals/table/advocate-referrals.ts';
import type { CountFilters } from '../../../functions/referrals/table/counts.ts';
import type { ListedReferral } from '../../../functions/referrals/table/referral-item.ts';

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

/** The expected counts, computed from all rows, if there are at most as many groups as one response lists. */
export function countsOf(
  rows: readonly ListedReferral[],
  { subId, createdAt, clicks }: CountFilters,
  grouping: Grouping | undefined,
): Counts {
  const counted = rows.filter(
    (row) =>
      isWithin(row.createdAt, createdAt) && (subId ?? row.subId) === row.subId && (clicks || row.state !== 'clicked'),
  );
  const counts = (of: readonly ListedReferral[]) => {
    const number = (state: State) => of.filter((row) => row.state === state).length;
    const [clicked, converted, paid] = [number('clicked'), number('converted'), number('paid')];
    return { clicked, converted, paid, churned: number('churned'), rejected: number('rejected') };
  };
  const keyOf = (row: ListedReferral) => (grouping === 'sub_id' ? row.subId : dateOf(row.createdAt, grouping));
  const keys = grouping === undefined ? [] : [...new Set(counted.map(keyOf))];
  const texts = keys.filter((key) => key !== null).sort((one, other) => Buffer.compare(inUnits(one), inUnits(other)));
  const ordered = grouping === 'sub_id' ? [...texts, ...keys.filter((key) => key === null)] : texts.reverse();
  const groups = ordered.map((key) => ({ key, counts: counts(counted.filter((row) => keyOf(row) === key)) }));
  return { total: counts(counted), groups, other: null };
}

/** The day or month of a second in UTC. */
function dateOf(second: number, grouping: Grouping | undefined): string {
  const date = new Date(second * 1000);
  const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const digits = parts.map((part) => String(part).padStart(2, '0'));
  return digits.slice(0, grouping === 'day' ? 3 : 2).join('-');
}

/** The UTF-16 code units of a text in big-endian order, whose bytes compare like the units. */
const inUnits = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

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

/** A page, and the position of the next page if there is one. */
interface Walked<Row> {
  readonly found: readonly Row[];
  readonly next: string | undefined;
}

/**
 * Reads a complete list by following `next`, cycling through the given page sizes. Every page except the last must be
 * full. `between` runs after each page except the last and may change the list. Returns all rows in the order in which
 * they were returned.
 */
export async function walk<Row>(
  page: (start: PageStart, size: number) => Promise<Walked<Row>>,
  sizes: readonly number[],
  between: (turn: number) => Promise<unknown>,
): Promise<Row[]> {
  const walked: Row[] = [];
  let start: PageStart = { skip: 0 };
  for (let turn = 0; ; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    const { found, next } = await page(start, size);
    walked.push(...found);
    if (next === undefined) return walked;
    expect(found).toHaveLength(size);
    start = { after: next };
    await between(turn);
  }
}
