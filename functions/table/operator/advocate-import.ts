import type { Advocate, AttributionTarget } from '../../domain/advocate.ts';
import { type AdvocateWriteName, advocateWrites, attributionTargetOf, listedAdvocateOf } from '../advocates.ts';
import { advocateKey } from '../keys.ts';
import { batchGet, type Table } from '../table.ts';
import type { FailedConditions } from '../writes.ts';
import { bulkTransact } from './bulk-writes.ts';

/** The result of storing an advocate. `known`: an advocate with the same email and uid already has the slug. */
export type AdvocateOutcome = 'created' | 'known' | 'uid taken' | 'slug taken';

/**
 * Stores many advocates, each in one transaction with its claim, and returns the result for each. After `slug taken`,
 * the advocate may still exist under another slug. Throws `Unavailable`; then only some advocates are stored, and the
 * same call can safely be repeated.
 */
export async function createAdvocates(
  table: Table,
  program: string,
  advocates: readonly Advocate[],
): Promise<AdvocateOutcome[]> {
  const groups = advocates.map((advocate) => advocateWrites(program, advocate));
  const failed = await bulkTransact(table, groups);
  return advocates.map((advocate, index) => outcomeOf(advocate, failed[index]));
}

function outcomeOf({ email, uid }: Advocate, failed: FailedConditions<AdvocateWriteName> = new Map()): AdvocateOutcome {
  const item = failed.get('slug');
  if (!item) return failed.has('uid') ? 'uid taken' : 'created';
  const holder = listedAdvocateOf(item);
  return holder.email === email && holder.uid === uid ? 'known' : 'slug taken';
}

/** Finds advocates by their slugs. Unknown slugs are missing from the result. */
export async function findAttributionTargets(
  table: Table,
  program: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, AttributionTarget>> {
  const items = await batchGet(
    table,
    slugs.map((slug) => advocateKey(program, slug)),
  );
  const targets = items.filter((item) => item !== undefined).map(attributionTargetOf);
  return new Map(targets.map((target) => [target.slug, target]));
}
