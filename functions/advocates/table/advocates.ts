import type { Advocate, AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { deleteAddressItems, deleteApplication } from '../../kernel/accounts/table/address-items.ts';
import { findAdvocate, TARGET_FIELDS } from '../../kernel/accounts/table/advocate-items.ts';
import { addressHash } from '../../kernel/address.ts';
import { NOT_EXISTS, notExistsOrSame, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, toAttributes } from '../../kernel/dynamodb/item.ts';
import {
  advocateEmailKey,
  advocateKey,
  advocateUidKey,
  previousEmailKey,
  programAdvocates,
  sortKey,
} from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import {
  deleteWrite,
  type EvaluableCondition,
  type FailedConditions,
  type LabelledPut,
  type LabelledWrite,
  putWrite,
  transact,
  transactOnRead,
} from '../../kernel/dynamodb/writes.ts';
import { AdvocateNotFound, SlugTaken, UidTaken } from '../../kernel/errors.ts';
import { DAY, type Seconds, secondOf } from '../../kernel/time.ts';
import {
  type AdvocateChanges,
  changeAdvocate,
  eraseAdvocate as erased,
  revokeTokens,
} from '../rules/advocate-changes.ts';

/** Names of the writes that store an advocate: its item, whose key claims the slug, the claim of its uid, and its email. */
export type AdvocateWriteName = 'slug' | 'uid' | 'email';

/** How a new advocate is stored. */
interface Creation extends Companions {
  /** The slugs to try if the advocate's own is taken. */
  readonly otherSlugs?: readonly string[];
}

/**
 * Stores a new advocate with the claim of its uid and its email, and with other writes in the same transaction, or nothing. If
 * its slug is taken, stores it under the first free one of `otherSlugs`. Returns the stored advocate. Throws `UidTaken`,
 * `SlugTaken` if no slug is free, and what `refuse` throws.
 */
export async function createAdvocate(
  table: Table,
  program: string,
  advocate: Advocate,
  { otherSlugs = [], also = () => [], refuse }: Creation = {},
): Promise<Advocate> {
  const slugs = [advocate.slug, ...otherSlugs];
  // A slug that the caller chose is tried without a read. Reading several together is cheaper than trying each.
  const keys = otherSlugs.length === 0 ? [] : slugs.map((slug) => advocateKey(program, slug));
  const holders = await batchGet(table, keys, { consistent: false });
  for (const slug of slugs.filter((_, index) => holders[index] === undefined)) {
    const candidate = { ...advocate, slug };
    const failed = await transact<string>(table, [
      ...advocateWrites(program, candidate),
      ...also(candidate, candidate),
    ]);
    if (failed.size === 0) return candidate;
    refuse?.(failed);
    if (failed.has('uid')) throw new UidTaken();
  }
  throw new SlugTaken();
}

/** Builds the writes that store a new advocate in one transaction. Each requires that its item does not exist. */
export function advocateWrites(
  program: string,
  advocate: Advocate,
): LabelledPut<AdvocateWriteName, EvaluableCondition>[] {
  const { uid, email, slug } = advocate;
  return [
    ...(uid === null ? [] : [uidWrite(program, uid, advocate, NOT_EXISTS)]),
    ...(email === null ? [] : [emailWrite(program, email, slug)]),
    putWrite('slug', toAdvocateItem(program, advocate), NOT_EXISTS),
  ];
}

/**
 * Changes an advocate, in its item, in the claim of its uid, and under its email. Writes nothing if it already has these values. Throws
 * `InvalidField`, `AdvocateNotFound`, `AdvocateErased` or `UidTaken`; then nothing is changed.
 */
export function updateAdvocate(
  table: Table,
  program: string,
  slug: string,
  changes: AdvocateChanges,
): Promise<Advocate> {
  const now = secondOf(table.clock());
  return replaceAdvocate(table, program, slug, { change: (before) => changeAdvocate(before, changes, now) });
}

/** Erases the person who is an advocate, and what would sign it in. Its uid is free afterwards. Throws `AdvocateNotFound`. */
export async function eraseAdvocate(table: Table, program: string, slug: string): Promise<Advocate> {
  const now = secondOf(table.clock());
  const { email = null, application = null } = (await findAdvocate(table, program, slug)) ?? {};
  // First: without the address, a repetition would not find them.
  if (email !== null) await deleteAddressItems(table, program, addressHash(email));
  if (application !== null) await deleteApplication(table, program, application);
  return replaceAdvocate(table, program, slug, {
    change: (before) => erased(before, now),
    also: (after, before) => (after === before ? [] : [noPreviousEmailWrite(program, after, now)]),
  });
}

/**
 * Revokes all tokens of an advocate that exist now, and each one whose creation has only read the advocate. Throws
 * `AdvocateNotFound`.
 */
export function revokeAdvocateTokens(table: Table, program: string, slug: string): Promise<Advocate> {
  const now = secondOf(table.clock());
  return replaceAdvocate(table, program, slug, { change: (before) => revokeTokens(before, now) });
}

/**
 * Replaces an advocate, with other writes in the same transaction, and writes nothing if it stays the same. Throws
 * `AdvocateNotFound`, `UidTaken`, and what `change` and `refuse` throw; then nothing is changed.
 */
export function replaceAdvocate(
  table: Table,
  program: string,
  slug: string,
  { change, also = () => [], refuse }: Replacement,
): Promise<Advocate> {
  return retryOnConflict(table, async () => {
    const before = await findAdvocate(table, program, slug);
    if (!before) throw new AdvocateNotFound();
    const after = change(before);
    const others = also(after, before);
    if (after === before && others.length === 0) return { result: after };
    const outcome = await transactOnRead<string>(table, [
      ...(after === before ? [] : changeWrites(program, before, after)),
      ...others,
    ]);
    if ('conflict' in outcome) return outcome;
    refuse?.(outcome.result);
    if (outcome.result.size === 0) return { result: after };
    if (outcome.result.has('slug')) return { conflict: undefined };
    throw new UidTaken();
  });
}

/** Builds the write that overwrites the previous address of an erased advocate, to which an email may still be on its way. */
function noPreviousEmailWrite(program: string, { slug, version }: Advocate, now: Seconds): LabelledWrite<'previous'> {
  const key = previousEmailKey(program, slug);
  const item = { ...key, version, [EXPIRY_ATTRIBUTE]: now + 2 * DAY };
  return putWrite('previous', item, notExistsOrSame(SORT_KEY, key[SORT_KEY]));
}

/** A change of an advocate, and other writes of its transaction. */
interface Replacement extends Companions {
  readonly change: (before: Advocate) => Advocate;
}

/** Other writes of a transaction that stores an advocate. */
interface Companions {
  /** `before` is `after` if nothing changes, and for a new advocate. */
  readonly also?: (after: Advocate, before: Advocate) => readonly LabelledWrite<string>[];
  /** Throws if one of their conditions failed. */
  readonly refuse?: (failed: FailedConditions<string>) => void;
}

const changeWrites = (program: string, before: Advocate, after: Advocate): LabelledWrite<AdvocateWriteName>[] => [
  ...uidWrites(program, before, after),
  ...emailWrites(program, before, after),
  putWrite('slug', toAdvocateItem(program, after), unchangedSince(before)),
];

/** Builds the writes of the claims when an advocate changes. A new claim must be free, the others are its own. */
function uidWrites(program: string, before: Advocate, after: Advocate): LabelledWrite<AdvocateWriteName>[] {
  const isOwn = notExistsOrSame('slug', after.slug);
  const isSame = before.uid === after.uid;
  const writes: LabelledWrite<AdvocateWriteName>[] = [];
  if (before.uid !== null && !isSame) writes.push(deleteWrite('uid', advocateUidKey(program, before.uid), isOwn));
  if (after.uid !== null) writes.push(uidWrite(program, after.uid, after, isSame ? isOwn : NOT_EXISTS));
  return writes;
}

/** Builds the writes that make an advocate findable by a new email, and no longer by the previous one. */
function emailWrites(program: string, { email: before, slug }: Advocate, { email: after }: Advocate) {
  if (before === after) return [];
  const writes: LabelledWrite<AdvocateWriteName>[] = [];
  if (before !== null) {
    const key = advocateEmailKey(program, addressHash(before), slug);
    writes.push(deleteWrite('email', key, notExistsOrSame(SORT_KEY, slug)));
  }
  if (after !== null) writes.push(emailWrite(program, after, slug));
  return writes;
}

/** Builds the write that makes an advocate findable by its email. Only this advocate has the key. */
export const emailWrite = (program: string, email: string, slug: string): LabelledPut<'email', EvaluableCondition> =>
  putWrite('email', { ...advocateEmailKey(program, addressHash(email), slug) }, notExistsOrSame(SORT_KEY, slug));

/** The claim has everything that a conversion needs, so that a uid takes one read, like a slug. */
function uidWrite(
  program: string,
  uid: string,
  target: AttributionTarget,
  condition: EvaluableCondition,
): LabelledPut<'uid', EvaluableCondition> {
  return putWrite('uid', { ...advocateUidKey(program, uid), ...toAttributes(TARGET_FIELDS, target) }, condition);
}

function toAdvocateItem(program: string, advocate: Advocate): Item {
  // The keys contain these two.
  const { id: _id, created_at: _second, ...attributes } = toAttributes(ADVOCATE_FIELDS, advocate);
  return {
    ...advocateKey(program, advocate.slug),
    owner: programAdvocates(program),
    created: sortKey(advocate.createdAt, advocate.id),
    ...attributes,
  };
}
