/** Random bytes, as many as asked for. Passed in wherever chance matters. */
export type Random = (count: number) => Uint8Array;

/** A text of `length` characters, each equally likely one of the alphabet's: at most 256, each a single unit. */
export function randomText(alphabet: string, length: number, random: Random): string {
  // Bytes beyond the largest multiple of the alphabet's length would make some characters likelier: they are thrown away.
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < limit && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
