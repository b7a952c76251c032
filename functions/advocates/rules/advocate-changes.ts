import { isDeepStrictEqual } from 'node:util';
import type { Advocate, AdvocateFields } from '../../kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { nextPayoutVersion, withPayoutAccount } from '../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { AdvocateErased } from '../../kernel/errors.ts';
import { checkInputs, emptyValues } from '../../kernel/fields/field-list.ts';
import type { Random } from '../../kernel/ids.ts';
import { type Seconds, seconds } from '../../kernel/time.ts';
import { slugCandidates } from './slug-candidates.ts';

/** The fields of an advocate to create. Without a slug, one is derived from the names. */
export type AdvocateDraft = Omit<AdvocateFields, 'slug'> & { readonly slug: string | null };

/** The fields to change. Absent fields stay; `null` clears a field. */
export type AdvocateChanges = Partial<Omit<AdvocateFields, 'slug'> & Pick<Advocate, 'active'>>;

/** Creates an active advocate from unchecked fields. Throws `InvalidField`. */
export function newAdvocate(fields: AdvocateFields, id: string, now: Seconds): Advocate {
  const absent = { erasedAt: null, tokensRevokedAt: null };
  const checked = withPayoutAccount(checkInputs(ADVOCATE_FIELDS, fields));
  const payoutVersion = checked.payoutAccount === null ? 0 : 1;
  return { ...checked, payoutVersion, id, createdAt: now, active: true, ...absent, version: 1 };
}

/**
 * Creates an active advocate from unchecked fields, and returns the slugs to try next if its own is taken. A slug that
 * the creator chose has no alternatives. Throws `InvalidField`.
 */
export function draftAdvocate(
  fields: AdvocateDraft,
  { slugs }: Pick<Program, 'slugs'>,
  { id, now, random }: { readonly id: string; readonly now: Seconds; readonly random: Random },
) {
  const [slug = '', ...otherSlugs] = fields.slug === null ? slugCandidates(fields, slugs, random) : [fields.slug];
  return { advocate: newAdvocate({ ...fields, slug }, id, now), otherSlugs };
}

/** Changes an advocate. Returns the same object if nothing changes. Throws `InvalidField` or `AdvocateErased`. */
export function changeAdvocate(advocate: Advocate, changes: AdvocateChanges): Advocate {
  if (advocate.erasedAt !== null) throw new AdvocateErased();
  // What is stored is not checked again: it may be older than a rule.
  const after = { ...advocate, ...changes, ...withPayoutAccount(checkInputs(ADVOCATE_FIELDS, changes)) };
  if (isDeepStrictEqual(after, advocate)) return advocate;
  return { ...after, payoutVersion: nextPayoutVersion(advocate, after), version: advocate.version + 1 };
}

/**
 * Empties the fields about the person and deactivates the advocate for good. Its slug stays, because its referrals have
 * it. Returns the same object if it was erased before.
 */
export function eraseAdvocate(advocate: Advocate, now: Seconds): Advocate {
  if (advocate.erasedAt !== null) return advocate;
  const after = { ...advocate, ...emptyValues(ADVOCATE_FIELDS, 'personal'), active: false, erasedAt: now };
  return { ...after, payoutVersion: nextPayoutVersion(advocate, after), version: advocate.version + 1 };
}

/** Revokes all tokens of an advocate. Two revocations differ, even in the same second or by different clocks. */
export function revokeTokens(advocate: Advocate, now: Seconds): Advocate {
  const tokensRevokedAt = seconds(Math.max(now, (advocate.tokensRevokedAt ?? 0) + 1));
  return { ...advocate, tokensRevokedAt, version: advocate.version + 1 };
}
