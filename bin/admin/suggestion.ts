/** Most edits between a word and its suggestion, and the share of the longer one that must stay. */
const MAX_EDITS = 3;
const MIN_SIMILARITY = 0.4;

/** Returns a line that suggests the most similar candidates for a misspelled word; `''` if there are none. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const similar = mostSimilar(word, candidates);
  if (similar.length === 0) return '';
  return `\n(Did you mean ${similar.length > 1 ? 'one of ' : ''}${similar.join(', ')}?)`;
}

/**
 * Returns the candidates that are most similar to a misspelled word; none if it is similar to none. Case, leading
 * hyphens, and the difference between `_` and `-` do not count.
 */
export function mostSimilar(word: string, candidates: readonly string[]): string[] {
  const plain = (text: string) => text.toLowerCase().replace(/^-+/, '').replaceAll('_', '-');
  const typed = plain(word);
  const edits = new Map(
    [...new Set(candidates)].map((candidate) => {
      const other = plain(candidate);
      const longer = Math.max(typed.length, other.length);
      const count = Math.abs(typed.length - other.length) > MAX_EDITS ? longer : editsBetween(typed, other);
      return [candidate, 1 - count / longer > MIN_SIMILARITY ? count : Number.POSITIVE_INFINITY];
    }),
  );
  const fewest = Math.min(MAX_EDITS, ...edits.values());
  return [...edits].flatMap(([candidate, count]) => (count === fewest ? [candidate] : []));
}

/**
 * Number of insertions, deletions, substitutions and transpositions of neighbors that turn one word into another
 * (https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance, optimal string alignment).
 */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last.at(-1) ?? 0;
}
