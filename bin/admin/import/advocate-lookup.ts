import type { AttributionTarget } from '../../../functions/domain/advocate.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import * as advocates from '../../../functions/table/operator/advocate-import.ts';

export type AdvocateReference = Readonly<Record<'slug' | 'email' | 'uid', string | null>>;

type Found = { readonly advocate: AttributionTarget } | { readonly reason: string };

/** Maximum number of cached advocates, not counting the current batch. */
const MAX_CACHED = 10_000;

const UNKNOWN = 'does not belong to an advocate of the program: import the advocates first';
const SEVERAL = {
  reason: 'advocate_email belongs to several advocates: name the advocate by advocate_slug or advocate_uid instead',
};
const DISAGREE = { reason: 'advocate_slug, advocate_email and advocate_uid must name the same advocate' };

/** Returns a function that finds the advocates of lines. For emails, it reads the list of all advocates once. */
export function advocateLookup(table: Table, program: string) {
  const bySlug = cached((slugs) => advocates.findAttributionTargets(table, program, slugs));
  const byUid = cached((uids) => advocates.findAttributionTargetsByUid(table, program, uids));
  let slugsByEmail: ReadonlyMap<string, string | null> | undefined;
  return async (references: readonly AdvocateReference[]): Promise<Found[]> => {
    if (references.some(({ email }) => email !== null))
      slugsByEmail ??= await advocates.findSlugsByEmail(table, program);
    const slugOf = (email: string | null) => (email === null ? undefined : slugsByEmail?.get(email));
    const slugs = await bySlug(references.flatMap(({ slug, email }) => [slug, slugOf(email) ?? null]));
    const uids = await byUid(references.map(({ uid }) => uid));
    return references.map(({ slug, email, uid }) => {
      const isShared = slugOf(email) === null;
      const named = [
        { column: 'advocate_slug', name: slug, advocate: slugs.get(slug) },
        { column: 'advocate_email', name: isShared ? null : email, advocate: slugs.get(slugOf(email) ?? null) },
        { column: 'advocate_uid', name: uid, advocate: uids.get(uid) },
      ].filter(({ name }) => name !== null);
      const unknown = named.find(({ advocate }) => !advocate);
      if (unknown) return { reason: `${unknown.column} ${UNKNOWN}` };
      const [advocate, ...others] = named.flatMap((found) => found.advocate ?? []);
      // The email of several advocates is the only one in the line.
      if (!advocate) return SEVERAL;
      const isSame = others.every((other) => other.slug === advocate.slug) && !(isShared && advocate.email !== email);
      return isSame ? { advocate } : DISAGREE;
    });
  };
}

function cached(find: (names: readonly string[]) => Promise<ReadonlyMap<string, AttributionTarget>>) {
  const cache = new Map<string | null, AttributionTarget | undefined>();
  return async (names: readonly (string | null)[]): Promise<typeof cache> => {
    if (cache.size > MAX_CACHED) cache.clear();
    const unknown = [...new Set(names)].filter((name) => name !== null).filter((name) => !cache.has(name));
    const found = unknown.length > 0 ? await find(unknown) : cache;
    for (const name of unknown) cache.set(name, found.get(name));
    return cache;
  };
}
