import type { Schemas } from './api-types.ts';

/** The statistics of a day or month. */
export type Day = Schemas['Statistics']['attributes']['groups'][number];

/** Adds up the steps of the funnel. */
export function sumOf(days: readonly Day[]): { clicks: number; conversions: number; paying: number } {
  const sum = { clicks: 0, conversions: 0, paying: 0 };
  for (const { clicks, conversions, paying } of days) {
    sum.clicks += clicks;
    sum.conversions += conversions;
    sum.paying += paying;
  }
  return sum;
}
