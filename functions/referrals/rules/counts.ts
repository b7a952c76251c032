import { RangeTooLarge } from '../../kernel/errors.ts';
import type { Seconds } from '../../kernel/time.ts';
import { STATES, type State } from './state.ts';

/** How to group counted referrals: by day or month of `created_at` in UTC, or by sub id. */
export const GROUPINGS = ['day', 'month', 'sub_id'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A number of referrals for each state. */
export type StateCounts = Readonly<Record<State, number>>;

export interface CountGroup {
  /** `YYYY-MM-DD`, `YYYY-MM` or the sub id; `null` for referrals without sub id. */
  readonly key: string | null;
  readonly counts: StateCounts;
}

export interface Counts {
  readonly total: StateCounts;
  /**
   * The largest groups, up to the limit. Times newest first; sub ids ascending by code unit, `null` last. Empty without a
   * grouping.
   */
  readonly groups: readonly CountGroup[];
  /** The sum of the remaining groups; `null` if there are none. */
  readonly other: StateCounts | null;
}

/** The most referrals that a count reads, about 35 MB, and the most groups that it returns. */
export const COUNT_LIMITS = { rows: 100_000, groups: 1000 };

/** The fields of a referral that determine its group. */
export interface Countable {
  readonly createdAt: Seconds;
  readonly subId: string | null;
}

/** Counts referrals by state, and by group if there is a grouping. */
export class Counter {
  readonly #grouping: Grouping | undefined;
  readonly #limits: typeof COUNT_LIMITS;
  readonly #groups = new Map<string | null, Record<State, number>>();
  readonly #total = noReferrals();
  #rows = 0;

  constructor(grouping: Grouping | undefined, limits: typeof COUNT_LIMITS) {
    this.#grouping = grouping;
    this.#limits = limits;
  }

  /** True if each referral is needed, not only how many there are. */
  get isGrouped(): boolean {
    return this.#grouping !== undefined;
  }

  /** Counts referrals in a state. Throws `RangeTooLarge` above the limit of rows. */
  add(state: State, count: number): void {
    this.#total[state] += count;
    this.#rows += count;
    if (this.#rows > this.#limits.rows) throw new RangeTooLarge(this.#limits.rows);
  }

  /** Counts one referral in its group. Throws `RangeTooLarge` above the limit of rows. */
  addOne(state: State, referral: Countable): void {
    if (this.#grouping !== undefined) {
      const key = groupOf(referral, this.#grouping);
      const group = this.#groups.get(key) ?? noReferrals();
      group[state] += 1;
      this.#groups.set(key, group);
    }
    this.add(state, 1);
  }

  /**
   * Returns the counts. Above the limit of groups, the largest ones are listed: by referrals that are no longer clicks,
   * because anyone can add clicks, then by clicks, then by their order in the list.
   */
  result(): Counts {
    const direction = this.#grouping === 'sub_id' ? 1 : -1;
    const all = [...this.#groups]
      .map(([key, counts]) => ({ key, counts }))
      .toSorted((one, other) => direction * compareKeys(one.key, other.key));
    // Sorting is stable: groups of the same size keep their order.
    const largestFirst = all.toSorted((one, other) => sizeOf(other) - sizeOf(one) || clicksIn(other) - clicksIn(one));
    const listed = new Set(largestFirst.slice(0, this.#limits.groups));
    const rest = largestFirst.slice(this.#limits.groups);
    return {
      total: this.#total,
      groups: all.filter((group) => listed.has(group)),
      other: rest.length === 0 ? null : sumOf(rest),
    };
  }
}

/** Adds counts up. */
export function sumOf(groups: Iterable<{ readonly counts: StateCounts }>): StateCounts {
  const sum = noReferrals();
  for (const { counts } of groups) for (const state of STATES) sum[state] += counts[state];
  return sum;
}

const noReferrals = (): Record<State, number> => ({ clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 });

const clicksIn = ({ counts }: CountGroup): number => counts.clicked;
/** The number of a group's referrals that are no longer clicks. */
const sizeOf = ({ counts }: CountGroup): number => counts.converted + counts.paid + counts.churned + counts.rejected;

function groupOf({ createdAt, subId }: Countable, grouping: Grouping): string | null {
  if (grouping === 'sub_id') return subId;
  return new Date(createdAt * 1000).toISOString().slice(0, grouping === 'day' ? 10 : 7);
}

/** Compares by code unit; `null` is after all texts. */
function compareKeys(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}
