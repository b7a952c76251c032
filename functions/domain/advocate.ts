import { isDeepStrictEqual } from 'node:util';
import { MAX_UID, parseEmail, parseOptionalName, parseOptionalText, parseSlug } from './fields.ts';
import type { Random } from './ids.ts';
import { type Program, parseRate } from './program.ts';
import { slugCandidates } from './slug-candidates.ts';
import type { Seconds } from './time.ts';

/** The fields of an advocate that clicks and conversions need. */
export interface AttributionTarget {
  readonly slug: string;
  readonly email: string;
  /** The merchant's own id of the advocate, unique in the program. */
  readonly uid: string | null;
  /** The advocate's own rate in percent; `null` if the program's rate applies. */
  readonly commissionPercentage: number | null;
  /** False if the advocate is deactivated: it gets no new clicks and no new referrals. */
  readonly active: boolean;
}

/** An affiliate of a program. Its slug, which links contain, never changes. */
export interface Advocate extends AttributionTarget {
  /** UUIDv7. */
  readonly id: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The advocate's organization in the merchant's records. */
  readonly companyId: string | null;
  readonly company: string | null;
  readonly createdAt: Seconds;
  /** Number of writes, for optimistic locking: a write fails if there was another one since the read. */
  readonly version: number;
}

/** The fields that the creator of an advocate chooses. */
export type AdvocateFields = Omit<Advocate, 'id' | 'active' | 'createdAt' | 'version'>;

/** The fields of an advocate to create. Without a slug, one is derived from the names. */
export type AdvocateDraft = Omit<AdvocateFields, 'slug'> & { readonly slug: string | null };

/** The optional fields of an advocate that has none of them. */
export const EMPTY_ADVOCATE = {
  firstName: null,
  lastName: null,
  slug: null,
  uid: null,
  companyId: null,
  company: null,
  commissionPercentage: null,
} as const;

/** The fields to change. Absent fields stay; `null` clears a field. */
export type AdvocateChanges = Partial<Omit<AdvocateFields, 'slug'> & Pick<Advocate, 'active'>>;

/** Creates an active advocate from unchecked fields. Throws `InvalidField`. */
export function newAdvocate(fields: AdvocateFields, id: string, now: Seconds): Advocate {
  const slug = parseSlug('slug', fields.slug);
  return { ...checkedFields(fields), slug, id, createdAt: now, active: true, version: 1 };
}

/**
 * Creates an active advocate from unchecked fields, and returns the slugs to try next if its own is taken. A slug that
 * the creator chose has no alternatives. Throws `InvalidField`.
 */
export function draftAdvocate(fields: AdvocateDraft, id: string, now: Seconds, random: Random) {
  const { firstName, lastName } = fields;
  const [slug = '', ...otherSlugs] = fields.slug === null ? slugCandidates(firstName, lastName, random) : [fields.slug];
  return { advocate: newAdvocate({ ...fields, slug }, id, now), otherSlugs };
}

/** Changes an advocate. Returns the same object if nothing changes. Throws `InvalidField`. */
export function changeAdvocate(advocate: Advocate, changes: AdvocateChanges): Advocate {
  const changed = { ...advocate, ...changes };
  const after = { ...changed, ...checkedFields(changed, advocate) };
  return isDeepStrictEqual(after, advocate) ? advocate : { ...after, version: advocate.version + 1 };
}

/** Checks fields. A name that is `stored` already is not checked again: it may be older than the rule. */
function checkedFields(fields: Omit<AdvocateFields, 'slug'>, stored?: Advocate) {
  const nameIn = (field: string, key: 'firstName' | 'lastName' | 'company') =>
    fields[key] === stored?.[key] ? fields[key] : parseOptionalName(field, fields[key]);
  return {
    email: parseEmail('email', fields.email),
    firstName: nameIn('first_name', 'firstName'),
    lastName: nameIn('last_name', 'lastName'),
    uid: parseOptionalText('uid', fields.uid, MAX_UID),
    companyId: parseOptionalText('company_id', fields.companyId, MAX_UID),
    company: nameIn('company', 'company'),
    commissionPercentage: parseRate(fields.commissionPercentage),
  };
}

/** Returns a function that builds referral links: the program's site URL with its link parameter set to a slug. */
export function referralLinks(program: Program): (slug: string) => string {
  const url = new URL(program.siteUrl);
  return (slug) => {
    url.searchParams.set(program.linkParameter, slug);
    return url.href;
  };
}
