import type { Advocate, AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { findAdvocate, TARGET_FIELDS } from '../../kernel/accounts/table/advocate-items.ts';
import { NOT_EXISTS, notExistsOrSame, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, toAttributes } from '../../kernel/dynamodb/item.ts';
import { advocateKey, advocateUidKey, programAdvocates, sortKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import {
  deleteWrite,
  type EvaluableCondition,
  type LabelledPut,
  type LabelledWrite,
  putWrite,
  transact,
  transactOnRead,
} from '../../kernel/dynamodb/writes.ts';
import { AdvocateNotFound, SlugTaken, UidTaken } from '../../kernel/errors.ts';
import { secondOf } from '../../kernel/time.ts';
import {
  type AdvocateChanges,
  changeAdvocate,
  eraseAdvocate as erased,
  revokeTokens,
} from '../rules/advocate-changes.ts';

/** Names of the writes that store an advocate: its item, whose key claims the slug, and the claim of its uid. */
export type AdvocateWriteName = 'slug' | 'uid';

/**
 * Stores a new advocate and the claim of its uid, or nothing. If its slug is taken, stores it under the first free one
 * of `otherSlugs`. Returns the stored advocate. Throws `UidTaken`, or `SlugTaken` if no slug is free.
 */
export async function createAdvocate(
  table: Table,
  program: string,
  advocate: Advocate,
  otherSlugs: readonly string[] = [],
): Promise<Advocate> {
  const slugs = [advocate.slug, ...otherSlugs];
  // A slug that the caller chose is tried without a read. Reading several together is cheaper than trying each.
  const keys = otherSlugs.length === 0 ? [] : slugs.map((slug) => advocateKey(program, slug));
  const holders = await batchGet(table, keys, { consistent: false });
  for (const slug of slugs.filter((_, index) => holders[index] === undefined)) {
    const candidate = { ...advocate, slug };
    const failed = await transact(table, advocateWrites(program, candidate));
    if (failed.size === 0) return candidate;
    if (failed.has('uid')) throw new UidTaken();
  }
  throw new SlugTaken();
}

/** Builds the writes that store a new advocate in one transaction. Each requires that its item does not exist. */
export function advocateWrites(
  program: string,
  advocate: Advocate,
): LabelledPut<AdvocateWriteName, EvaluableCondition>[] {
  const { uid } = advocate;
  const claims = uid === null ? [] : [uidWrite(program, uid, advocate, NOT_EXISTS)];
  return [...claims, putWrite('slug', toAdvocateItem(program, advocate), NOT_EXISTS)];
}

/**
 * Changes an advocate, in its item and in the claim of its uid. Writes nothing if it already has these values. Throws
 * `InvalidField`, `AdvocateNotFound`, `AdvocateErased` or `UidTaken`; then nothing is changed.
 */
export function updateAdvocate(
  table: Table,
  program: string,
  slug: string,
  changes: AdvocateChanges,
): Promise<Advocate> {
  return replaceAdvocate(table, program, slug, (before) => changeAdvocate(before, changes));
}

/** Erases the person who is an advocate. Its uid is free afterwards. Throws `AdvocateNotFound`. */
export function eraseAdvocate(table: Table, program: string, slug: string): Promise<Advocate> {
  const now = secondOf(table.clock());
  return replaceAdvocate(table, program, slug, (before) => erased(before, now));
}

/**
 * Revokes all tokens of an advocate that exist now, and each one whose creation has only read the advocate. Throws
 * `AdvocateNotFound`.
 */
export function revokeAdvocateTokens(table: Table, program: string, slug: string): Promise<Advocate> {
  const now = secondOf(table.clock());
  return replaceAdvocate(table, program, slug, (before) => revokeTokens(before, now));
}

/** Replaces an advocate, and writes nothing if it stays the same. */
function replaceAdvocate(
  table: Table,
  program: string,
  slug: string,
  change: (before: Advocate) => Advocate,
): Promise<Advocate> {
  return retryOnConflict(table, async () => {
    const before = await findAdvocate(table, program, slug);
    if (!before) throw new AdvocateNotFound();
    const after = change(before);
    if (after === before) return { result: after };
    const outcome = await transactOnRead(table, [
      ...uidWrites(program, before, after),
      putWrite('slug', toAdvocateItem(program, after), unchangedSince(before)),
    ]);
    if ('conflict' in outcome) return outcome;
    if (outcome.result.size === 0) return { result: after };
    if (outcome.result.has('slug')) return { conflict: undefined };
    throw new UidTaken();
  });
}

/** Builds the writes of the claims when an advocate changes. A new claim must be free, the others are its own. */
function uidWrites(program: string, before: Advocate, after: Advocate): LabelledWrite<AdvocateWriteName>[] {
  const isOwn = notExistsOrSame('slug', after.slug);
  const isSame = before.uid === after.uid;
  const writes: LabelledWrite<AdvocateWriteName>[] = [];
  if (before.uid !== null && !isSame) writes.push(deleteWrite('uid', advocateUidKey(program, before.uid), isOwn));
  if (after.uid !== null) writes.push(uidWrite(program, after.uid, after, isSame ? isOwn : NOT_EXISTS));
  return writes;
}

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
