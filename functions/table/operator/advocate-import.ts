import type { Advocate, AttributionTarget } from '../../domain/advocate.ts';
import { type AdvocateWriteName, advocateWrites, attributionTargetOf, listedAdvocateOf } from '../advocates.ts';
import { advocateKey } from '../keys.ts';
import type { Table } from '../table.ts';
import type { FailedConditions } from '../writes.ts';
import { bulkTransact } from './bulk-writes.ts';

/** The result of storing an advocate. `known`: an advocate with the same email and uid already has the slug. */
export type AdvocateOutcome = 'created' | 'known' | 'uid taken' | 'slug taken';

/**
 * Stores many advocates, each with its claim or not at all, and returns the result for each. `slug taken` says nothing
 * about the uid: the advocate may already exist under another slug. Throws `Unavailable`; then some of them are stored,
 * and storing all of them again completes the rest.
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

/** Reads what a referral needs to know about the advocates with these slugs, by slug. Unknown slugs are missing. */
export async function findAttributionTargets(
  table: Table,
  program: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, AttributionTarget>> {
  const items = await table.batchGet(slugs.map((slug) => advocateKey(program, slug)));
  const targets = items.filter((item) => item !== undefined).map(attributionTargetOf);
  return new Map(targets.map((target) => [target.slug, target]));
}
