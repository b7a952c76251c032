import { InvalidField } from '../../kernel/errors.ts';
import { parseEmail, parseText } from '../../kernel/fields/fields.ts';
import { validOrNull } from '../../kernel/fields/parsers.ts';
import type { Referral } from './referral.ts';

/** The longest text to search for, in characters: a whole email. */
export const MAX_SEARCH = 254;

/** Checks a text to search for. Throws `InvalidField`. */
export function parseSearch(field: string, text: string): string {
  if (parseText(field, text, MAX_SEARCH).trim() !== '') return text;
  throw new InvalidField(field, 'must contain more than white space');
}

type Searched = Pick<Referral, 'email' | 'customerUid' | 'advocateSlug'>;

/**
 * Returns a function that finds referrals whose email, `uid` or advocate's slug begins with the text
 * (docs/contract/referrals.md). Only a `uid` is compared exactly.
 */
export function searchFor(text: string): (referral: Searched) => boolean {
  const lower = text.trim().toLowerCase();
  // The domain of a whole email may be stored with other letters.
  const email = validOrNull(text, (whole) => parseEmail('text', whole)) ?? lower;
  return ({ email: address, customerUid, advocateSlug }) =>
    address?.startsWith(email) || customerUid?.startsWith(text) || advocateSlug.startsWith(lower);
}
