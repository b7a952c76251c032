import type { ComponentChildren } from 'preact';
import type { Days } from './days.ts';
import type { Bucket, By } from './period.ts';

/** The value of some days. */
export interface Value {
  readonly days: Days;
  readonly value: number;
}

/** A point of a chart, with the value of before. */
export interface Point extends Value {
  readonly days: Bucket;
  readonly before: Value | undefined;
}

export interface ChartProps {
  /** What is drawn, such as "Revenue". */
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly Point[];
  readonly by: By;
  /** True if the last point contains today, which is not over. */
  readonly isOpen: boolean;
  /** The currency of amounts; `''` for counts. */
  readonly currency: string;
  /** What the line and the dashed line are. */
  readonly legend: readonly [string, string];
  readonly children?: ComponentChildren;
}
