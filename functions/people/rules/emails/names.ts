const MAX_NAME = 40;

/**
 * What makes a link of a name: dots, colons, slashes and "@", and the characters that IDNA and NFKC turn into them
 * (RFC 3490 section 3.1).
 */
const LINKING = /[.:/@\u2024\u2044\u3002\ufe52\ufe55\ufe6b\uff0e\uff0f\uff1a\uff20\uff61]/gu;
/** Zero-width characters, controls of bidirectional text, lone surrogates. */
const INVISIBLE = /[\p{Cf}\p{Cs}]/gu;
/** `\s` includes the separators of lines and paragraphs. */
const SPACES = /[\s\p{Cc}]+/gu;

/**
 * Returns a name that no mail program turns into a link: without dots, colons, slashes, "@" and control characters, on one
 * line of at most 40 code points. It may be empty. Markup in it stays: HTML must escape it.
 */
export function safeName(name: string): string {
  return [...withoutLinks(name)].slice(0, MAX_NAME).join('').trimEnd();
}

/** Returns a text of any length that no mail program turns into a link, on one line without control characters. */
export const withoutLinks = (text: string): string => headerText(text.replace(LINKING, ''));

/** Returns a text on one line, without control characters, which can neither end a header nor rearrange it. */
export function headerText(text: string): string {
  return text.replace(INVISIBLE, '').replace(SPACES, ' ').trim();
}
