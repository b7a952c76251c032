import { expect } from '@jest/globals';
import type { PageStart } from '../../../functions/table/page.ts';

/** A page, and the place to go on from where there is more. */
export interface Walked<Row> {
  readonly found: readonly Row[];
  readonly next: string | undefined;
}

/**
 * Goes through a list by the places that its pages give, in pages of the given sizes in turn, each of which but the last
 * must be full. `between` may change the list after a page. Returns all rows in the order in which they came.
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
