import { emptyValues, type KeysIn, type KeysWith, type Values } from '../../fields/field-list.ts';
import { ADVOCATE_FIELDS } from './advocate-fields.ts';
import type { Program } from './program.ts';

/** An affiliate of a program. */
export type Advocate = Values<typeof ADVOCATE_FIELDS>;

/** The fields of an advocate that clicks and conversions need. */
export type AttributionTarget = Pick<Advocate, KeysIn<typeof ADVOCATE_FIELDS, 'target'>>;

/** The fields that the creator of an advocate chooses. */
export type AdvocateFields = Pick<Advocate, KeysWith<typeof ADVOCATE_FIELDS, { input: object }>>;

/** The optional fields of an advocate that has none of them. */
export const EMPTY_ADVOCATE = { ...emptyValues(ADVOCATE_FIELDS, 'input'), slug: null };

/** Returns a function that builds referral links: the program's site URL with its link parameter set to a slug. */
export function referralLinks(program: Program): (slug: string) => string {
  const url = new URL(program.siteUrl);
  return (slug) => {
    url.searchParams.set(program.linkParameter, slug);
    return url.href;
  };
}
