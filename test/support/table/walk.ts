import { expect } from '@jest/globals';
import type { PageStart } from '../../../functions/table/dynamodb/page.ts';

/** A page, and the position of the next page if there is one. */
export interface Walked<Row> {
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
