import { InvalidField } from './errors.ts';

/** The form of a slug in any case, without anchors. */
export const SLUG_PATTERN = '[A-Za-z0-9-]{1,64}';

const SLUG = new RegExp(`^${SLUG_PATTERN}$`);
/** A slug made of names is shorter than a slug may be, so that a number or some characters can be put behind it. */
const MAX_MADE = 56;

/** Parses a slug in any case to lower case. Throws `InvalidField` naming `field`. */
export function parseSlug(field: string, text: string): string {
  // Checked before it is lower-cased: toLowerCase turns the Kelvin sign into a "k".
  if (!SLUG.test(text)) throw new InvalidField(field, 'must be 1 to 64 letters, digits or hyphens');
  return text.toLowerCase();
}

/**
 * A slug made of a person's names ("Zoë", "O'Neil" → `zoe-o-neil`), at most 56 characters, or `''` where they hold
 * no letter or digit of it.
 */
export function slugFromNames(...names: (string | null)[]): string {
  return names
    .join(' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_MADE)
    .replace(/^-+|-+$/g, '');
}
