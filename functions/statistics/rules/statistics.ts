import { type Day, type DayGrouping, type DayRange, daysIn, monthOf } from '../../kernel/days.ts';

/** What is counted on each day (docs/contract/referrals.md, Statistics), in the order of responses. */
export const KINDS = ['clicks', 'conversions', 'paying', 'churned', 'rejected'] as const;
export type Kind = (typeof KINDS)[number];

/** A number for each kind. */
export type Numbers = Readonly<Record<Kind, number>>;
/** The numbers of each day that has some. */
export type DailyNumbers = ReadonlyMap<Day, Numbers>;

export const NO_NUMBERS: Numbers = { clicks: 0, conversions: 0, paying: 0, churned: 0, rejected: 0 };

/** The statistics of a range. */
export interface Statistics {
  readonly total: Numbers;
  /** Every day or month of the range, newest first. */
  readonly groups: readonly { readonly key: string; readonly numbers: Numbers }[];
}

/** Adds numbers up. */
export function sumOf(all: Iterable<Numbers>): Numbers {
  const sum: Record<Kind, number> = { ...NO_NUMBERS };
  for (const numbers of all) for (const kind of KINDS) sum[kind] += numbers[kind];
  return sum;
}

/** True if every number is 0. */
export const isNothing = (numbers: Numbers): boolean => KINDS.every((kind) => numbers[kind] === 0);

/** Groups the days of a range. Days outside the range do not count. */
export function statisticsOf(daily: DailyNumbers, range: DayRange, grouping: DayGrouping): Statistics {
  const keyOf = grouping === 'day' ? (day: Day) => day : monthOf;
  const groups = [...Map.groupBy(daysIn(range), keyOf)].map(([key, days]) => {
    return { key, numbers: totalOf(daily, days) };
  });
  return { total: sumOf(groups.map(({ numbers }) => numbers)), groups };
}

/** The sum of some days. */
export function totalOf(daily: DailyNumbers, days: readonly Day[]): Numbers {
  return sumOf(days.map((day) => daily.get(day) ?? NO_NUMBERS));
}

/** The numbers of an advocate. */
export interface AdvocateNumbers {
  readonly slug: string;
  readonly numbers: Numbers;
}

/** Compares advocates: most paying customers first, then conversions, then clicks, then by slug. */
export function mostPayingFirst(one: AdvocateNumbers, other: AdvocateNumbers): number {
  for (const kind of ['paying', 'conversions', 'clicks'] as const) {
    const difference = other.numbers[kind] - one.numbers[kind];
    if (difference !== 0) return difference;
  }
  return one.slug < other.slug ? -1 : 1;
}
