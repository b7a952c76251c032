import { MAX_NAME, MAX_UID, parseEmail, parseSlug, parseText } from './fields.ts';
import { optionalPercentage, type Program } from './program.ts';
import type { Seconds } from './time.ts';

/** What a conversion must know of an advocate. */
export interface AttributionTarget {
  readonly slug: string;
  /** The advocate's own rate; `null` where the program's counts. */
  readonly commissionPercentage: number | null;
  /** False: no new clicks and no new referrals. */
  readonly active: boolean;
}

/** An affiliate of a program. Only `active` changes after it was created. */
export interface Advocate extends AttributionTarget {
  /** UUIDv7. */
  readonly id: string;
  /** The merchant's own id of the advocate, unique in the program. */
  readonly uid: string | null;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The advocate's own organisation in the merchant's records. */
  readonly companyId: string | null;
  readonly company: string | null;
  readonly createdAt: Seconds;
}

/** What an operator says of a new advocate; `null` where nothing was said. */
export interface AdvocateFields {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly slug: string;
  readonly uid: string | null;
  readonly companyId: string | null;
  readonly company: string | null;
  readonly commissionPercentage: number | null;
}

/** Makes an active advocate of checked fields. Throws `InvalidField` naming the field as the command line calls it. */
export function newAdvocate(fields: AdvocateFields, id: string, now: Seconds): Advocate {
  const text = (field: string, value: string | null, max: number) =>
    value === null ? null : parseText(field, value, max);
  return {
    id,
    email: parseEmail('email', fields.email),
    firstName: text('first-name', fields.firstName, MAX_NAME),
    lastName: text('last-name', fields.lastName, MAX_NAME),
    slug: parseSlug('slug', fields.slug),
    uid: text('uid', fields.uid, MAX_UID),
    companyId: text('company-id', fields.companyId, MAX_UID),
    company: text('company', fields.company, MAX_NAME),
    commissionPercentage: optionalPercentage(fields.commissionPercentage),
    createdAt: now,
    active: true,
  };
}

/** Makes an advocate's link from its slug: the program's site with the link parameter set. One maker serves a whole list. */
export function referralLinks(program: Program): (slug: string) => string {
  const url = new URL(program.siteUrl);
  return (slug) => {
    url.searchParams.set(program.linkParameter, slug);
    return url.href;
  };
}
