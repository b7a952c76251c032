import { MAX_NAME, MAX_UID, parseEmail, parseSlug, parseText } from './fields.ts';
import { type Program, parsePercentage } from './program.ts';
import type { Seconds } from './time.ts';

/** The fields of an advocate that clicks and conversions need. */
export interface AttributionTarget {
  readonly slug: string;
  /** The advocate's own rate; `null` if the program's rate applies. */
  readonly commissionPercentage: number | null;
  /** False if the advocate is deactivated: it gets no new clicks and no new referrals. */
  readonly active: boolean;
}

/** An affiliate of a program. Only `active` can change after its creation. */
export interface Advocate extends AttributionTarget {
  /** UUIDv7. */
  readonly id: string;
  /** The merchant's own id of the advocate, unique in the program. */
  readonly uid: string | null;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The advocate's organization in the merchant's records. */
  readonly companyId: string | null;
  readonly company: string | null;
  readonly createdAt: Seconds;
}

/** The fields that the creator of an advocate chooses. */
export type AdvocateFields = Omit<Advocate, 'id' | 'active' | 'createdAt'>;

/** Creates an active advocate from unchecked fields. Throws `InvalidField`. */
export function newAdvocate(fields: AdvocateFields, id: string, now: Seconds): Advocate {
  const text = (field: string, value: string | null, max: number) =>
    value === null ? null : parseText(field, value, max);
  return {
    id,
    email: parseEmail('email', fields.email),
    firstName: text('first_name', fields.firstName, MAX_NAME),
    lastName: text('last_name', fields.lastName, MAX_NAME),
    slug: parseSlug('slug', fields.slug),
    uid: text('uid', fields.uid, MAX_UID),
    companyId: text('company_id', fields.companyId, MAX_UID),
    company: text('company', fields.company, MAX_NAME),
    commissionPercentage: parsePercentage('commission_percentage', fields.commissionPercentage),
    createdAt: now,
    active: true,
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
