import type { Program } from '../../kernel/accounts/rules/program.ts';
import { slugFromNames } from '../../kernel/fields/fields.ts';
import { type Random, randomText } from '../../kernel/ids.ts';

/** Without 0 and 1, which look like letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz23456789';
const HIGHEST_NUMBER = 5;
const RANDOM_TRIES = 3;
const RANDOM_LENGTH = 8;
/** The longest result of `slugFromNames`, a hyphen and this suffix together are a valid slug. */
const SUFFIX_LENGTH = 6;

/**
 * Yields the slugs to try for a new advocate, the best first: the names, the names with a small number, the names with
 * random characters. Without names, or if the program chose so, they are random. Slugs never contain parts of the email,
 * because links are public.
 */
export function* slugCandidates(
  { firstName, lastName }: { readonly firstName: string | null; readonly lastName: string | null },
  rule: Program['slugs'],
  random: Random,
): Generator<string, void> {
  const names = rule === 'random' ? '' : slugFromNames(firstName, lastName);
  if (names !== '') {
    yield names;
    for (let number = 2; number <= HIGHEST_NUMBER; number += 1) yield `${names}-${number}`;
  }
  for (let tries = 0; tries < RANDOM_TRIES; tries += 1) {
    yield names === ''
      ? randomText(ALPHABET, RANDOM_LENGTH, random)
      : `${names}-${randomText(ALPHABET, SUFFIX_LENGTH, random)}`;
  }
}
