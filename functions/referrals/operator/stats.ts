import { prefetch } from '../../kernel/dynamodb/prefetch.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { SecondsRange } from '../../kernel/time.ts';
import type { StateCounts } from '../rules/counts.ts';
import { countReferrals } from '../table/counts.ts';

/** How many clicks and referrals an advocate has in each state. */
export interface AdvocateCounts {
  readonly slug: string;
  readonly counts: StateCounts;
}

/** Number of advocates whose referrals are counted at the same time. Each needs five requests or more. */
const AT_ONCE = 8;
/** An operator waits longer than a caller of the API, and reads no groups. */
const UNLIMITED = { rows: Number.POSITIVE_INFINITY, groups: 0 };

/** Counts the clicks and referrals of an advocate by their current state, however many there are. */
export async function countAll(
  table: Table,
  program: string,
  slug: string,
  createdAt?: SecondsRange,
): Promise<StateCounts> {
  const filters = { subId: undefined, createdAt, clicks: true };
  const { total } = await countReferrals(table, program, slug, { ...filters, limits: UNLIMITED });
  return total;
}

/** Counts the clicks and referrals of many advocates, some at a time. Yields the counts in the order of the slugs. */
export function countEach(
  table: Table,
  program: string,
  slugs: readonly string[],
  createdAt: SecondsRange | undefined,
): AsyncGenerator<AdvocateCounts, void> {
  const counted = slugs.map(async function* (slug) {
    yield { slug, counts: await countAll(table, program, slug, createdAt) };
  });
  return prefetch(counted, AT_ONCE);
}
