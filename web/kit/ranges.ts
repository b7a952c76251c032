/** The ranges of numbers and charts, in UTC and with today. */
export const RANGES = ['7d', '30d', '90d', '12m'] as const;
export type Range = (typeof RANGES)[number];

const DAY = 86_400_000;

export function isRange(text: unknown): text is Range {
  return RANGES.some((range) => range === text);
}

/** The query of statistics for a range. Days include as many days before, to compare with. */
interface RangeQuery {
  readonly from: string;
  readonly to: string;
  readonly group_by: 'day' | 'month';
}

/** Returns the query for a range and the period before. 12 months have no period before: it would exceed 400 days. */
export function queryOf(range: Range, now: number): RangeQuery {
  if (range === '12m') return { from: `${monthsBack(now, 11)}-01`, to: dayOf(now), group_by: 'month' };
  return { from: dayOf(now - (2 * daysOf(range) - 1) * DAY), to: dayOf(now), group_by: 'day' };
}

/** The first day of a range, without the period before. */
export function firstDayOf(range: Range, now: number): string {
  return range === '12m' ? `${monthsBack(now, 11)}-01` : dayOf(now - (daysOf(range) - 1) * DAY);
}

/** The last second before a range, for filters that exclude their bound. */
export function beforeFirstDayOf(range: Range, now: number): string {
  return secondBefore(Date.parse(firstDayOf(range, now)));
}

/** The bounds of a month (`YYYY-MM`) for filters that exclude them. */
export function boundsOfMonth(month: string): { after: string; before: string } {
  const start = Date.parse(`${month}-01`);
  return { after: secondBefore(start), before: `${monthsBack(start, -1)}-01T00:00:00Z` };
}

const secondBefore = (time: number) => new Date(time - 1000).toISOString();

/** Splits the groups of a response, newest first, into the range and the period before. */
export function splitGroups<Group>(
  range: Range,
  groups: readonly Group[],
): [shown: Group[], before: Group[] | undefined] {
  if (range === '12m') return [groups.slice(0, 12), undefined];
  const days = daysOf(range);
  return [groups.slice(0, days), groups.slice(days, 2 * days)];
}

/** The UTC day of a moment (Unix milliseconds). */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The UTC month of a moment, or a number of months before. */
export function monthsBack(now: number, months: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)).toISOString().slice(0, 7);
}

function daysOf(range: Exclude<Range, '12m'>): number {
  return { '7d': 7, '30d': 30, '90d': 90 }[range];
}
