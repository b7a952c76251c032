import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { parseText, withoutAccents } from '../../kernel/fields/fields.ts';

/** The longest text to search for, in characters. */
export const MAX_SEARCH = 100;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Checks a text to search for. Throws `InvalidField`. */
export function parseSearch(field: string, text: string): string {
  if (LETTER_OR_DIGIT.test(parseText(field, text, MAX_SEARCH))) return text;
  throw new InvalidField(field, 'must contain a letter or a digit');
}

type Names = Pick<Advocate, 'firstName' | 'lastName' | 'company' | 'slug' | 'email'>;

/**
 * Returns a function that finds advocates by name: each word of the text must begin a word of first name, last name,
 * company or slug, or the email, without case and accents (docs/contract/advocates.md).
 */
export function searchFor(text: string): (advocate: Names) => boolean {
  const wanted = withoutAccents(text)
    .split(/\s+/)
    .filter((word) => LETTER_OR_DIGIT.test(word))
    .map((word) => ({ word, parts: wordsOf(word) }));
  return ({ firstName, lastName, company, slug, email }) => {
    const words = wordsOf(withoutAccents([firstName, lastName, company, slug].join(' ')));
    const address = withoutAccents(email ?? '');
    const begins = (part: string) => words.some((word) => word.startsWith(part));
    return wanted.every(({ word, parts }) => address.startsWith(word) || parts.every(begins));
  };
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
