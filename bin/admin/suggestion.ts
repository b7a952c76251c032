import damerauLevenshtein from 'damerau-levenshtein';

/** Most edits between a word and its suggestion. More than the share `MIN_SIMILARITY` of the longer one must stay. */
const MAX_EDITS = 3;
const MIN_SIMILARITY = 0.5;

/** Returns a line that suggests the most similar candidates for a misspelled word, or `''`. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  return suggest(mostSimilar(word, candidates));
}

/** Returns a line that suggests these words; `''` without words. */
export function suggest(words: readonly string[]): string {
  if (words.length === 0) return '';
  return `\n(Did you mean ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}?)`;
}

/**
 * Returns the candidates that are most similar to a misspelled word; none if it is similar to none. Case, leading
 * hyphens, and the difference between `_` and `-` do not count.
 */
export function mostSimilar(word: string, candidates: readonly string[]): string[] {
  const plain = (text: string) => text.toLowerCase().replace(/^-+/, '').replaceAll('_', '-');
  const edits = new Map(
    [...new Set(candidates)].map((candidate) => {
      const { steps, similarity } = damerauLevenshtein(plain(word), plain(candidate));
      return [candidate, similarity > MIN_SIMILARITY ? steps : Number.POSITIVE_INFINITY];
    }),
  );
  const fewest = Math.min(MAX_EDITS, ...edits.values());
  return [...edits].flatMap(([candidate, count]) => (count === fewest ? [candidate] : []));
}
