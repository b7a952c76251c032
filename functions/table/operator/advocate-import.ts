import type { Advocate, AttributionTarget } from '../../domain/advocate.ts';
import { type AdvocateWriteName, advocateWrites, attributionTargetOf, listedAdvocateOf } from '../advocates.ts';
import { advocateKey } from '../keys.ts';
import type { Table } from '../table.ts';
import type { FailedConditions } from '../writes.ts';
import { bulkTransact } from './bulk-writes.ts';

/** DynamoDB reads no more items in one batch. */
const BATCH = 100;

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
  const failedConditions = await bulkTransact(table, groups);
  return advocates.map((advocate, index) => outcomeOf(advocate, failedConditions[index]));
}

function outcomeOf(
  { email, uid }: Advocate,
  failedConditions: FailedConditions<AdvocateWriteName> = new Map(),
): AdvocateOutcome {
  const holder = failedConditions.get('slug');
  if (holder) {
    const known = listedAdvocateOf(holder);
    return known.email === email && known.uid === uid ? 'known' : 'slug taken';
  }
  return failedConditions.has('uid') ? 'uid taken' : 'created';
}

/** What a referral must know of the advocates with these slugs, by slug; of one that is not there, nothing. */
export async function findAttributionTargets(
  table: Table,
  program: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, AttributionTarget>> {
  const found = new Map<string, AttributionTarget>();
  for (let start = 0; start < slugs.length; start += BATCH) {
    const keys = slugs.slice(start, start + BATCH).map((slug) => advocateKey(program, slug));
    for (const item of await table.batchGet(keys)) {
      const affiliate = item && attributionTargetOf(item);
      if (affiliate) found.set(affiliate.slug, affiliate);
    }
  }
  return found;
}
