import type { Advocate, AttributionTarget } from '../domain/advocate.ts';
import { AdvocateNotFound } from '../domain/errors.ts';
import type { Seconds } from '../domain/time.ts';
import { EXISTS, NOT_EXISTS } from './conditions.ts';
import { type Item, number, optional, required, text, withoutNulls } from './item.ts';
import { advocateKey, advocateUidKey, type Key, parseSortKey, programAdvocates, sortKey } from './keys.ts';
import { get, type Table } from './table.ts';
import { type LabelledPut, putWrite, transact, updateWrite } from './writes.ts';

/** An advocate as the indexes contain it: the fields that the list returns. */
export type ListedAdvocate = Omit<Advocate, 'commissionPercentage' | 'active'>;

/** Another advocate of the program has the slug. */
export class SlugTaken extends Error {}
/** Another advocate of the program has the uid. */
export class UidTaken extends Error {}

/** Names of the writes that store an advocate: its item, whose key claims the slug, and the claim of its uid. */
export type AdvocateWriteName = 'slug' | 'uid';

/** Stores a new advocate and the claim of its uid, or nothing. Throws `SlugTaken` or `UidTaken`. */
export async function createAdvocate(table: Table, program: string, advocate: Advocate): Promise<void> {
  const failed = await transact(table, advocateWrites(program, advocate));
  if (failed.has('slug')) throw new SlugTaken();
  if (failed.size > 0) throw new UidTaken();
}

/** Builds the writes that store an advocate in one transaction. Each requires that its item does not exist. */
export function advocateWrites(program: string, advocate: Advocate): LabelledPut<AdvocateWriteName>[] {
  const item = {
    ...advocateKey(program, advocate.slug),
    owner: programAdvocates(program),
    created: sortKey(advocate.createdAt, advocate.id),
    ...withoutNulls({
      email: advocate.email,
      slug: advocate.slug,
      uid: advocate.uid,
      first_name: advocate.firstName,
      last_name: advocate.lastName,
      company_id: advocate.companyId,
      company: advocate.company,
      rate: advocate.commissionPercentage,
    }),
  };
  // The claim has everything that a conversion needs, so that a uid takes one read, like a slug.
  const claim = withoutNulls({ slug: advocate.slug, rate: advocate.commissionPercentage });
  const claims = claimKeys(program, advocate).map((key) => putWrite('uid', { ...key, ...claim }, NOT_EXISTS));
  return [...claims, putWrite('slug', item, NOT_EXISTS)];
}

/** Reads an advocate; `undefined` if no advocate has the slug. */
export async function findAdvocate(table: Table, program: string, slug: string): Promise<Advocate | undefined> {
  const item = await get(table, advocateKey(program, slug));
  return item && advocateOf(item);
}

/**
 * Activates or deactivates an advocate, in its item and its claim. Deactivating it again keeps the time of the first
 * deactivation. Throws `AdvocateNotFound`; then nothing is changed.
 */
export async function setAdvocateActive(
  table: Table,
  program: string,
  advocate: Advocate,
  active: boolean,
  now: Seconds,
): Promise<Advocate> {
  const change = active
    ? { UpdateExpression: 'REMOVE deactivated_at' }
    : {
        UpdateExpression: 'SET deactivated_at = if_not_exists(deactivated_at, :now)',
        ExpressionAttributeValues: { ':now': now },
      };
  const keys = [advocateKey(program, advocate.slug), ...claimKeys(program, advocate)];
  const failed = await transact(
    table,
    keys.map((key) => updateWrite('advocate', key, change, EXISTS)),
  );
  if (failed.size > 0) throw new AdvocateNotFound();
  return { ...advocate, active };
}

/** Parses the fields that clicks and conversions need, from an advocate's item or from the claim of its uid. */
export function attributionTargetOf(item: Item): AttributionTarget {
  return {
    slug: required(item, 'slug', text),
    commissionPercentage: optional(item, 'rate', number),
    active: item['deactivated_at'] === undefined,
  };
}

/** Parses an advocate from a row of an index, or from its item. */
export function listedAdvocateOf(item: Item): ListedAdvocate {
  const { id, second } = parseSortKey(required(item, 'created', text));
  return {
    id,
    createdAt: second,
    slug: required(item, 'slug', text),
    uid: optional(item, 'uid', text),
    email: required(item, 'email', text),
    firstName: optional(item, 'first_name', text),
    lastName: optional(item, 'last_name', text),
    companyId: optional(item, 'company_id', text),
    company: optional(item, 'company', text),
  };
}

/** Parses an advocate from its item. */
export function advocateOf(item: Item): Advocate {
  return { ...listedAdvocateOf(item), ...attributionTargetOf(item) };
}

/** Returns the key of the claim of an advocate's uid, or no key if it has no uid. */
function claimKeys(program: string, { uid }: Advocate): Key[] {
  return uid === null ? [] : [advocateUidKey(program, uid)];
}
