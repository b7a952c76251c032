import { slugFromNames } from '../../functions/domain/slug.ts';
import type { Random } from '../../functions/domain/time.ts';

const BASE_36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const HIGHEST_NUMBER = 5;
const RANDOM_TRIES = 3;
const RANDOM_LENGTH = 8;
/** Short enough for the room that `slugFromNames` leaves. */
const SUFFIX_LENGTH = 6;

/**
 * Slugs to try for a new advocate, the nicest first: the names, the names with a small number, the names with random
 * characters. Never from the e-mail: links are public.
 */
export function* slugCandidates(
  firstName: string | null,
  lastName: string | null,
  random: Random,
): Generator<string, void> {
  const names = slugFromNames(firstName, lastName);
  if (names !== '') {
    yield names;
    for (let number = 2; number <= HIGHEST_NUMBER; number += 1) yield `${names}-${number}`;
  }
  for (let tries = 0; tries < RANDOM_TRIES; tries += 1) {
    yield names === '' ? randomText(RANDOM_LENGTH, random) : `${names}-${randomText(SUFFIX_LENGTH, random)}`;
  }
}

function randomText(length: number, random: Random): string {
  let text = '';
  while (text.length < length) {
    // Bytes from 252 on are thrown away: 252 is the largest multiple of 36 in a byte, so that no character is likelier.
    for (const byte of random(length)) {
      if (byte < 252 && text.length < length) text += BASE_36.charAt(byte % 36);
    }
  }
  return text;
}
