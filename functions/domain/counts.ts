import { RangeTooLarge } from './errors.ts';
import type { State } from './referral/state.ts';
import type { Seconds } from './time.ts';

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
  /** Times newest first; sub ids ascending by code unit, `null` last. Empty without a grouping. */
  readonly groups: readonly CountGroup[];
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

  /** Counts referrals in a state. Throws `RangeTooLarge` above the limits. */
  add(state: State, count: number): void {
    this.#total[state] += count;
    this.#rows += count;
    const { rows, groups } = this.#limits;
    if (this.#rows > rows || this.#groups.size > groups) throw new RangeTooLarge(rows, groups);
  }

  /** Counts one referral in its group. Throws `RangeTooLarge` above the limits. */
  addOne(state: State, referral: Countable): void {
    if (this.#grouping !== undefined) {
      const key = groupOf(referral, this.#grouping);
      const group = this.#groups.get(key) ?? noReferrals();
      group[state] += 1;
      this.#groups.set(key, group);
    }
    this.add(state, 1);
  }

  result(): Counts {
    const groups = [...this.#groups].map(([key, counts]) => ({ key, counts }));
    const direction = this.#grouping === 'sub_id' ? 1 : -1;
    return { total: this.#total, groups: groups.toSorted((one, other) => direction * compareKeys(one.key, other.key)) };
  }
}

const noReferrals = (): Record<State, number> => ({ clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 });

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
