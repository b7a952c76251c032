import { InvalidCursor } from '../../errors.ts';
import { isSlug } from '../../fields/fields.ts';
import { compareDown } from './totals.ts';

/** A row of a list that is sorted by values, the largest first; equal ones by slug. */
export interface Ranked {
  /** All rows of a list have equally many. */
  readonly values: readonly bigint[];
  readonly slug: string;
}

const POSITION = /^(-?\d{1,40}(?:,-?\d{1,40})*)#(.+)$/;

/** The position of a row, which a cursor contains: its values and its slug. */
export const positionIn = ({ values, slug }: Ranked): string => `${values.join(',')}#${slug}`;

/** Sorts rows, and returns the rows after a position. Throws `InvalidCursor`. */
export function rankedAfter<Row extends Ranked>(rows: readonly Row[], after: string | undefined): Row[] {
  const last = after === undefined ? undefined : parsePosition(after);
  return rows.filter((row) => last === undefined || compare(last, row) < 0).sort(compare);
}

/** Returns the first rows, and the position of the last one if more rows follow. */
export function firstOf<Row extends Ranked>(
  rows: readonly Row[],
  size: number,
): { readonly page: readonly Row[]; readonly next: string | undefined } {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return { page, next: last && positionIn(last) };
}

function compare(one: Ranked, other: Ranked): number {
  for (const [index, value] of one.values.entries()) {
    const order = compareDown(value, other.values[index] ?? 0n);
    if (order !== 0) return order;
  }
  return one.slug === other.slug ? 0 : one.slug < other.slug ? -1 : 1;
}

function parsePosition(text: string): Ranked {
  const [, values, slug] = POSITION.exec(text) ?? [];
  if (values === undefined || slug === undefined || !isSlug(slug)) throw new InvalidCursor();
  return { values: values.split(',').map(BigInt), slug };
}
