/**
 * Latin letters in lower case that Unicode does not decompose, by their spelling in ASCII: the letters of CLDR's
 * transform Latin-ASCII up to the block Latin Extended-B
 * (https://github.com/unicode-org/cldr/blob/main/common/transforms/Latin-ASCII.xml).
 */
const LETTERS_BY_SPELLING = {
  a: 'ⱥ',
  ae: 'æ',
  b: 'ƀƃɓ',
  c: 'ƈȼ',
  d: 'ðđƌȡɖɗ',
  db: 'ȸ',
  e: 'ɇɛ',
  f: 'ƒ',
  g: 'ǥɠ',
  h: 'ħ',
  hv: 'ƕ',
  i: 'ıɨɩ',
  j: 'ȷɉ',
  k: 'ƙ',
  l: 'łƚȴ',
  n: 'ŋƞȵɲ',
  o: 'ø',
  oe: 'œ',
  oi: 'ƣ',
  p: 'ƥ',
  q: 'ĸ',
  qp: 'ȹ',
  r: 'ɍ',
  s: 'ȿ',
  ss: 'ß',
  t: 'ŧƫƭȶʈⱦ',
  th: 'þ',
  u: 'ʉ',
  v: 'ʋ',
  y: 'ƴɏ',
  z: 'ƶȥɀ',
};
const SPELLINGS = new Map(
  Object.entries(LETTERS_BY_SPELLING).flatMap(([spelling, letters]) => [...letters].map((one) => [one, spelling])),
);

/** Returns the spelling of such a letter in ASCII, `ss` for `ß`; `undefined` for every other character. */
export function spellingOf(character: string): string | undefined {
  return SPELLINGS.get(character);
}
