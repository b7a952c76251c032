import type { Advocate, Affiliate } from '../domain/advocate.ts';
import type { Milliseconds } from '../domain/time.ts';
import { advocateWrites, affiliateOf } from './advocates.ts';
import { batchGet } from './batch.ts';
import { transactGroups } from './groups.ts';
import { advocateKey } from './keys.ts';
import type { Table } from './table.ts';

/** DynamoDB reads no more items in one batch. */
const BATCH = 100;

/** What became of an advocate that was to be stored. `known`: it is there already, by its id. */
export type AdvocateOutcome = 'created' | 'known' | 'uid taken' | 'slug taken';

/**
 * Stores many advocates, each with its claims or not at all. Returns what became of each. Throws `Unavailable`; then
 * some of them are stored, and storing them all again completes the rest.
 */
export async function createAdvocates(
  table: Table,
  program: string,
  advocates: readonly Advocate[],
  deadline: Milliseconds,
): Promise<AdvocateOutcome[]> {
  const groups = advocates.map((advocate) => advocateWrites(table.name, program, advocate));
  return (await transactGroups(table, groups, deadline)).map((refusals) => {
    if (refusals.has('id')) return 'known';
    if (refusals.has('uid')) return 'uid taken';
    return refusals.has('slug') ? 'slug taken' : 'created';
  });
}

/** What a referral must know of the advocates with these slugs, by slug; of one that is not there, nothing. */
export async function findAffiliates(
  table: Table,
  program: string,
  slugs: readonly string[],
  deadline: Milliseconds,
): Promise<ReadonlyMap<string, Affiliate>> {
  const found = new Map<string, Affiliate>();
  for (let start = 0; start < slugs.length; start += BATCH) {
    const keys = slugs.slice(start, start + BATCH).map((slug) => advocateKey(program, slug));
    for (const item of await batchGet(table, keys, deadline)) {
      const affiliate = item && affiliateOf(item);
      if (affiliate) found.set(affiliate.slug, affiliate);
    }
  }
  return found;
}
