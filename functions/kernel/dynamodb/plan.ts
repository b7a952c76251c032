import { LAST_SECOND, type SecondsRange, seconds } from '../time.ts';
import type { IndexName } from './schema.ts';

/** How to read a list: a partition of an index, a range of its sort key, and a filter. */
export interface Plan {
  readonly index: IndexName;
  readonly partition: string;
  /** Range of the seconds in the index's sort key. */
  readonly range: SecondsRange;
  /** Conditions that the index does not cover. Rows that do not match are read and paid for, but not listed. */
  readonly filter: {
    /** Exact values of attributes; an attribute is absent or `undefined` if any value matches. */
    readonly equal?: Readonly<Record<string, string | boolean | null | undefined>>;
    readonly createdAt?: SecondsRange | undefined;
    readonly flag?: string | undefined;
  };
}

export const ALL_TIME: SecondsRange = { from: seconds(0), to: seconds(LAST_SECOND) };
