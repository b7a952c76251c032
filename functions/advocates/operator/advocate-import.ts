import type { Advocate, AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import { parseAttributionTarget, parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { advocateKey, advocateUidKey, type Key, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import type { FailedConditions } from '../../kernel/dynamodb/writes.ts';
import { bulkStoreOf } from '../../kernel/operator/bulk-writes.ts';
import { type AdvocateWriteName, advocateWrites } from '../table/advocates.ts';

/**
 * The result of storing an advocate. `known`: an advocate with the same email and uid already has the slug, or the same
 * advocate, who was erased since.
 */
export type AdvocateOutcome = 'created' | 'known' | 'uid taken' | 'slug taken';

/**
 * Stores many advocates, each in one transaction with its claim, and returns the result for each. After `slug taken`,
 * the advocate may still exist under another slug. Throws `Unavailable`; then only some advocates are stored, and the
 * import can safely be repeated. With a `DryRunStore` as `store`, nothing is written.
 */
export async function createAdvocates(
  table: Table,
  program: string,
  advocates: readonly Advocate[],
  store = bulkStoreOf(table),
): Promise<AdvocateOutcome[]> {
  const groups = advocates.map((advocate) => advocateWrites(program, advocate));
  const failed = await store.write(groups);
  return advocates.map((advocate, index) => outcomeOf(advocate, failed[index]));
}

function outcomeOf(
  { id, email, uid }: Advocate,
  failed: FailedConditions<AdvocateWriteName> = new Map(),
): AdvocateOutcome {
  const item = failed.get('slug');
  if (!item) return failed.has('uid') ? 'uid taken' : 'created';
  const holder = parseListedAdvocate(item);
  const isSame = holder.email === email && holder.uid === uid;
  // Only an erased advocate has no email.
  const isErased = holder.email === null && holder.id === id;
  return isSame || isErased ? 'known' : 'slug taken';
}

/** Finds advocates by their slugs. Unknown slugs are missing from the result. */
export function findAttributionTargets(table: Table, program: string, slugs: readonly string[]) {
  return targetsAt(table, slugs, (slug) => advocateKey(program, slug));
}

/** Finds advocates by their uids. Unknown uids are missing from the result. */
export function findAttributionTargetsByUid(table: Table, program: string, uids: readonly string[]) {
  return targetsAt(table, uids, (uid) => advocateUidKey(program, uid));
}

async function targetsAt(
  table: Table,
  names: readonly string[],
  keyOfName: (name: string) => Key,
): Promise<ReadonlyMap<string, AttributionTarget>> {
  const items = await batchGet(table, names.map(keyOfName));
  return new Map(
    names.flatMap((name, index) => {
      const item = items[index];
      return item ? [[name, parseAttributionTarget(item)] as const] : [];
    }),
  );
}

/** Reads the slugs of all advocates of a program by their emails; `null` if several advocates have the email. */
export async function findSlugsByEmail(table: Table, program: string): Promise<ReadonlyMap<string, string | null>> {
  const slugs = new Map<string, string | null>();
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    for (const { email, slug } of rows.map(parseListedAdvocate)) {
      if (email !== null) slugs.set(email, slugs.has(email) ? null : slug);
    }
  }
  return slugs;
}
