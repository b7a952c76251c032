import type { Advocate, AttributionTarget } from '../domain/advocate.ts';
import { AdvocateNotFound } from '../domain/errors.ts';
import type { Seconds } from '../domain/time.ts';
import { EXISTS, NOT_EXISTS } from './conditions.ts';
import { type Item, number, optional, required, text, withoutNulls } from './item.ts';
import { advocateKey, advocateUidKey, type Key, parseSortKey, programAdvocates, sortKey } from './keys.ts';
import type { Table } from './table.ts';
import { type LabelledPut, putWrite, transact, updateWrite } from './writes.ts';

/** An advocate as a row of an index: what the program's list returns. */
export type ListedAdvocate = Omit<Advocate, 'commissionPercentage' | 'active'>;

/** Another advocate of the program has the slug. */
export class SlugTaken extends Error {}
/** Another advocate of the program has the uid. */
export class UidTaken extends Error {}

/** Names of the writes that store an advocate: its item, which claims the slug, and the claim of its uid. */
export type AdvocateWriteName = 'slug' | 'uid';

/** Stores a new advocate and the claim of its uid, or nothing. Throws `SlugTaken` or `UidTaken`. */
export async function createAdvocate(table: Table, program: string, advocate: Advocate): Promise<void> {
  const failed = await transact(table, advocateWrites(program, advocate));
  if (failed.has('slug')) throw new SlugTaken();
  if (failed.size > 0) throw new UidTaken();
}

/** The writes that store an advocate in one transaction, each under the condition that its item is new. */
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
  // The claim has all that a conversion needs, so that a conversion by uid costs one read, as one by slug does.
  const claim = withoutNulls({ slug: advocate.slug, rate: advocate.commissionPercentage });
  const claims = claimKeys(program, advocate).map((key) => putWrite('uid', { ...key, ...claim }, NOT_EXISTS));
  return [...claims, putWrite('slug', item, NOT_EXISTS)];
}

/** Reads an advocate; `undefined` if no advocate has the slug. */
export async function findAdvocate(table: Table, program: string, slug: string): Promise<Advocate | undefined> {
  const item = await table.get(advocateKey(program, slug));
  return item && advocateOf(item);
}

/**
 * Activates or deactivates an advocate and its claim, or changes nothing. The time of the first deactivation is kept.
 * Throws `AdvocateNotFound`.
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

/** Parses what a conversion needs to know about an advocate, from its item or its claim. */
export function attributionTargetOf(item: Item): AttributionTarget {
  return {
    slug: required(item, 'slug', text),
    commissionPercentage: optional(item, 'rate', number),
    active: item['deactivated_at'] === undefined,
  };
}

/** Parses an advocate from a row of an index. */
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

/** Parses an advocate from its own item. */
export function advocateOf(item: Item): Advocate {
  return { ...listedAdvocateOf(item), ...attributionTargetOf(item) };
}

/** The key of the claim of an advocate's uid, if it has one. */
function claimKeys(program: string, { uid }: Advocate): Key[] {
  return uid === null ? [] : [advocateUidKey(program, uid)];
}
