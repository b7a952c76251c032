import { isDeepStrictEqual } from 'node:util';
import type { Advocate, AdvocateFields } from '../../kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { isPending, nextPayoutVersion, withPayoutAccount } from '../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { AdvocateErased } from '../../kernel/errors.ts';
import { checkInputs, emptyValues } from '../../kernel/fields/field-list.ts';
import type { Random } from '../../kernel/ids.ts';
import { DAY, type Seconds, seconds } from '../../kernel/time.ts';
import { slugCandidates } from './slug-candidates.ts';

/** The fields of an advocate to create. Without a slug, one is derived from the names. */
export type AdvocateDraft = Omit<AdvocateFields, 'slug'> & { readonly slug: string | null };

/** The fields to change. Absent fields stay; `null` clears a field. */
export type AdvocateChanges = Partial<Omit<AdvocateFields, 'slug'> & Pick<Advocate, 'active'>>;

/** What an advocate who signed in may change of itself. */
export type OwnChanges = Partial<
  Pick<Advocate, 'firstName' | 'lastName' | 'emailsOff' | 'payoutMethod' | 'payoutAccount'>
>;

/** How long nobody pays to an account that the advocate changed, or after a change of its address. In seconds. */
const PENDING = 3 * DAY;

/** Creates an active advocate from unchecked fields. Throws `InvalidField`. */
export function newAdvocate(fields: AdvocateFields, id: string, now: Seconds): Advocate {
  const absent = emptyValues(ADVOCATE_FIELDS);
  const checked = withPayoutAccount(checkInputs(ADVOCATE_FIELDS, fields));
  const payoutVersion = checked.payoutAccount === null ? 0 : 1;
  return { ...absent, ...checked, payoutVersion, id, createdAt: now, active: true, version: 1 };
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

/**
 * Changes an advocate for the merchant. A payout account that the merchant sets is paid immediately. A new
 * address of an advocate who has signed in makes the account pending, because the owner of the new address could change it.
 * Returns the same object if nothing changes. Throws `InvalidField` or `AdvocateErased`.
 */
export function changeAdvocate(advocate: Advocate, changes: AdvocateChanges, now: Seconds): Advocate {
  const checked = { ...changes, ...withPayoutAccount(checkInputs(ADVOCATE_FIELDS, changes)) };
  const hasAccount = nextPayoutVersion(advocate, { ...advocate, ...checked }) !== advocate.payoutVersion;
  const hasEmail = checked.email !== undefined && checked.email !== advocate.email;
  // Nobody undoes a change whose time has passed.
  const payoutBefore = isPending(advocate, now) ? advocate.payoutBefore : null;
  return changed(advocate, {
    ...checked,
    ...(hasEmail && advocate.signedInAt !== null && { payoutPendingUntil: seconds(now + PENDING), payoutBefore }),
    ...(hasAccount && { payoutPendingUntil: null, payoutBefore: null }),
  });
}

/**
 * Changes an advocate for itself. Another payout account is pending, and the last account that was not pending is kept.
 * Returns the same object if nothing changes. Throws `InvalidField` or `AdvocateErased`.
 */
export function changeOwn(advocate: Advocate, changes: OwnChanges, now: Seconds): Advocate {
  const checked = withPayoutAccount(checkInputs(ADVOCATE_FIELDS, changes));
  const { payoutMethod, payoutAccount, payoutBefore } = advocate;
  const isSame = nextPayoutVersion(advocate, { ...advocate, ...checked }) === advocate.payoutVersion;
  const before = isPending(advocate, now) && payoutBefore ? payoutBefore : { payoutMethod, payoutAccount };
  const pending = { payoutPendingUntil: seconds(now + PENDING), payoutBefore: before };
  return changed(advocate, { ...changes, ...checked, ...(!isSame && pending) });
}

/**
 * Returns to the account before the advocate's own change, and ends all tokens: somebody else may have made it. Returns
 * `undefined` if no change is pending.
 */
export function undoPayoutAccount(advocate: Advocate, now: Seconds): Advocate | undefined {
  const { payoutBefore } = advocate;
  if (payoutBefore === null || !isPending(advocate, now)) return undefined;
  return changed(revokeTokens(advocate, now), {
    ...payoutBefore,
    ...{ payoutPendingUntil: null, payoutBefore: null, version: advocate.version },
  });
}

/** What is stored is not checked again: it may be older than a rule. */
function changed(advocate: Advocate, changes: Partial<Advocate>): Advocate {
  if (advocate.erasedAt !== null) throw new AdvocateErased();
  const after = { ...advocate, ...changes };
  if (isDeepStrictEqual(after, advocate)) return advocate;
  return { ...after, ...nextVersions(advocate, after), version: after.version + 1 };
}

/**
 * Empties the fields about the person and deactivates the advocate for good. Its slug stays, because its referrals have
 * it. Returns the same object if it was erased before.
 */
export function eraseAdvocate(advocate: Advocate, now: Seconds): Advocate {
  if (advocate.erasedAt !== null) return advocate;
  const after = { ...advocate, ...emptyValues(ADVOCATE_FIELDS, 'personal'), active: false, erasedAt: now };
  return { ...after, ...nextVersions(advocate, after), version: advocate.version + 1 };
}

const nextVersions = (before: Advocate, after: Advocate) => ({
  payoutVersion: nextPayoutVersion(before, after),
  emailVersion: before.emailVersion + (before.email === after.email ? 0 : 1),
});

/** Revokes all tokens of an advocate. Two revocations differ, even in the same second or by different clocks. */
export function revokeTokens(advocate: Advocate, now: Seconds): Advocate {
  const tokensRevokedAt = seconds(Math.max(now, (advocate.tokensRevokedAt ?? 0) + 1));
  return { ...advocate, tokensRevokedAt, version: advocate.version + 1 };
}
